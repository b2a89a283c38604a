import { desc, gt, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { streamMilestones, streamSessions, streamTotals } from "../../db/schema/stream.ts";
import { STREAM_PLATFORMS } from "../../lib/stream-session.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";
import { selectCaptionTotals, toCaptionTotals } from "./captions/service.ts";
import { toSession } from "./record.ts";
import type { StreamStats } from "./schemas.ts";

type Totals = typeof streamTotals.$inferSelect;

/** Reads running totals, so that the cost does not grow with the number of streams. */
export async function readStreamStats(ctx: Context): Promise<StreamStats> {
  const [totals, [best], [milestones], posts] = await ctx.db.batch([
    ctx.db.select().from(streamTotals),
    ctx.db
      .select()
      .from(streamSessions)
      .where(gt(streamSessions.peakViewers, 0))
      .orderBy(desc(streamSessions.peakViewers), desc(streamSessions.id))
      .limit(1),
    ctx.db
      .select({ all: sql<number>`count(*)`, reached: sql<number>`count(${streamMilestones.reachedAt})` })
      .from(streamMilestones),
    selectCaptionTotals(ctx),
  ]);
  const sum = (name: Exclude<keyof Totals, "platform">) => totals.reduce((all, row) => all + row[name], 0);
  const ended = sum("ended");
  const reached = milestones?.reached ?? 0;
  return {
    sessions: { scheduled: sum("scheduled"), live: sum("live"), ended, cancelled: sum("cancelled") },
    hoursStreamed: hours(sum("streamedMs")),
    averageHours: ended > 0 ? hours(sum("streamedMs") / ended) : null,
    averagePeakViewers: ended > 0 ? Math.round((sum("peakSum") / ended) * 10) / 10 : null,
    byPlatform: STREAM_PLATFORMS.map((platform) => {
      const row = totals.find((each) => each.platform === platform);
      return { platform, ended: row?.ended ?? 0, hoursStreamed: hours(row?.streamedMs ?? 0) };
    }),
    best: best ? toSession(best, ctx.now) : null,
    milestones: { reached, ahead: (milestones?.all ?? 0) - reached },
    posts: toCaptionTotals(posts),
  };
}

function hours(milliseconds: number): number {
  return Math.round((milliseconds / HOUR_MS) * 100) / 100;
}
