import { type AnyColumn, and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { purgeExpired } from "../../db/purge.ts";
import { streamChannels, streamReports, streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { announce } from "./automatic-captions.ts";
import { type Counts, reachMilestones, sortMilestones, toMilestone } from "./milestones/reached.ts";
import { toSession } from "./record.ts";
import type { Report, ReportAnswer } from "./schemas.ts";
import { aboutOf, type Decision, decide, type SessionRow } from "./session-change.ts";
import { readCandidates } from "./sessions.ts";

/** Clocks differ; beyond this a time in the future is a mistake. */
const MAX_AHEAD_MS = 5 * MINUTE_MS;
const REPORT_KEPT_DAYS = 30;
/** Each lost race means that another report got through, so this is never met by chance. */
const MAX_ATTEMPTS = 50;

export interface ReportOptions {
  /** Nobody is to be told: it is over already. */
  quiet?: boolean;
}

type DatedReport = Report & { at: Date };

/**
 * Takes a report about a stream. What it does is decided on what is known, and written only if that still
 * holds, in one batch with the report's own id; otherwise it is decided anew.
 */
export async function takeReport(ctx: Context, given: Report, options: ReportOptions = {}): Promise<ReportAnswer> {
  const report = { ...given, at: reportedTime(ctx, given.at) };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { isRepeated, candidates } = await readCandidates(ctx, report);
    if (isRepeated) {
      const session = aboutOf(report, candidates);
      return { ...NOTHING, session: session ? toSession(session, ctx.now) : null };
    }
    const decision = decide(report, candidates);
    const written = await writeReport(ctx, report, decision, options);
    if (written) return finish(ctx, decision, written);
  }
  throw new AppError("unavailable", "Too many reports at once. Send it again.", { retryAfter: 1 });
}

const NOTHING = { applied: false, changed: false, captions: [], milestones: [] };

function reportedTime({ now }: Context, at: Date = now): Date {
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS) {
    throw new AppError("validation_failed", "`at` lies in the future.", {
      errors: [{ path: "at", message: "must not lie in the future" }],
    });
  }
  // A clock that runs ahead must not make later reports look old.
  return at > now ? now : at;
}

/** Null when what was decided on no longer holds, or the same report came in meanwhile: nothing is written then. */
async function writeReport(ctx: Context, report: DatedReport, decision: Decision, options: ReportOptions) {
  try {
    const [, sessions, , milestones] = await ctx.db.batch([
      insertReport(ctx, report, decision),
      sessionStatement(ctx, report, decision, options),
      noteChannel(ctx, report),
      reachMilestones(ctx, report.platform, countsOf(report, decision)),
    ]);
    return { session: sessions[0] ?? sessionOf(decision), milestones: sortMilestones(milestones) };
  } catch (error) {
    if (brokeConstraint(error, "stream_reports.") || brokeConstraint(error, "stream_sessions.")) return null;
    throw error;
  }
}

type Written = NonNullable<Awaited<ReturnType<typeof writeReport>>>;

async function finish(ctx: Context, decision: Decision, { session, milestones }: Written): Promise<ReportAnswer> {
  const changed = decision.kind === "start" || decision.kind === "move";
  const captions = await announce(ctx, changed ? session : null, milestones);
  return {
    applied: decision.kind !== "late",
    changed,
    session: session ? toSession(session, ctx.now) : null,
    captions,
    milestones: milestones.map(toMilestone),
  };
}

function sessionOf(decision: Decision): SessionRow | null {
  return decision.kind === "start" ? null : decision.session;
}

/** Undoes the batch when what was decided on no longer holds. A report without an id cannot be known again: no row is kept. */
function insertReport(ctx: Context, { platform, eventId, at }: DatedReport, decision: Decision) {
  const holds = stillHolds(platform, at, decision);
  const expiresAt = ctx.now.getTime() + REPORT_KEPT_DAYS * DAY_MS;
  const row =
    eventId === undefined
      ? sql`SELECT NULL, '', 0, 0 WHERE NOT (${holds})`
      : sql`SELECT CASE WHEN ${holds} THEN ${platform} END, ${eventId}, ${at.getTime()}, ${expiresAt}`;
  return ctx.db.insert(streamReports).select(row);
}

/** Counts may be noted whatever else is noted meanwhile; a move needs the very version it was decided on. */
function stillHolds(platform: Report["platform"], at: Date, decision: Decision): SQL {
  if (decision.kind === "start") {
    if (decision.to !== "live") return sql`1`;
    return sql`NOT EXISTS (SELECT 1 FROM stream_sessions WHERE platform = ${platform}
      AND state IN ('live', 'ended') AND state_at > ${at.getTime()})`;
  }
  if (decision.session === null || decision.kind === "late") return sql`1`;
  const { id, version, state } = decision.session;
  const condition = decision.kind === "move" ? sql`version = ${version}` : sql`state = ${state}`;
  return sql`EXISTS (SELECT 1 FROM stream_sessions WHERE id = ${id} AND ${condition})`;
}

function sessionStatement(ctx: Context, report: DatedReport, decision: Decision, options: ReportOptions) {
  switch (decision.kind) {
    case "start":
      return insertSession(ctx, report, decision.to, options);
    case "move":
      return moveSession(ctx, report, decision, options);
    case "note":
      return decision.session ? noteSession(ctx, report, decision.session) : noSession(ctx);
    case "late":
      return decision.session ? raisePeak(ctx, report, decision.session) : noSession(ctx);
  }
}

function noSession(ctx: Context) {
  return ctx.db.select().from(streamSessions).where(sql`0`);
}

function insertSession(ctx: Context, report: DatedReport, to: SessionRow["state"], { quiet }: ReportOptions) {
  const { platform, externalId, title, url, thumbnailUrl, scheduledFor, at } = report;
  const isLive = to === "live";
  const viewers = isLive ? (report.viewers ?? 0) : 0;
  return ctx.db
    .insert(streamSessions)
    .values({
      platform,
      externalId,
      title,
      url,
      thumbnailUrl,
      scheduledFor,
      state: to,
      startedAt: isLive ? at : null,
      viewers,
      peakViewers: viewers,
      stateAt: at,
      reportedAt: at,
      captionsOwedSince: isLive && !quiet ? ctx.now : null,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    .returning();
}

function moveSession(
  ctx: Context,
  report: DatedReport,
  { session, to }: Decision & { kind: "move" },
  { quiet }: ReportOptions,
) {
  const { at, viewers = 0 } = report;
  const isAired = to === "live" || to === "ended";
  return ctx.db
    .update(streamSessions)
    .set({
      ...toldFields(report).set,
      state: to,
      stateAt: at,
      reportedAt: latest(streamSessions.reportedAt, at),
      ...(to === "live" && { startedAt: at }),
      ...(to === "ended" && { endedAt: at }),
      viewers: to === "live" ? viewers : 0,
      ...(isAired && { peakViewers: sql`max(${streamSessions.peakViewers}, ${viewers})` }),
      captionsOwedSince: isAired && !quiet ? ctx.now : null,
      version: sql`${streamSessions.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(and(eq(streamSessions.id, session.id), eq(streamSessions.version, session.version)))
    .returning();
}

/** Touches what is newer, and the version only when something that shows has changed. */
function noteSession(ctx: Context, report: DatedReport, session: SessionRow) {
  const { at, viewers } = report;
  const told = toldFields(report, session.state === "live" ? viewers : undefined);
  const peak = session.state === "live" ? (viewers ?? 0) : 0;
  const changes = sql.join([...told.changes, sql`${streamSessions.peakViewers} < ${peak}`], sql` OR `);
  return ctx.db
    .update(streamSessions)
    .set({
      ...told.set,
      peakViewers: sql`max(${streamSessions.peakViewers}, ${peak})`,
      reportedAt: latest(streamSessions.reportedAt, at),
      version: sql`${streamSessions.version} + (${changes})`,
      updatedAt: sql`CASE WHEN ${changes} THEN ${ctx.now.getTime()} ELSE ${streamSessions.updatedAt} END`,
    })
    .where(and(eq(streamSessions.id, session.id), eq(streamSessions.state, session.state)))
    .returning();
}

/** What the report says of a session in words, each taken over unless a newer report has spoken. */
function toldFields({ externalId, title, url, thumbnailUrl, scheduledFor, at }: DatedReport, viewers?: number) {
  const told = { title, url, thumbnailUrl, scheduledFor: scheduledFor?.getTime(), viewers };
  const set: Partial<Record<keyof typeof told | "externalId", SQL>> = {};
  const changes: SQL[] = [];
  const isNewer = sql`${at.getTime()} >= ${streamSessions.reportedAt}`;
  for (const name of ["title", "url", "thumbnailUrl", "scheduledFor", "viewers"] as const) {
    const value = told[name];
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

/** A late report says nothing of now, but what it counted was so. */
function raisePeak(ctx: Context, report: DatedReport, session: SessionRow) {
  const peak = countsOf(report, { kind: "late", session }).peakViewers ?? 0;
  return ctx.db
    .update(streamSessions)
    .set({ peakViewers: peak, version: sql`${streamSessions.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(streamSessions.id, session.id), sql`${streamSessions.peakViewers} < ${peak}`))
    .returning();
}

function latest(column: AnyColumn, at: Date): SQL {
  return sql`max(${column}, ${at.getTime()})`;
}

function noteChannel(ctx: Context, { platform, subscribers, at }: DatedReport) {
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

/** Which of the report's counts are those of a stream that is or was on. */
function countsOf({ subscribers, viewers, at }: DatedReport, decision: Decision): Counts {
  switch (decision.kind) {
    case "start":
      return { subscribers, ...(decision.to === "live" && { viewers, peakViewers: viewers }) };
    case "move":
      return { subscribers, ...(decision.to !== "cancelled" && { viewers, peakViewers: viewers }) };
    case "note":
      return { subscribers, ...(decision.session?.state === "live" && { viewers, peakViewers: viewers }) };
    case "late": {
      const startedAt = decision.session?.startedAt;
      return { subscribers, ...(startedAt && at >= startedAt && { peakViewers: viewers }) };
    }
  }
}

/** For the cron. */
export function purgeStreamReports({ db, now }: Context): Promise<number> {
  return purgeExpired(db, now, [streamReports]);
}
