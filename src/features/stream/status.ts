import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { compiledBatch } from "../../db/compiled-query.ts";
import { streamChannels, streamSessions } from "../../db/schema/stream.ts";
import { assertType } from "../../lib/cast.ts";
import { STREAM_PLATFORMS, type StreamPlatform } from "../../lib/stream-session.ts";
import type { SessionRow } from "./decide.ts";
import { toSession } from "./record.ts";
import type { StreamStatus } from "./schemas.ts";
import { bySchedule } from "./sessions.ts";

/** What is on, or comes next, on one platform or on all. */
export async function readStatus(ctx: Context, platform?: StreamPlatform): Promise<StreamStatus> {
  const { sessions, channels } = await selectStatus(ctx.db, {}, platform);
  const session = currentOf(sessions);
  const live = session?.state === "live" ? session : undefined;
  const checked = channels.filter(({ lastCheckedAt }) => lastCheckedAt).sort(byLast("lastCheckedAt"))[0];
  const reported = channels.filter(({ lastReportAt }) => lastReportAt).sort(byLast("lastReportAt"))[0];
  return {
    state: stateOf(session),
    session: session ? toSession(session, ctx.now) : null,
    subscribers: mostSubscribers(channels),
    viewers: live?.viewers ?? 0,
    peakViewers: live?.peakViewers ?? 0,
    lastReportAt: reported?.lastReportAt?.toISOString() ?? null,
    lastCheckedAt: checked?.lastCheckedAt?.toISOString() ?? null,
    checkProblem: assertType<StreamStatus["checkProblem"]>(checked?.checkProblem ?? null),
  };
}

const selectStatus = compiledBatch((ctx, platform) => {
  const asked = STREAM_PLATFORMS.find((one) => one === platform);
  return {
    sessions: selectCurrentSessions(ctx, asked ? [asked] : STREAM_PLATFORMS),
    channels: ctx.db
      .select()
      .from(streamChannels)
      .where(asked && eq(streamChannels.platform, asked)),
  };
});

export type ChannelRow = typeof streamChannels.$inferSelect;

function byLast(name: "lastCheckedAt" | "lastReportAt") {
  return (a: ChannelRow, b: ChannelRow) => (b[name]?.getTime() ?? 0) - (a[name]?.getTime() ?? 0);
}

/** As milestones count it: no two platforms' subscribers are added up, they may be the same people. */
export function mostSubscribers(channels: readonly Pick<ChannelRow, "subscribers">[]): number | null {
  const known = channels.flatMap(({ subscribers }) => subscribers ?? []);
  return known.length > 0 ? Math.max(...known) : null;
}

/** The live session and the next plan of each platform, one row at the end of an index each. */
function selectCurrentSessions(ctx: Pick<Context, "db">, platforms: readonly StreamPlatform[]) {
  const ids = platforms.flatMap((platform): SQL[] => [
    sql`(SELECT id FROM stream_sessions WHERE platform = ${platform} AND state = 'live')`,
    sql`(SELECT id FROM stream_sessions WHERE platform = ${platform} AND state = 'scheduled'
      ORDER BY scheduled_for, id LIMIT 1)`,
  ]);
  return ctx.db
    .select()
    .from(streamSessions)
    .where(sql`${streamSessions.id} IN (${sql.join(ids, sql`, `)})`);
}

/** Of several that are live the one that began last; of plans the one that comes first. */
function currentOf(rows: readonly SessionRow[]): SessionRow | undefined {
  const live = rows
    .filter(({ state }) => state === "live")
    .sort((a, b) => (b.startedAt?.getTime() ?? 0) - (a.startedAt?.getTime() ?? 0));
  return live[0] ?? rows.filter(({ state }) => state === "scheduled").sort(bySchedule)[0];
}

function stateOf(session: Pick<SessionRow, "state"> | undefined): StreamStatus["state"] {
  return session?.state === "live" || session?.state === "scheduled" ? session.state : "offline";
}

/** For the dashboard's batch: the state alone. */
export function selectStreamState(ctx: Pick<Context, "db">) {
  return (
    ctx.db
      .select({ state: streamSessions.state })
      .from(streamSessions)
      .where(sql`state IN ('live', 'scheduled')`)
      // In the alphabet, too, live comes first.
      .orderBy(streamSessions.state)
      .limit(1)
  );
}

export function toStreamState(rows: readonly Pick<SessionRow, "state">[]): StreamStatus["state"] {
  return stateOf(rows[0]);
}
