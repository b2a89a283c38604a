import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { type ExpectedVersions, versionIs } from "../../db/version.ts";

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

/** True while the person's preferences have a version the writer expects. */
export function preferencesAre(userId: number, expected: ExpectedVersions) {
  const mine = and(eq(notificationPreferences.userId, userId), versionIs(notificationPreferences.version, expected));
  return sql`EXISTS (SELECT 1 FROM notification_preferences WHERE ${mine})`;
}

export function updatePreferences(ctx: Context, userId: number, changes: PreferenceChanges) {
  return ctx.db
    .update(notificationPreferences)
    .set({ ...changes, version: sql`${notificationPreferences.version} + 1`, updatedAt: ctx.now })
    .where(eq(notificationPreferences.userId, userId))
    .returning();
}
