import { requireScopes } from "../../../context.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Turn } from "../../tools/turn.ts";

type Scope = Parameters<typeof requireScopes>[1][number];

/** Whether whoever talks may read these records. What they may not read is not looked for. */
export function mayRead({ ctx }: Turn, scope: Scope): boolean {
  try {
    requireScopes(ctx, [scope]);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
