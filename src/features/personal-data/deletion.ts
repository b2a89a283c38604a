import { type Context, signedInUser } from "../../context.ts";
import { eraseAll } from "../../db/personal-data.ts";
import { idempotencyKeys } from "../../db/schema/idempotency.ts";
import { validationFailed } from "../../lib/errors.ts";
import { deleteAccount, deleteLastAccount, isOnlyOwner } from "../auth/accounts/deletion.ts";
import { deleteFilesSoon, hastenDeletion } from "../files/service.ts";
import { eraseTransfers } from "../transfers/service.ts";
import { PERSONAL_DATA } from "./sections.ts";

/**
 * Deletes the account of the signed-in person. Foreign keys delete what belongs to it; emails, tasks, events and
 * connections belong to the service and stay. With the last account they are deleted too, and first: if that is cut
 * off, the owner can still sign in and repeat it.
 */
export async function removeAccount(ctx: Context, input: { confirm: string; newOwner?: string }): Promise<void> {
  const user = signedInUser(ctx);
  if (input.confirm !== user.email) {
    throw validationFailed({ path: "confirm", message: "must be the email address of your account" });
  }
  if (input.newOwner === undefined && (await isOnlyOwner(ctx))) {
    await emptyService(ctx);
    await deleteLastAccount(ctx);
  } else {
    await deleteAccount(ctx, input.newOwner);
  }
  // A trigger has noted the uploaded avatar.
  deleteFilesSoon(ctx);
}

async function emptyService(ctx: Context): Promise<void> {
  // First, since what is under way writes nothing without these: otherwise it would fill what is empty.
  await eraseTransfers(ctx);
  const first = PERSONAL_DATA.filter(({ erasedFirst }) => erasedFirst);
  const others = PERSONAL_DATA.filter(({ erasedFirst }) => !erasedFirst);
  for (const { erase } of [...first, ...others]) await erase?.(ctx);
  // Files of what was just erased would wait for a restore by Time Travel, which nobody is left to make.
  await hastenDeletion(ctx);
  // Responses stored for repeated requests contain the same data.
  await eraseAll(ctx.db, idempotencyKeys);
}
