import type { Context } from "../../../context.ts";
import { resetPassword } from "../../auth/password/reset.ts";
import { deleteEndpointsOf } from "../../webhooks/take-back.ts";

/** Resets the password; for an address that was never verified, also deletes webhooks that a stranger may have added. */
export function resetPasswordAndWebhooks(ctx: Context, input: { token: string; password: string }): Promise<void> {
  return resetPassword(ctx, input, (userId, isUnverified) => [deleteEndpointsOf(ctx, userId, isUnverified)]);
}
