import { and, eq, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { listPage, type Page } from "../../db/page.ts";
import { streamReports, streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { toSession } from "./record.ts";
import type { Report, SessionQuery, StreamSession } from "./schemas.ts";
import type { Candidates, SessionRow } from "./session-change.ts";

/** A scheduled stream that has not started by then is cancelled. */
const OVERDUE_MS = 2 * DAY_MS;

export function listSessions(ctx: Context, query: SessionQuery): Promise<Page<StreamSession>> {
  const where = and(oneOf(streamSessions.platform, query.platform), oneOf(streamSessions.state, query.state));
  const paged = { list: "stream sessions", table: streamSessions, by: ["id"], order: "desc", where } as const;
  return listPage(ctx, query, paged, (row) => toSession(row, ctx.now));
}

// With `=` SQLite also takes the order from the index; with IN it sorts.
function oneOf<Column extends typeof streamSessions.platform | typeof streamSessions.state>(
  column: Column,
  values: readonly Column["_"]["data"][] | undefined,
): SQL | undefined {
  const [only, ...others] = values ?? [];
  if (values === undefined || only === undefined) return undefined;
  return others.length === 0 ? eq(column, only) : inArray(column, [...values]);
}

export async function getSession(ctx: Context, id: number): Promise<StreamSession> {
  const [session] = await loadSessions(ctx, [id]);
  if (!session) throw new AppError("not_found", `There is no stream session ${id}.`);
  return session;
}

export async function loadSessions(ctx: Context, ids: readonly number[]): Promise<StreamSession[]> {
  const rows = await ctx.db.select().from(streamSessions).where(isOneOf(streamSessions.id, ids));
  return rows.map((row) => toSession(row, ctx.now));
}

/** Everything that decides what a report changes, in one round trip. */
export async function readCandidates(
  ctx: Context,
  { platform, externalId, eventId }: Report,
): Promise<{ isRepeated: boolean; candidates: Candidates }> {
  const first = (condition: SQL, order: SQL) =>
    sql`(SELECT id FROM stream_sessions WHERE platform = ${platform} AND ${condition} ORDER BY ${order} LIMIT 1)`;
  const ids = [
    first(sql`external_id = ${externalId ?? null}`, sql`id`),
    first(sql`state = 'live'`, sql`id`),
    first(sql`state = 'scheduled'`, sql`scheduled_for, id`),
    first(sql`state = 'scheduled' AND external_id IS NULL`, sql`id`),
    first(sql`state IN ('ended', 'cancelled')`, sql`state_at DESC`),
    first(sql`state IN ('live', 'ended')`, sql`state_at DESC`),
  ];
  const [reports, rows] = await ctx.db.batch([
    ctx.db
      .select({ eventId: streamReports.eventId })
      .from(streamReports)
      .where(and(eq(streamReports.platform, platform), eq(streamReports.eventId, eventId ?? ""))),
    ctx.db
      .select()
      .from(streamSessions)
      .where(sql`${streamSessions.id} IN (${sql.join(ids, sql`, `)})`),
  ]);
  return { isRepeated: reports.length > 0, candidates: toCandidates(rows, externalId) };
}

function toCandidates(rows: readonly SessionRow[], externalId: string | undefined): Candidates {
  const scheduled = rows.filter(({ state }) => state === "scheduled").toSorted(bySchedule);
  return {
    named: externalId === undefined ? undefined : rows.find((row) => row.externalId === externalId),
    live: rows.find(({ state }) => state === "live"),
    nextScheduled: scheduled[0],
    unnamedScheduled: scheduled.find((row) => row.externalId === null),
    lastFinished: lastMoved(rows.filter(({ state }) => state === "ended" || state === "cancelled")),
    lastAired: lastMoved(rows.filter(({ state }) => state === "live" || state === "ended")),
  };
}

/** Sessions without a time come first, as SQLite sorts NULL. */
function bySchedule(a: SessionRow, b: SessionRow): number {
  return (a.scheduledFor?.getTime() ?? 0) - (b.scheduledFor?.getTime() ?? 0) || a.id - b.id;
}

function lastMoved(rows: readonly SessionRow[]): SessionRow | undefined {
  return rows.toSorted((a, b) => b.stateAt.getTime() - a.stateAt.getTime())[0];
}

/** For the cron. */
export async function cancelOverdueSessions(ctx: Context): Promise<number> {
  const overdue = new Date(ctx.now.getTime() - OVERDUE_MS);
  const cancelled = await ctx.db
    .update(streamSessions)
    .set({ state: "cancelled", stateAt: ctx.now, version: sql`${streamSessions.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(streamSessions.state, "scheduled"),
        lt(sql`coalesce(${streamSessions.scheduledFor}, ${streamSessions.updatedAt})`, overdue.getTime()),
      ),
    )
    .returning({ id: streamSessions.id });
  return cancelled.length;
}
