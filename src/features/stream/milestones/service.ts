import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isOneOf } from "../../../db/bulk.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { listPage, type Page } from "../../../db/page.ts";
import { streamChannels, streamMilestones, streamSessions } from "../../../db/schema/stream.ts";
import { deleteVersion, type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import { drawMilestoneCard } from "../../../lib/milestone-card.ts";
import type { MilestoneMetric } from "../../../lib/stream-session.ts";
import { writeAutomaticCaptions } from "../automatic-captions.ts";
import { type Counts, celebrated, type MilestoneRow, markReached, toMilestone } from "./reached.ts";
import type { Milestone, MilestoneChanges, MilestoneCheck, MilestoneQuery, NewMilestone } from "./schemas.ts";

export function listMilestones(ctx: Context, query: MilestoneQuery): Promise<Page<Milestone>> {
  const { metric, reached } = query;
  const where = and(
    metric && inArray(streamMilestones.metric, metric),
    reached === undefined ? undefined : (reached ? isNotNull : isNull)(streamMilestones.reachedAt),
  );
  const paged = { list: "milestones", table: streamMilestones, by: ["metric", "threshold"], where } as const;
  return listPage(ctx, query, paged, toMilestone);
}

export async function createMilestone(ctx: Context, input: NewMilestone): Promise<Milestone> {
  const { metric, threshold } = input;
  const milestone = { ...input, version: 1, createdAt: ctx.now, updatedAt: ctx.now };
  const passed = passedBefore(ctx, sql`${metric}`, sql`${threshold}`);
  const [row] = await refusingDuplicate(
    ctx.db
      .insert(streamMilestones)
      .values({ ...milestone, ...passed })
      .returning(),
  );
  if (!row) throw new Error("the insert returned no row");
  return toMilestone(row);
}

/** A milestone that is set at or below the present count was passed before: it is not celebrated later. */
function passedBefore(ctx: Context, metric: SQL, threshold: SQL) {
  const count = sql`CASE ${metric}
    WHEN 'subscribers' THEN (SELECT max(subscribers) FROM stream_channels)
    WHEN 'viewers' THEN (SELECT max(viewers) FROM stream_sessions WHERE state = 'live')
    ELSE (SELECT max(peak_viewers) FROM stream_sessions) END`;
  const isPassed = sql`coalesce(${threshold} <= (${count}), 0)`;
  return {
    reachedAt: sql`CASE WHEN ${isPassed} THEN ${ctx.now.getTime()} END`,
    reachedValue: sql`CASE WHEN ${isPassed} THEN (${count}) END`,
    passedBefore: isPassed,
  };
}

async function refusingDuplicate<Result>(work: PromiseLike<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (brokeConstraint(error, "stream_milestones.")) throw new AppError("milestone_exists");
    throw error;
  }
}

export async function getMilestone(ctx: Context, id: number): Promise<Milestone> {
  const [milestone] = await loadMilestones(ctx, [id]);
  if (!milestone) throw missedWrite(undefined, `milestone ${id}`);
  return milestone;
}

/** Ids that do not exist are left out. */
export async function loadMilestones(ctx: Context, ids: readonly number[]): Promise<Milestone[]> {
  const rows = await ctx.db.select().from(streamMilestones).where(isOneOf(streamMilestones.id, ids));
  return rows.map(toMilestone);
}

/** Once reached, only the label can change. */
export async function updateMilestone(
  ctx: Context,
  id: number,
  changes: MilestoneChanges,
  expected: ExpectedVersions,
): Promise<Milestone> {
  const { metric, threshold, label } = changes;
  if (metric === undefined && threshold === undefined && label === undefined) throw new AppError("nothing_to_update");
  const isMoved = metric !== undefined || threshold !== undefined;
  const passed =
    isMoved &&
    passedBefore(
      ctx,
      metric === undefined ? sql`metric` : sql`${metric}`,
      threshold === undefined ? sql`threshold` : sql`${threshold}`,
    );
  const [[row], [current]] = await refusingDuplicate(
    ctx.db.batch([
      ctx.db
        .update(streamMilestones)
        .set({ metric, threshold, label, ...passed, version: sql`${streamMilestones.version} + 1`, updatedAt: ctx.now })
        .where(
          and(
            eq(streamMilestones.id, id),
            versionIs(streamMilestones.version, expected),
            isMoved ? isNull(streamMilestones.reachedAt) : undefined,
          ),
        )
        .returning(),
      ctx.db.select().from(streamMilestones).where(eq(streamMilestones.id, id)),
    ]),
  );
  if (row) return toMilestone(row);
  if (current && isMoved && current.reachedAt && (!expected || expected.includes(current.version))) {
    throw new AppError("milestone_reached", `Milestone ${id} is already reached. Only its label can change.`);
  }
  throw missedWrite(current, `milestone ${id}`);
}

export function deleteMilestone({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, streamMilestones, id, expected, `milestone ${id}`);
}

/** Makes sure that no report was missed. */
export async function checkMilestones(ctx: Context): Promise<MilestoneCheck> {
  const { subscribers, viewers, peakViewers } = toCounts(...(await ctx.db.batch(selectCounts(ctx))));
  const counts: Counts = { subscribers: subscribers ?? undefined, viewers, peakViewers };
  const reached = celebrated(await markReached(ctx, null, counts));
  const captions = await writeAutomaticCaptions(ctx, null, reached);
  return { counts: { subscribers, viewers, peakViewers }, milestones: reached.map(toMilestone), captions };
}

function selectCounts(ctx: Context) {
  return [
    ctx.db.select().from(streamChannels),
    ctx.db
      .select({ viewers: sql<number | null>`max(${streamSessions.viewers})` })
      .from(streamSessions)
      .where(eq(streamSessions.state, "live")),
    ctx.db
      .select({ peakViewers: streamSessions.peakViewers })
      .from(streamSessions)
      .orderBy(desc(streamSessions.peakViewers))
      .limit(1),
  ] as const;
}

type ChannelRow = typeof streamChannels.$inferSelect;

function toCounts(
  channels: readonly ChannelRow[],
  [live]: readonly { viewers: number | null }[],
  [best]: readonly { peakViewers: number }[],
) {
  const counts = channels.flatMap(({ subscribers }) => subscribers ?? []);
  return {
    // Not added up, as in the status: the same people may follow several channels.
    subscribers: counts.length > 0 ? Math.max(...counts) : null,
    viewers: live?.viewers ?? 0,
    peakViewers: best?.peakViewers ?? 0,
  };
}

/** Until the milestone is reached, the card shows the progress. */
export async function drawCard(ctx: Context, id: number): Promise<string> {
  const [[row], channels, live, best] = await ctx.db.batch([
    ctx.db.select().from(streamMilestones).where(eq(streamMilestones.id, id)),
    ...selectCounts(ctx),
  ]);
  if (!row) throw missedWrite(undefined, `milestone ${id}`);
  const { metric, threshold, label, reachedAt, passedBefore } = row;
  const isReached = reachedAt !== null;
  const current = isReached ? null : currentOf(metric, toCounts(channels, live, best));
  const channel = channelOf(row, channels);
  const card = { metric, threshold, label, current, channel, seed: id };
  return drawMilestoneCard({ ...card, isReached, reachedAt: passedBefore ? null : reachedAt });
}

function currentOf(metric: MilestoneMetric, counts: ReturnType<typeof toCounts>): number | null {
  if (metric === "subscribers") return counts.subscribers;
  return metric === "viewers" ? counts.viewers : counts.peakViewers;
}

function channelOf({ platform }: MilestoneRow, channels: readonly ChannelRow[]) {
  const named = channels.filter(({ title }) => title !== null);
  return (named.find((channel) => channel.platform === platform) ?? named[0])?.title ?? null;
}
