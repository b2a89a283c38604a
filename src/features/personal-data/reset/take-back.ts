import type { Context } from "../../../context.ts";
import { resetPassword } from "../../auth/password/reset.ts";
import { removeEndpointsOf } from "../../webhooks/take-back.ts";

/** Gives an account to whoever reads its mail, without what a stranger who registered the address made there. */
export function takeAccountBack(ctx: Context, input: { token: string; password: string }): Promise<void> {
  return resetPassword(ctx, input, (userId, isUnproved) => [removeEndpointsOf(ctx, userId, isUnproved)]);
}
