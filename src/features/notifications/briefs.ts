import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { walkTable } from "../../db/walk.ts";
import type { PreferencesRow } from "./kinds.ts";
import type { Outcome } from "./service.ts";

const { userId, briefHour, briefDate, briefStatus, dailyBrief } = notificationPreferences;
const columns = { userId, briefHour, briefDate, briefStatus };
const isOn = sql`${dailyBrief} = 1`;

export type BriefReader = Pick<PreferencesRow, keyof typeof columns>;

/** Everyone with the daily brief turned on, in pages. */
export function walkBriefReaders({ db }: Context): AsyncGenerator<BriefReader[]> {
  return walkTable<BriefReader>(db, notificationPreferences, { columns, where: isOn });
}

/**
 * Claims a day's brief, so that only one of two concurrent runs sends it. A failed brief can be claimed again. A claim
 * without a result cannot: its run was cut off, perhaps after the email had left.
 */
export async function claimBrief(ctx: Context, reader: number, date: string): Promise<boolean> {
  const hasFailed = and(eq(briefDate, date), eq(briefStatus, "failed"));
  const isOpen = or(sql`${briefDate} IS NULL`, lt(briefDate, date), hasFailed);
  const claimed = await ctx.db
    .update(notificationPreferences)
    .set({ briefDate: date, briefStatus: null })
    .where(and(eq(userId, reader), isOn, isOpen))
    .returning({ userId });
  return claimed.length === 1;
}

export async function recordBriefStatus(ctx: Context, reader: number, date: string, status: Outcome) {
  await ctx.db
    .update(notificationPreferences)
    .set({ briefStatus: status })
    .where(and(eq(userId, reader), eq(briefDate, date)));
}
