import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { eraseAll } from "../../db/personal-data.ts";
import { idempotencyKeys } from "../../db/schema/idempotency.ts";
import { AppError } from "../../lib/errors.ts";
import { deleteAccount, deleteLastAccount, isOnlyOwner } from "../auth/accounts/deletion.ts";
import { erasePictures } from "../profile/avatar.ts";
import { PERSONAL_DATA } from "./sections.ts";

/**
 * Removes the person's account. With an owner who is alone everything else goes too, and goes first: a run that breaks
 * off leaves somebody who can repeat it. The next to register then owns an empty service. Who names a successor is
 * refused or succeeded, and nothing is emptied.
 */
export async function removeAccount(ctx: Context, input: { confirm: string; newOwner?: string }): Promise<void> {
  const user = signedInUser(ctx);
  if (input.confirm !== user.email) {
    throw new AppError("validation_failed", "confirm: must be the address of the account", {
      errors: [{ path: "confirm", message: "must be the address of the account" }],
    });
  }
  if (input.newOwner === undefined && (await isOnlyOwner(ctx))) {
    await empty(ctx);
    await deleteLastAccount(ctx);
  } else {
    await deleteAccount(ctx, input.newOwner);
  }
  ctx.defer(erasePictures(ctx, user.id));
}

async function empty(ctx: Context): Promise<void> {
  for (const { erase } of PERSONAL_DATA) await erase?.(ctx);
  // The answers kept for a repeated request hold what the service held.
  await eraseAll(ctx.db, idempotencyKeys);
}
