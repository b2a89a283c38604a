import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { streamChannels, streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { log } from "../../log.ts";
import { createYouTube, YouTubeError, type YouTubeProblem, type YouTubeVideo } from "../../providers/social/youtube.ts";
import { credentialOf } from "./credentials/service.ts";
import { type ReportOptions, takeReport } from "./report.ts";
import type { Report } from "./schemas.ts";
import type { SessionRow } from "./session-change.ts";

/** Where the API's day begins: a spent quota comes back at its midnight. */
const QUOTA_ZONE = "America/Los_Angeles";
const OPEN_SESSIONS = 20;

interface YouTubeCredential {
  apiKey: string;
  channelId: string;
}

/** For the cron. Null when there is nothing to ask with. */
export async function detectYouTube(ctx: Context): Promise<YouTubeProblem | "ok" | null> {
  const { apiKey, channelId } = (await credentialOf(ctx, "youtube")) ?? {};
  return apiKey && channelId ? checkYouTube(ctx, { apiKey, channelId }) : null;
}

/**
 * Asks YouTube what is on and reports it like anybody else would. Three units a run: 288 of the day's 10,000 at a run
 * every quarter of an hour. Null while the quota is spent.
 */
export async function checkYouTube(
  ctx: Context,
  { apiKey, channelId }: YouTubeCredential,
  callMs?: number,
): Promise<YouTubeProblem | "ok" | null> {
  const [[channelRow], open, [aired]] = await ctx.db.batch([
    ctx.db.select().from(streamChannels).where(eq(streamChannels.platform, "youtube")),
    selectOpenSessions(ctx),
    selectLastAired(ctx),
  ]);
  if (channelRow?.quietUntil && channelRow.quietUntil > ctx.now) return null;
  const youtube = createYouTube(ctx.config.YOUTUBE_API_URL, apiKey, callMs);
  try {
    const channel = await youtube.channel(channelId);
    const recent = await youtube.recentVideoIds(channel.uploadsPlaylistId);
    const known = open.flatMap(({ externalId }) => externalId ?? []);
    const videos = await youtube.videos([...new Set([...known, ...recent])]);
    await noteCheck(ctx, { title: channel.title });
    await reportSubscribers(ctx, channel.subscribers);
    for (const [report, options] of reportsOf(videos, { open, aired }, ctx.now)) await send(ctx, report, options);
    return "ok";
  } catch (error) {
    if (!(error instanceof YouTubeError)) throw error;
    log("warn", "youtube_check_failed", { requestId: ctx.requestId, problem: error.problem });
    await noteCheck(ctx, { problem: error.problem });
    return error.problem;
  }
}

function selectOpenSessions(ctx: Context) {
  return ctx.db
    .select()
    .from(streamSessions)
    .where(
      and(
        eq(streamSessions.platform, "youtube"),
        inArray(streamSessions.state, ["live", "scheduled"]),
        isNotNull(streamSessions.externalId),
      ),
    )
    .orderBy(streamSessions.state, sql`${streamSessions.id} DESC`)
    .limit(OPEN_SESSIONS);
}

function selectLastAired(ctx: Context) {
  return ctx.db
    .select()
    .from(streamSessions)
    .where(sql`${streamSessions.platform} = 'youtube' AND ${streamSessions.state} IN ('live', 'ended')`)
    .orderBy(sql`${streamSessions.stateAt} DESC`)
    .limit(1);
}

function noteCheck(ctx: Context, { title, problem }: { title?: string; problem?: YouTubeProblem }) {
  const checked = {
    ...(title !== undefined && { title }),
    lastCheckedAt: ctx.now,
    checkProblem: problem ?? null,
    quietUntil: problem === "quota_exceeded" ? nextQuota(ctx.now) : null,
  };
  return ctx.db
    .insert(streamChannels)
    .values({ platform: "youtube", ...checked })
    .onConflictDoUpdate({ target: streamChannels.platform, set: checked });
}

export function nextQuota(now: Date): Date {
  const today = wallDay(toWall(QUOTA_ZONE, now.getTime()));
  return new Date(toInstant(QUOTA_ZONE, today + DAY_MS));
}

async function reportSubscribers(ctx: Context, subscribers: number | null): Promise<void> {
  if (subscribers !== null) await takeReport(ctx, { platform: "youtube", subscribers });
}

/** One report that the table of moves refuses must not keep the others from being sent. */
async function send(ctx: Context, report: Report, options: ReportOptions): Promise<void> {
  try {
    await takeReport(ctx, report, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log("warn", "youtube_report_refused", { requestId: ctx.requestId, code: error.code });
  }
}

interface KnownSessions {
  open: readonly SessionRow[];
  /** The one that last went on air or off it. */
  aired: SessionRow | undefined;
}

/** What the videos mean for the sessions. What has ended comes first, so that what began meets no live session. */
function reportsOf(
  videos: readonly YouTubeVideo[],
  { open, aired }: KnownSessions,
  now: Date,
): [Report, ReportOptions][] {
  const endings = open.flatMap((session) => endingOf(session, find(videos, session.externalId), now));
  const isLive = ({ id }: YouTubeVideo) =>
    open.some((session) => session.state === "live" && session.externalId === id);
  const live = videos
    .filter(({ broadcast }) => broadcast === "live")
    .sort((a, b) => Number(isLive(b)) - Number(isLive(a)) || Number(b.startedAt) - Number(a.startedAt));
  // One session a platform: of several at once, the one already known goes on being it.
  const beginnings = live.slice(0, 1).flatMap((video) => {
    const wasKnown = open.some(({ externalId }) => externalId === video.id);
    return startOf(video, now, wasKnown ? [] : [...endsOf(endings), ...airedBefore(video, aired)]);
  });
  const plans = videos.filter(({ broadcast }) => broadcast === "upcoming").map((video) => planOf(video, now));
  return [...endings, ...beginnings, ...plans];
}

function find(videos: readonly YouTubeVideo[], id: string | null): YouTubeVideo | undefined {
  return videos.find((video) => video.id === id);
}

function endingOf(session: SessionRow, video: YouTubeVideo | undefined, now: Date): [Report, ReportOptions][] {
  const report = { platform: "youtube", externalId: session.externalId ?? undefined } as const;
  // Deleted, or made private: it cannot be watched any more.
  if (!video) return [[{ ...report, state: session.state === "live" ? "ended" : "cancelled", at: now }, {}]];
  if (video.broadcast !== "over") return [];
  const { startedAt, endedAt } = video;
  if (session.state === "live") return [[{ ...report, state: "ended", at: endedAt ?? now }, {}]];
  if (!startedAt) return [[{ ...report, state: "cancelled", at: now }, {}]];
  // It came and went between two looks: nobody is called to a stream that is over.
  return [
    [{ ...report, state: "live", at: startedAt }, { quiet: true }],
    [{ ...report, state: "ended", at: endedAt ?? now }, {}],
  ];
}

function endsOf(endings: readonly [Report, ReportOptions][]): Date[] {
  return endings.flatMap(([{ state, at }]) => (state === "ended" && at ? [at] : []));
}

/** When another video was last on. A stream nobody named may be this very video, so it does not count. */
function airedBefore({ id }: YouTubeVideo, aired: SessionRow | undefined): Date[] {
  return aired?.externalId != null && aired.externalId !== id ? [aired.stateAt] : [];
}

/**
 * Two reports: the move at the time it happened, the counts as they are now. A stream that began while another was
 * on takes its place when that one is over; told by its own start, it would be older than what is known.
 */
function startOf(video: YouTubeVideo, now: Date, others: readonly Date[]): [Report, ReportOptions][] {
  const report = aboutVideo(video);
  const times = [video.startedAt ?? now, ...others].map(Number);
  return [
    [{ ...report, state: "live", at: new Date(Math.max(...times)) }, {}],
    [{ ...report, viewers: video.viewers ?? undefined, at: now }, {}],
  ];
}

function planOf(video: YouTubeVideo, now: Date): [Report, ReportOptions] {
  return [{ ...aboutVideo(video), state: "scheduled", scheduledFor: video.scheduledFor ?? undefined, at: now }, {}];
}

function aboutVideo({ id, title, thumbnailUrl }: YouTubeVideo) {
  return {
    platform: "youtube",
    externalId: id,
    title,
    url: `https://www.youtube.com/watch?v=${id}`,
    thumbnailUrl: thumbnailUrl ?? undefined,
  } as const;
}
