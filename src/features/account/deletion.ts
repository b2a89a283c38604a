import type { Context } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import { signedInUser } from "../auth/account.ts";
import { deleteAccount, isOnlyOwner } from "../auth/deletion.ts";
import { erasePictures } from "../profile/avatar.ts";
import { KEPT_DATA } from "./kept-data.ts";

/**
 * Removes the person's account. With an owner who is alone everything else goes too, and goes first: a run that breaks
 * off leaves somebody who can repeat it. The next to register then owns an empty service.
 */
export async function removeAccount(ctx: Context, input: { confirm: string; newOwner?: string }): Promise<void> {
  const user = signedInUser(ctx);
  if (input.confirm !== user.email) {
    throw new AppError("validation_failed", "confirm: must be the address of the account", {
      errors: [{ path: "confirm", message: "must be the address of the account" }],
    });
  }
  if (await isOnlyOwner(ctx)) for (const { erase } of KEPT_DATA) await erase?.(ctx);
  await deleteAccount(ctx, input.newOwner);
  ctx.defer(erasePictures(ctx, user.id));
}
