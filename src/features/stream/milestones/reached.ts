import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamMilestones } from "../../../db/schema/stream.ts";
import { milestoneLabel } from "../../../lib/milestone-card.ts";
import type { MilestoneMetric, StreamPlatform } from "../../../lib/stream-session.ts";
import type { Milestone } from "./schemas.ts";

export type MilestoneRow = typeof streamMilestones.$inferSelect;

/** Subscribers; the migration sets them, too. */
export const FIRST_MILESTONES = [100, 500, 1000, 5000, 10_000, 50_000];

export interface Counts {
  subscribers?: number;
  viewers?: number;
  peakViewers?: number;
}

/**
 * The statement that reaches every milestone these counts have come to. A row that is reached is met by no
 * later one, so of any number at the same time exactly one gets it back.
 */
export function reachMilestones(ctx: Context, platform: StreamPlatform | null, counts: Counts) {
  const given: [MilestoneMetric, number | undefined][] = [
    ["subscribers", counts.subscribers],
    ["viewers", counts.viewers],
    ["peak_viewers", counts.peakViewers],
  ];
  const met = given.filter(([, value]) => value !== undefined);
  const conditions = met.map(([metric, value]) => sql`(metric = ${metric} AND threshold <= ${value})`);
  const values = met.map(([metric, value]) => sql`WHEN ${metric} THEN ${value}`);
  return ctx.db
    .update(streamMilestones)
    .set({
      reachedAt: ctx.now,
      reachedValue: met.length > 0 ? sql`CASE metric ${sql.join(values, sql` `)} END` : null,
      platform,
      sessionId: sql`(SELECT id FROM stream_sessions WHERE state = 'live' AND platform = coalesce(${platform}, platform)
        ORDER BY id DESC LIMIT 1)`,
      captionsOwedSince: ctx.now,
      version: sql`${streamMilestones.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(sql`reached_at IS NULL AND (${met.length > 0 ? sql.join(conditions, sql` OR `) : sql`0`})`)
    .returning();
}

/** The smallest first, as they were passed. */
export function sortMilestones(rows: readonly MilestoneRow[]): MilestoneRow[] {
  return rows.toSorted((a, b) => a.metric.localeCompare(b.metric) || a.threshold - b.threshold);
}

export function toMilestone(row: MilestoneRow): Milestone {
  return {
    id: row.id,
    metric: row.metric,
    threshold: row.threshold,
    label: row.label ?? milestoneLabel(row.metric, row.threshold),
    reached: row.reachedAt !== null,
    reachedAt: row.reachedAt?.toISOString() ?? null,
    reachedValue: row.reachedValue,
    platform: row.platform,
    sessionId: row.sessionId,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
