import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { atMinute, counted, MOST_COUNTED, OVERDUE_MS, reading } from "../../lib/service-problems.ts";
import { DAY_MS } from "../../lib/time-zone.ts";

interface Owed {
  owed: number;
  oldest: number | null;
}

/** The statement that reads which captions are owed, for a batch. After a day a caption is no longer written. */
export function selectCaptionVitals(ctx: Context) {
  const since = (table: string) =>
    sql`SELECT captions_owed_since AS at FROM ${sql.identifier(table)}
      WHERE captions_owed_since IS NOT NULL AND captions_owed_since > ${ctx.now.getTime() - DAY_MS}`;
  return ctx.db
    .select({ owed: sql<number>`count(*)`.as("owed"), oldest: sql<number | null>`min(at)`.as("oldest") })
    .from(sql`(${since("stream_sessions")} UNION ALL ${since("stream_milestones")} LIMIT ${MOST_COUNTED})`);
}

export function readCaptionVitals({ now }: Context, row: Owed | undefined) {
  const oldest = row?.oldest ? new Date(row.oldest) : null;
  const isLate = oldest !== null && now.getTime() - oldest.getTime() > OVERDUE_MS;
  const owed = row?.owed ?? 0;
  return reading(
    { owed, oldestOwedAt: oldest?.toISOString() ?? null },
    isLate
      ? [
          {
            code: "captions_overdue",
            subject: null,
            detail: `The captions of ${counted(owed, "stream or milestone", "streams or milestones")} are not written, the oldest since ${atMinute(oldest)}.`,
            since: oldest,
          },
        ]
      : [],
  );
}
