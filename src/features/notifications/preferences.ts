import { and, eq, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import type { PreferencesRow } from "./kinds.ts";
import type { PreferenceChanges } from "./schemas.ts";

function missed(row?: { version: number }): AppError {
  return missedWrite(row, "notification preferences");
}

export async function readPreferences(ctx: Context) {
  const [row] = await selectPreferences(ctx, signedInUser(ctx).id);
  if (!row) throw missed();
  return toPreferences(row);
}

export async function changePreferences(ctx: Context, changes: PreferenceChanges, expected: ExpectedVersions) {
  const { id } = signedInUser(ctx);
  const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) throw new AppError("nothing_to_update");
  const mine = eq(notificationPreferences.userId, id);
  const isExpected = and(mine, versionIs(notificationPreferences.version, expected));
  const refusal = async () => missed((await selectPreferences(ctx, id))[0]);
  const [, , [row]] = await runBatch(ctx.db, [
    assertExists(ctx.db, notificationPreferences, isExpected, refusal),
    audit(ctx, "profile.notifications_changed", { userId: id, details: { changed: names.join(" ") } }),
    ctx.db
      .update(notificationPreferences)
      .set({ ...columnsOf(changes), version: sql`${notificationPreferences.version} + 1`, updatedAt: ctx.now })
      .where(mine)
      .returning(),
  ] as const);
  if (!row) throw missed();
  return toPreferences(row);
}

function columnsOf({ taskReminderMinutes, eventReminderMinutes, ...plain }: PreferenceChanges) {
  return { ...plain, taskReminder: taskReminderMinutes, eventReminder: eventReminderMinutes };
}

export function selectPreferences(ctx: Context, userId: number) {
  return ctx.db.select().from(notificationPreferences).where(eq(notificationPreferences.userId, userId));
}

/** The statement that reads everyone's preferences. */
export function selectAllPreferences({ db }: Pick<Context, "db">) {
  return db.select().from(notificationPreferences);
}

export function toPreferences(row: PreferencesRow) {
  const { userId, briefDate, briefStatus, updatedAt, taskReminder, eventReminder, ...preferences } = row;
  const lastBrief = briefDate && briefStatus ? { date: briefDate, status: briefStatus } : null;
  const minutes = { taskReminderMinutes: taskReminder, eventReminderMinutes: eventReminder };
  return { securityAlerts: true as const, ...preferences, ...minutes, lastBrief };
}
