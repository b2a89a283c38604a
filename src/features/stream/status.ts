import { and, desc, eq, getTableColumns, isNotNull, max, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { compiledQuery } from "../../db/compiled-query.ts";
import { streamChannels, streamSessions } from "../../db/schema/stream.ts";
import { assertType } from "../../lib/cast.ts";
import type { StreamPlatform } from "../../lib/stream-session.ts";
import { toSession } from "./record.ts";
import type { StreamStatus } from "./schemas.ts";
import type { SessionRow } from "./session-change.ts";

export async function readStatus(ctx: Context, platform?: StreamPlatform): Promise<StreamStatus> {
  const [row] = await selectStatus(ctx.db, platform ?? "", (source) => buildStatus(source, platform), {});
  const { subscribers = null, lastReportAt, lastCheckedAt, checkProblem = null, ...current } = row ?? { id: null };
  const session = current.id ? assertType<SessionRow>(current) : undefined;
  const live = session?.state === "live" ? session : undefined;
  return {
    state: stateOf(session),
    session: session ? toSession(session, ctx.now) : null,
    subscribers,
    viewers: live?.viewers ?? 0,
    peakViewers: live?.peakViewers ?? 0,
    lastReportAt: lastReportAt?.toISOString() ?? null,
    lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
    checkProblem: assertType<StreamStatus["checkProblem"]>(checkProblem),
  };
}

type ChannelState = Pick<
  typeof streamChannels.$inferSelect,
  "subscribers" | "lastReportAt" | "lastCheckedAt" | "checkProblem"
>;

const selectStatus = compiledQuery<ChannelState & (SessionRow | { id: null })>();

/** Always one row: the channels and, if there is one, the current session. */
function buildStatus({ db }: Pick<Context, "db">, platform?: StreamPlatform) {
  const { subscribers, lastReportAt, lastCheckedAt, checkProblem } = streamChannels;
  const asked = platform && eq(streamChannels.platform, platform);
  const lastCheck = db
    .select({ checkProblem })
    .from(streamChannels)
    .where(and(asked, isNotNull(lastCheckedAt)))
    .orderBy(desc(lastCheckedAt))
    .limit(1);
  const channels = db
    .select({
      // Not added up: the same people may follow several channels.
      subscribers: max(subscribers).as("subscribers"),
      lastReportAt: max(lastReportAt).as("last_report_at"),
      lastCheckedAt: max(lastCheckedAt).as("last_checked_at"),
      checkProblem: sql`(${lastCheck})`.as("check_problem"),
    })
    .from(streamChannels)
    .where(asked)
    .as("channels");
  return db
    .select({ ...getTableColumns(streamSessions), ...channels._.selectedFields })
    .from(channels)
    .leftJoin(streamSessions, eq(streamSessions.id, currentSession(platform)));
}

/** The live session that started last, otherwise the next scheduled one. */
function currentSession(platform?: StreamPlatform): SQL {
  const asked = platform ? sql`platform = ${platform} AND` : sql``;
  return sql`coalesce(
    (SELECT id FROM stream_sessions WHERE ${asked} state = 'live' ORDER BY started_at DESC LIMIT 1),
    (SELECT id FROM stream_sessions WHERE ${asked} state = 'scheduled' ORDER BY scheduled_for, id LIMIT 1))`;
}

export function stateOf(session: Pick<SessionRow, "state"> | undefined): StreamStatus["state"] {
  return session?.state === "live" || session?.state === "scheduled" ? session.state : "offline";
}

/** For the dashboard's batch. */
export function selectStreamState(ctx: Pick<Context, "db">) {
  return (
    ctx.db
      .select({ state: streamSessions.state })
      .from(streamSessions)
      .where(sql`state IN ('live', 'scheduled')`)
      // Alphabetically, "live" comes before "scheduled".
      .orderBy(streamSessions.state)
      .limit(1)
  );
}
