import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../db/assert.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { purgeExpired } from "../../db/purge.ts";
import { streamChannels, streamReports, streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { writeAutomaticCaptions } from "./automatic-captions.ts";
import { type Counts, celebrated, markReached, toMilestone } from "./milestones/reached.ts";
import { toSession } from "./record.ts";
import type { Report, ReportResult } from "./schemas.ts";
import { planSessionChange, type SessionChange, type SessionRow, sessionOfRepeated } from "./session-change.ts";
import { readCandidates } from "./sessions.ts";

/** Tolerates clocks that run ahead. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;
const REPORT_KEPT_DAYS = 30;
/** Each lost race means that another report was stored, so this many in a row do not happen by chance. */
const MAX_ATTEMPTS = 50;

export interface ReportOptions {
  /** Writes no captions, for a stream that is already over. */
  withoutCaptions?: boolean;
}

type DatedReport = Report & { at: Date };

/**
 * Plans the change on the sessions as read and writes it, with the report's id, only if they are still the same;
 * otherwise it plans again.
 */
export async function applyReport(ctx: Context, given: Report, options: ReportOptions = {}): Promise<ReportResult> {
  const report = { ...given, at: reportedTime(ctx, given.at) };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { isRepeated, candidates } = await readCandidates(ctx, report);
    if (isRepeated) {
      const session = sessionOfRepeated(report, candidates);
      return { ...NOTHING, session: session ? toSession(session, ctx.now) : null };
    }
    const change = planSessionChange(report, candidates);
    const written = await writeReport(ctx, report, change, options);
    if (written) return finish(ctx, change, written);
  }
  throw new AppError("unavailable", "Too many reports arrived at once. Send this one again.", { retryAfter: 1 });
}

const NOTHING = { applied: false, changed: false, captions: [], milestones: [] };

function reportedTime({ now }: Context, at: Date = now): Date {
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS) {
    const errors = [{ path: "at", message: "must not be in the future" }];
    throw new AppError("validation_failed", "`at` is in the future.", { errors });
  }
  // A clock that runs ahead must not make later reports look old.
  return at > now ? now : at;
}

/** Null if the sessions have changed or the same report was stored meanwhile: then nothing is written. */
async function writeReport(ctx: Context, report: DatedReport, change: SessionChange, options: ReportOptions) {
  try {
    const [, sessions, milestones] = await runBatch(ctx.db, [
      assertThat(ctx.db, "sessions_unchanged", stillHolds(report.platform, report.at, change)),
      sessionStatement(ctx, report, change, options),
      // Before the channel's count is stored: whether this is its first one decides what is celebrated.
      markReached(ctx, report.platform, countsOf(report, change)),
      upsertChannel(ctx, report),
      // A report without an id cannot be recognized when it is repeated, so nothing is stored of it.
      ...(report.eventId === undefined ? [] : [insertReport(ctx, report, report.eventId)]),
    ] as const);
    return { session: sessions[0] ?? sessionOf(change), milestones: celebrated(milestones) };
  } catch (error) {
    const isLostRace =
      error instanceof AssertionFailed ||
      brokeConstraint(error, "stream_reports.") ||
      brokeConstraint(error, "stream_sessions.");
    if (isLostRace) return null;
    throw error;
  }
}

type Written = NonNullable<Awaited<ReturnType<typeof writeReport>>>;

async function finish(ctx: Context, change: SessionChange, { session, milestones }: Written): Promise<ReportResult> {
  const changed = change.kind === "start" || change.kind === "move";
  const captions = await writeAutomaticCaptions(ctx, changed ? session : null, milestones, session);
  return {
    applied: change.kind !== "stale",
    changed,
    session: session ? toSession(session, ctx.now) : null,
    captions,
    milestones: milestones.map(toMilestone),
  };
}

function sessionOf(change: SessionChange): SessionRow | null {
  return change.kind === "start" ? null : change.session;
}

function insertReport(ctx: Context, { platform, at }: DatedReport, eventId: string) {
  const expiresAt = new Date(ctx.now.getTime() + REPORT_KEPT_DAYS * DAY_MS);
  return ctx.db.insert(streamReports).values({ platform, eventId, at, expiresAt });
}

/** An update needs the session in the same state, a move needs the same version. */
function stillHolds(platform: Report["platform"], at: Date, change: SessionChange): SQL {
  if (change.kind === "start") {
    if (change.to !== "live") return sql`1`;
    return sql`NOT EXISTS (SELECT 1 FROM stream_sessions WHERE platform = ${platform}
      AND state IN ('live', 'ended') AND state_at > ${at.getTime()})`;
  }
  if (change.session === null || change.kind === "stale") return sql`1`;
  const { id, version, state } = change.session;
  const condition = change.kind === "move" ? sql`version = ${version}` : sql`state = ${state}`;
  return sql`EXISTS (SELECT 1 FROM stream_sessions WHERE id = ${id} AND ${condition})`;
}

function sessionStatement(ctx: Context, report: DatedReport, change: SessionChange, options: ReportOptions) {
  switch (change.kind) {
    case "start":
      return insertSession(ctx, report, change.to, options);
    case "move":
      return moveSession(ctx, report, change, options);
    case "update":
      return change.session ? updateSession(ctx, report, change.session) : noSession(ctx);
    case "stale":
      return change.session ? raisePeak(ctx, report, change.session) : noSession(ctx);
  }
}

function noSession(ctx: Context) {
  return ctx.db.select().from(streamSessions).where(sql`0`);
}

function insertSession(ctx: Context, report: DatedReport, to: SessionRow["state"], { withoutCaptions }: ReportOptions) {
  const { eventId, subscribers, at, ...reported } = report;
  const isLive = to === "live";
  const viewers = isLive ? (report.viewers ?? 0) : 0;
  return ctx.db
    .insert(streamSessions)
    .values({
      ...reported,
      state: to,
      startedAt: isLive ? at : null,
      viewers,
      peakViewers: viewers,
      stateAt: at,
      reportedAt: at,
      captionsDueSince: isLive && !withoutCaptions ? ctx.now : null,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
}

function moveSession(
  ctx: Context,
  report: DatedReport,
  { session, to }: SessionChange & { kind: "move" },
  { withoutCaptions }: ReportOptions,
) {
  const { at, viewers = 0 } = report;
  const isAired = to === "live" || to === "ended";
  return ctx.db
    .update(streamSessions)
    .set({
      ...reportedFields(report).set,
      state: to,
      stateAt: at,
      reportedAt: latestReport(at),
      ...(to === "live" && { startedAt: at }),
      ...(to === "ended" && { endedAt: at }),
      viewers: to === "live" ? viewers : 0,
      ...(isAired && { peakViewers: sql`max(${streamSessions.peakViewers}, ${viewers})` }),
      captionsDueSince: isAired && !withoutCaptions ? ctx.now : null,
      version: sql`${streamSessions.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(and(eq(streamSessions.id, session.id), eq(streamSessions.version, session.version)))
    .returning();
}

/** The version increases only if a visible field changes. */
function updateSession(ctx: Context, report: DatedReport, session: SessionRow) {
  const { at, viewers } = report;
  const reported = reportedFields(report, session.state === "live" ? viewers : undefined);
  const peak = session.state === "live" ? (viewers ?? 0) : 0;
  const changes = sql.join([...reported.changes, sql`${streamSessions.peakViewers} < ${peak}`], sql` OR `);
  return ctx.db
    .update(streamSessions)
    .set({
      ...reported.set,
      peakViewers: sql`max(${streamSessions.peakViewers}, ${peak})`,
      reportedAt: latestReport(at),
      version: sql`${streamSessions.version} + (${changes})`,
      updatedAt: sql`CASE WHEN ${changes} THEN ${ctx.now.getTime()} ELSE ${streamSessions.updatedAt} END`,
    })
    .where(and(eq(streamSessions.id, session.id), eq(streamSessions.state, session.state)))
    .returning();
}

/** The SQL that sets each reported field unless a newer report has set it, and that tells whether it changes. */
function reportedFields({ externalId, title, url, thumbnailUrl, scheduledFor, at }: DatedReport, viewers?: number) {
  const fields = { title, url, thumbnailUrl, scheduledFor: scheduledFor?.getTime(), viewers };
  const set: Partial<Record<keyof typeof fields | "externalId", SQL>> = {};
  const changes: SQL[] = [];
  const isNewer = sql`${at.getTime()} >= ${streamSessions.reportedAt}`;
  for (const name of ["title", "url", "thumbnailUrl", "scheduledFor", "viewers"] as const) {
    const value = fields[name];
    if (value === undefined) continue;
    const column = streamSessions[name];
    set[name] = sql`CASE WHEN ${isNewer} THEN ${value} ELSE ${column} END`;
    changes.push(sql`(${isNewer} AND ${column} IS NOT ${value})`);
  }
  if (externalId !== undefined) {
    set.externalId = sql`coalesce(${streamSessions.externalId}, ${externalId})`;
    changes.push(sql`${streamSessions.externalId} IS NULL`);
  }
  return { set, changes };
}

/** A stale report says nothing about now, but its viewer count was true at its time. */
function raisePeak(ctx: Context, report: DatedReport, session: SessionRow) {
  const peak = countsOf(report, { kind: "stale", session }).peakViewers ?? 0;
  return ctx.db
    .update(streamSessions)
    .set({ peakViewers: peak, version: sql`${streamSessions.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(streamSessions.id, session.id), sql`${streamSessions.peakViewers} < ${peak}`))
    .returning();
}

function latestReport(at: Date): SQL {
  return sql`max(${streamSessions.reportedAt}, ${at.getTime()})`;
}

function upsertChannel(ctx: Context, { platform, subscribers, at }: DatedReport) {
  const isNewer = sql`excluded.subscribers IS NOT NULL AND excluded.subscribers_at >= coalesce(subscribers_at, 0)`;
  return ctx.db
    .insert(streamChannels)
    .values({ platform, subscribers, subscribersAt: subscribers === undefined ? null : at, lastReportAt: ctx.now })
    .onConflictDoUpdate({
      target: streamChannels.platform,
      set: {
        subscribers: sql`CASE WHEN ${isNewer} THEN excluded.subscribers ELSE subscribers END`,
        subscribersAt: sql`CASE WHEN ${isNewer} THEN excluded.subscribers_at ELSE subscribers_at END`,
        lastReportAt: sql`max(coalesce(last_report_at, 0), excluded.last_report_at)`,
      },
    });
}

/** The reported counts that belong to a stream that is or was live. */
function countsOf({ subscribers, viewers, at }: DatedReport, change: SessionChange): Counts {
  switch (change.kind) {
    case "start":
      return { subscribers, ...(change.to === "live" && { viewers, peakViewers: viewers }) };
    case "move":
      return { subscribers, ...(change.to !== "cancelled" && { viewers, peakViewers: viewers }) };
    case "update":
      return { subscribers, ...(change.session?.state === "live" && { viewers, peakViewers: viewers }) };
    case "stale": {
      const startedAt = change.session?.startedAt;
      return { subscribers, ...(startedAt && at >= startedAt && { peakViewers: viewers }) };
    }
  }
}

/** For the cron. */
export function purgeStreamReports(ctx: Context): Promise<number> {
  return purgeExpired(ctx, [streamReports]);
}
