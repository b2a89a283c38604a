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

/** A milestone that is already reached is not matched, so that only one of several parallel reports gets the row back. */
export function markReached(ctx: Context, platform: StreamPlatform | null, counts: Counts) {
  const given: [MilestoneMetric, number | undefined][] = [
    ["subscribers", counts.subscribers],
    ["viewers", counts.viewers],
    ["peak_viewers", counts.peakViewers],
  ];
  const reported = given.filter(([, value]) => value !== undefined);
  const conditions = reported.map(([metric, value]) => sql`(metric = ${metric} AND threshold <= ${value})`);
  const values = reported.map(([metric, value]) => sql`WHEN ${metric} THEN ${value}`);
  return ctx.db
    .update(streamMilestones)
    .set({
      reachedAt: ctx.now,
      reachedValue: reported.length > 0 ? sql`CASE metric ${sql.join(values, sql` `)} END` : null,
      platform,
      sessionId: sql`(SELECT id FROM stream_sessions WHERE state = 'live' AND platform = coalesce(${platform}, platform)
        ORDER BY id DESC LIMIT 1)`,
      captionsDueSince: ctx.now,
      version: sql`${streamMilestones.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(sql`reached_at IS NULL AND (${reported.length > 0 ? sql.join(conditions, sql` OR `) : sql`0`})`)
    .returning();
}

export function sortMilestones(rows: readonly MilestoneRow[]): MilestoneRow[] {
  return rows.toSorted((a, b) => a.metric.localeCompare(b.metric) || a.threshold - b.threshold);
}

export function toMilestone({ captionsDueSince, ...shown }: MilestoneRow): Milestone {
  const { label, metric, threshold, reachedAt } = shown;
  return { ...withIsoTimes(shown), label: label ?? milestoneLabel(metric, threshold), reached: reachedAt !== null };
}
