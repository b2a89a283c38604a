import { and, eq, inArray, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { streamChannels, streamSessions } from "../../db/schema/stream.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS, toInstant, toWall, wallDay } from "../../lib/time-zone.ts";
import { log } from "../../log.ts";
import { createYouTube, YouTubeError, type YouTubeProblem, type YouTubeVideo } from "../../providers/social/youtube.ts";
import { credentialOf } from "./credentials/service.ts";
import { applyReport, type ReportOptions } from "./report.ts";
import type { Report } from "./schemas.ts";
import type { SessionRow } from "./session-change.ts";

/** The daily quota is renewed at midnight in this zone. */
const QUOTA_ZONE = "America/Los_Angeles";
const OPEN_SESSIONS = 20;

/** For the cron. Null if no credential is saved. */
export async function checkConnectedYouTube(ctx: Context): Promise<YouTubeProblem | "ok" | null> {
  const { apiKey, channelId } = (await credentialOf(ctx, "youtube")) ?? {};
  return apiKey && channelId ? checkYouTube(ctx, { apiKey, channelId }) : null;
}

/**
 * Queries YouTube and reports the result as any client would. A run costs three units: with a run every 15 minutes, 288
 * of the daily 10,000. Null while the quota is used up.
 */
export async function checkYouTube(
  ctx: Context,
  { apiKey, channelId }: { apiKey: string; channelId: string },
  callMs?: number,
): Promise<YouTubeProblem | "ok" | null> {
  const [[channelRow], open, [lastAired]] = await ctx.db.batch([
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
    await storeCheck(ctx, { title: channel.title, channelId });
    const { subscribers } = channel;
    if (subscribers !== null) await applyReport(ctx, { platform: "youtube", subscribers });
    for (const [report, options] of reportsOf(videos, { open, lastAired }, ctx.now)) {
      // The next check finds what is left.
      if (ctx.signal?.aborted) break;
      await send(ctx, report, options);
    }
    return "ok";
  } catch (error) {
    if (!(error instanceof YouTubeError)) throw error;
    log("warn", "youtube_check_failed", { requestId: ctx.requestId, problem: error.problem });
    await storeCheck(ctx, { problem: error.problem });
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

interface Check {
  title?: string;
  channelId?: string;
  problem?: YouTubeProblem;
}

/** The count of another channel is forgotten, so that the first one of this channel is its baseline. */
function storeCheck(ctx: Context, { title, channelId, problem }: Check) {
  const checked = {
    ...(title !== undefined && { title }),
    ...(channelId !== undefined && { channelId }),
    lastCheckedAt: ctx.now,
    checkProblem: problem ?? null,
    quietUntil: problem === "quota_exceeded" ? nextQuota(ctx.now) : null,
  };
  const ofSameChannel = (column: SQL) => sql`CASE WHEN channel_id IS excluded.channel_id THEN ${column} END`;
  const counts = channelId !== undefined && {
    subscribers: ofSameChannel(sql`subscribers`),
    subscribersAt: ofSameChannel(sql`subscribers_at`),
  };
  return ctx.db
    .insert(streamChannels)
    .values({ platform: "youtube", ...checked })
    .onConflictDoUpdate({ target: streamChannels.platform, set: { ...checked, ...counts } });
}

export function nextQuota(now: Date): Date {
  const today = wallDay(toWall(QUOTA_ZONE, now.getTime()));
  return new Date(toInstant(QUOTA_ZONE, today + DAY_MS));
}

/** A refused report must not stop the others. */
async function send(ctx: Context, report: Report, options: ReportOptions): Promise<void> {
  try {
    await applyReport(ctx, report, options);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log("warn", "youtube_report_refused", { requestId: ctx.requestId, code: error.code });
  }
}

interface KnownSessions {
  open: readonly SessionRow[];
  /** The session that last went live or ended. */
  lastAired: SessionRow | undefined;
}

/** Endings come first, because a platform has one live session. */
function reportsOf(
  videos: readonly YouTubeVideo[],
  { open, lastAired }: KnownSessions,
  now: Date,
): [Report, ReportOptions][] {
  const videoOf = ({ externalId }: SessionRow) => videos.find(({ id }) => id === externalId);
  const endings = open.flatMap((session) => endReports(session, videoOf(session), now));
  const isLive = ({ id }: YouTubeVideo) =>
    open.some((session) => session.state === "live" && session.externalId === id);
  const live = videos
    .filter(({ broadcast }) => broadcast === "live")
    .sort((a, b) => Number(isLive(b)) - Number(isLive(a)) || Number(b.startedAt) - Number(a.startedAt));
  // A platform has one live session: of several broadcasts the one already known stays.
  const starts = live.slice(0, 1).flatMap((video) => {
    const wasKnown = open.some(({ externalId }) => externalId === video.id);
    return startReports(video, now, wasKnown ? [] : [...endsOf(endings), ...airedBefore(video, lastAired)]);
  });
  // Only what is new, so that many plans do not use up the job's budget in every run.
  const scheduled = videos
    .filter(({ broadcast }) => broadcast === "upcoming")
    .filter((video) => !open.some((session) => isSamePlan(session, video)))
    .map((video) => scheduledReport(video, now));
  return [...endings, ...starts, ...scheduled];
}

function endReports(session: SessionRow, video: YouTubeVideo | undefined, now: Date): [Report, ReportOptions][] {
  const report = { platform: "youtube", externalId: session.externalId ?? undefined } as const;
  // The video was deleted or made private.
  if (!video) return [[{ ...report, state: session.state === "live" ? "ended" : "cancelled", at: now }, {}]];
  if (video.broadcast !== "over") return [];
  const { startedAt, endedAt } = video;
  if (session.state === "live") return [[{ ...report, state: "ended", at: endedAt ?? now }, {}]];
  if (!startedAt) return [[{ ...report, state: "cancelled", at: now }, {}]];
  // It started and ended between two checks: no go-live captions for a stream that is over.
  return [
    [{ ...report, state: "live", at: startedAt }, { withoutCaptions: true }],
    [{ ...report, state: "ended", at: endedAt ?? now }, {}],
  ];
}

function endsOf(endings: readonly [Report, ReportOptions][]): Date[] {
  return endings.flatMap(([{ state, at }]) => (state === "ended" && at ? [at] : []));
}

/** When another video was last live. A session without an `externalId` may be this video. */
function airedBefore({ id }: YouTubeVideo, last: SessionRow | undefined): Date[] {
  return last?.externalId != null && last.externalId !== id ? [last.stateAt] : [];
}

/**
 * Two reports: the change of state at its own time, and the counts as of now. A stream that started while another one
 * was live is reported from the end of that one; with its own start the report would be stale.
 */
function startReports(video: YouTubeVideo, now: Date, others: readonly Date[]): [Report, ReportOptions][] {
  const report = aboutVideo(video);
  const times = [video.startedAt ?? now, ...others].map(Number);
  return [
    [{ ...report, state: "live", at: new Date(Math.max(...times)) }, {}],
    [{ ...report, viewers: video.viewers ?? undefined, at: now }, {}],
  ];
}

function scheduledReport(video: YouTubeVideo, now: Date): [Report, ReportOptions] {
  return [{ ...aboutVideo(video), state: "scheduled", scheduledFor: video.scheduledFor ?? undefined, at: now }, {}];
}

/** Whether a report about this upcoming video would change nothing. */
function isSamePlan(session: SessionRow, video: YouTubeVideo): boolean {
  const { externalId, title, url, thumbnailUrl } = aboutVideo(video);
  return (
    session.state === "scheduled" &&
    session.externalId === externalId &&
    session.title === title &&
    session.url === url &&
    (thumbnailUrl === undefined || session.thumbnailUrl === thumbnailUrl) &&
    (!video.scheduledFor || session.scheduledFor?.getTime() === video.scheduledFor.getTime())
  );
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
