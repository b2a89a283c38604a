import type { Context } from "../../../context.ts";
import type { CaptionKind, CaptionPlatform } from "../../../lib/caption-kinds.ts";
import { AppError } from "../../../lib/errors.ts";
import { orderCaptions } from "./write.ts";

interface Request {
  kind: CaptionKind;
  sessionId?: number | undefined;
  milestoneId?: number | undefined;
  platforms?: readonly CaptionPlatform[] | undefined;
  notes?: string | undefined;
}

/** A person asks for captions: what is still pending is written anew. */
export async function generateCaptions(ctx: Context, { sessionId, milestoneId, ...request }: Request) {
  const order = { ...request, sessionId: sessionId ?? null, milestoneId: milestoneId ?? null, replace: true };
  const written = await orderCaptions(ctx, order);
  if (written.data.length === 0) {
    throw new AppError(
      "no_platform_connected",
      "Save a credential with POST /api/stream/credentials first, or name the platforms to write for.",
    );
  }
  return written;
}
