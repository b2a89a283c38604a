import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { notificationPreferences } from "../../db/schema/notifications.ts";
import { walkTable } from "../../db/walk.ts";

const { userId, briefHour, briefDate, briefStatus, dailyBrief } = notificationPreferences;
const columns = { userId, briefHour, briefDate, briefStatus };
const isWanted = sql`${dailyBrief} = 1`;

export interface BriefReader {
  userId: number;
  briefHour: number;
  briefDate: string | null;
  briefStatus: "sent" | "skipped" | "failed" | null;
}

/** Everyone who wants a brief, in pages. */
export function walkBriefReaders({ db }: Context): AsyncGenerator<BriefReader[]> {
  return walkTable<BriefReader>(db, notificationPreferences, { columns, where: isWanted });
}

/**
 * Takes the day for one sender: of two runs at once only one gets it. A day whose mail did not leave can be
 * taken again; one whose sender died cannot, since its mail may have left.
 */
export async function claimBrief(ctx: Context, reader: number, date: string): Promise<boolean> {
  const isOpen = or(
    sql`${briefDate} IS NULL`,
    lt(briefDate, date),
    and(eq(briefDate, date), eq(briefStatus, "failed")),
  );
  const taken = await ctx.db
    .update(notificationPreferences)
    .set({ briefDate: date, briefStatus: null })
    .where(and(eq(userId, reader), isWanted, isOpen))
    .returning({ userId });
  return taken.length === 1;
}

export async function settleBrief(
  ctx: Context,
  reader: number,
  date: string,
  status: "sent" | "skipped" | "failed",
): Promise<void> {
  await ctx.db
    .update(notificationPreferences)
    .set({ briefStatus: status })
    .where(and(eq(userId, reader), eq(briefDate, date)));
}
