import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertExists } from "../../db/assert.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";

type PreferencesRow = typeof notificationPreferences.$inferSelect;

export interface PreferenceChanges {
  syncFailure?: boolean;
  tokenAlerts?: boolean;
  dailyBrief?: boolean;
  briefHour?: number;
}

export function toPreferences(row: PreferencesRow) {
  const { syncFailure, tokenAlerts, dailyBrief, briefHour, briefDate, briefStatus, version } = row;
  return {
    securityAlerts: true as const,
    syncFailure,
    tokenAlerts,
    dailyBrief,
    briefHour,
    lastBrief: briefDate && briefStatus ? { date: briefDate, status: briefStatus } : null,
    version,
  };
}

export function selectPreferences(ctx: Context, userId: number) {
  return ctx.db.select().from(notificationPreferences).where(eq(notificationPreferences.userId, userId));
}

/** Fails a batch unless the preferences have a version the writer expects. */
export function assertPreferences(ctx: Context, userId: number, expected: ExpectedVersions) {
  const mine = and(eq(notificationPreferences.userId, userId), versionIs(notificationPreferences.version, expected));
  const missed = async () => missedWrite((await selectPreferences(ctx, userId))[0], "notification preferences");
  return assertExists(ctx.db, notificationPreferences, mine, missed);
}

export function updatePreferences(ctx: Context, userId: number, changes: PreferenceChanges) {
  return ctx.db
    .update(notificationPreferences)
    .set({ ...changes, version: sql`${notificationPreferences.version} + 1`, updatedAt: ctx.now })
    .where(eq(notificationPreferences.userId, userId))
    .returning();
}
