import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { type ExpectedVersions, missedWrite } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import {
  assertPreferences,
  type PreferenceChanges,
  selectPreferences,
  toPreferences,
  updatePreferences,
} from "../notifications/preferences.ts";

export async function readNotificationPreferences(ctx: Context) {
  const [row] = await selectPreferences(ctx, signedInUser(ctx).id);
  if (!row) throw missedWrite(undefined, "notification preferences");
  return toPreferences(row);
}

export async function changeNotificationPreferences(
  ctx: Context,
  changes: PreferenceChanges,
  expected: ExpectedVersions,
) {
  const { id } = signedInUser(ctx);
  const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) throw new AppError("nothing_to_update");
  const [, , [row]] = await runBatch(ctx.db, [
    assertPreferences(ctx, id, expected),
    audit(ctx, "profile.notifications_changed", { userId: id, details: { changed: names.join(" ") } }),
    updatePreferences(ctx, id, changes),
  ] as const);
  if (!row) throw missedWrite(undefined, "notification preferences");
  return toPreferences(row);
}
