import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamMilestones } from "../../../db/schema/stream.ts";
import { withIsoTimes } from "../../../lib/iso-times.ts";
import { milestoneLabel } from "../../../lib/milestone-card.ts";
import type { MilestoneMetric, StreamPlatform } from "../../../lib/stream-session.ts";
import type { Milestone } from "./schemas.ts";

export type MilestoneRow = typeof streamMilestones.$inferSelect;

/** Numbers of subscribers. The migration inserts the same milestones. */
export const FIRST_MILESTONES = [100, 500, 1000, 5000, 10_000, 50_000];

export interface Counts {
  subscribers?: number;
  viewers?: number;
  peakViewers?: number;
}

/**
 * A milestone that is already reached is not matched, so that only one of several parallel reports gets the row back.
 * The first subscriber count of a channel is its baseline: what it has passed was reached before the service knew the
 * channel. Such a milestone is marked, but neither celebrated nor an event. Must run before the channel's new count is
 * stored.
 */
export function markReached(ctx: Context, platform: StreamPlatform | null, counts: Counts) {
  const given: [MilestoneMetric, number | undefined][] = [
    ["subscribers", counts.subscribers],
    ["viewers", counts.viewers],
    ["peak_viewers", counts.peakViewers],
  ];
  const reported = given.filter(([, value]) => value !== undefined);
  const conditions = reported.map(([metric, value]) => sql`(metric = ${metric} AND threshold <= ${value})`);
  const values = reported.map(([metric, value]) => sql`WHEN ${metric} THEN ${value}`);
  const isBaseline = platform
    ? sql`(metric = 'subscribers' AND NOT EXISTS (
        SELECT 1 FROM stream_channels WHERE stream_channels.platform = ${platform} AND subscribers IS NOT NULL))`
    : sql`0`;
  return ctx.db
    .update(streamMilestones)
    .set({
      reachedAt: ctx.now,
      reachedValue: reported.length > 0 ? sql`CASE metric ${sql.join(values, sql` `)} END` : null,
      passedBefore: isBaseline,
      platform,
      sessionId: sql`(SELECT id FROM stream_sessions WHERE state = 'live' AND platform = coalesce(${platform}, platform)
        AND NOT ${isBaseline} ORDER BY id DESC LIMIT 1)`,
      captionsDueSince: sql`iif(${isBaseline}, NULL, ${ctx.now.getTime()})`,
      version: sql`${streamMilestones.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(sql`reached_at IS NULL AND (${reported.length > 0 ? sql.join(conditions, sql` OR `) : sql`0`})`)
    .returning();
}

/** The milestones to celebrate, the smallest of a metric first. */
export function celebrated(rows: readonly MilestoneRow[]): MilestoneRow[] {
  return rows
    .filter(({ passedBefore }) => !passedBefore)
    .toSorted((a, b) => a.metric.localeCompare(b.metric) || a.threshold - b.threshold);
}

/** When a milestone was passed before the service knew it, nobody knows when. */
export function toMilestone({ captionsDueSince, ...row }: MilestoneRow): Milestone {
  const { label, metric, threshold, passedBefore } = row;
  const shown = { ...row, reachedAt: passedBefore ? null : row.reachedAt };
  return { ...withIsoTimes(shown), label: label ?? milestoneLabel(metric, threshold), reached: row.reachedAt !== null };
}
