import * as z from "zod";
import { limitedText } from "../limited-text.ts";

/*
 * The YouTube Data API. Lists by id cost one unit of the daily 10,000; a search would cost a hundred. https://developers.google.com/youtube/v3/determine_quota_cost
 */

interface YouTubeChannel {
  title: string;
  /** Null if the channel hides it. */
  subscribers: number | null;
  uploadsPlaylistId: string;
}

export interface YouTubeVideo {
  id: string;
  title: string;
  thumbnailUrl: string | null;
  /** Null for a video that was never a broadcast. */
  broadcast: "live" | "upcoming" | "over" | null;
  scheduledFor: Date | null;
  startedAt: Date | null;
  endedAt: Date | null;
  viewers: number | null;
}

export type YouTubeProblem = "quota_exceeded" | "key_refused" | "channel_not_found" | "unavailable" | "timeout";

/** Holds no part of the request, which contains the key. */
export class YouTubeError extends Error {
  readonly problem: YouTubeProblem;

  constructor(problem: YouTubeProblem) {
    super(`YouTube: ${problem}`);
    this.name = "YouTubeError";
    this.problem = problem;
  }
}

const CALL_MS = 10_000;
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** A broadcast is among the newest uploads as soon as it is scheduled or live. */
const RECENT = 15;
const MAX_IDS = 50;

const count = z.string().regex(/^\d+$/).transform(Number);
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const Channels = z.object({
  items: z
    .array(
      z.object({
        snippet: z.object({ title: z.string() }),
        statistics: z.object({ subscriberCount: count.optional(), hiddenSubscriberCount: z.boolean().optional() }),
        contentDetails: z.object({ relatedPlaylists: z.object({ uploads: z.string() }) }),
      }),
    )
    .default([]),
});

const PlaylistItems = z.object({
  items: z.array(z.object({ contentDetails: z.object({ videoId: z.string() }) })).default([]),
});

const Thumbnails = z.record(z.string(), z.object({ url: z.string(), width: z.number().optional() }));

const Video = z.object({
  id: z.string(),
  snippet: z.object({
    title: z.string(),
    liveBroadcastContent: z.enum(["live", "upcoming", "none"]).catch("none"),
    thumbnails: Thumbnails.catch({}),
  }),
  liveStreamingDetails: z
    .object({
      scheduledStartTime: time.optional(),
      actualStartTime: time.optional(),
      actualEndTime: time.optional(),
      concurrentViewers: count.optional(),
    })
    .optional(),
});

const Videos = z.object({ items: z.array(Video).default([]) });

const Failure = z.object({
  error: z.object({
    errors: z.array(z.object({ reason: z.string().optional() })).default([]),
    details: z.array(z.object({ reason: z.string().optional() })).default([]),
  }),
});

const QUOTA_REASONS = ["quotaExceeded", "dailyLimitExceeded"];

export function createYouTube(baseUrl: string, apiKey: string, callMs = CALL_MS) {
  async function list<Schema extends z.ZodType>(
    resource: string,
    query: Record<string, string>,
    schema: Schema,
  ): Promise<z.output<Schema>> {
    const url = `${baseUrl}/${resource}?${new URLSearchParams(query)}`;
    try {
      // Not in the address, which proxies log.
      const headers = { "x-goog-api-key": apiKey, accept: "application/json" };
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(callMs), redirect: "manual" });
      const body: unknown = JSON.parse(await limitedText(response, MAX_RESPONSE_BYTES));
      if (!response.ok) throw new YouTubeError(problemOf(response.status, body));
      return schema.parse(body);
    } catch (error) {
      if (error instanceof YouTubeError) throw error;
      const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
      throw new YouTubeError(isLate ? "timeout" : "unavailable");
    }
  }

  return {
    async channel(channelId: string): Promise<YouTubeChannel> {
      const query = { part: "snippet,statistics,contentDetails", id: channelId };
      const { items } = await list("channels", query, Channels);
      const [channel] = items;
      if (!channel) throw new YouTubeError("channel_not_found");
      const { subscriberCount, hiddenSubscriberCount } = channel.statistics;
      return {
        title: channel.snippet.title,
        subscribers: hiddenSubscriberCount ? null : (subscriberCount ?? null),
        uploadsPlaylistId: channel.contentDetails.relatedPlaylists.uploads,
      };
    },

    async recentVideoIds(playlistId: string): Promise<string[]> {
      const query = { part: "contentDetails", playlistId, maxResults: String(RECENT) };
      const { items } = await list("playlistItems", query, PlaylistItems);
      return items.map(({ contentDetails }) => contentDetails.videoId);
    },

    /** Videos that do not exist or are not public are left out. */
    async videos(ids: readonly string[]): Promise<YouTubeVideo[]> {
      if (ids.length === 0) return [];
      const query = { part: "snippet,liveStreamingDetails", id: ids.slice(0, MAX_IDS).join(",") };
      const { items } = await list("videos", query, Videos);
      return items.map(readVideo);
    },
  };
}

function readVideo({ id, snippet, liveStreamingDetails: live }: z.output<typeof Video>): YouTubeVideo {
  return {
    id,
    title: snippet.title,
    thumbnailUrl: largest(snippet.thumbnails),
    broadcast: live ? broadcastOf(snippet.liveBroadcastContent, live.actualEndTime) : null,
    scheduledFor: live?.scheduledStartTime ?? null,
    startedAt: live?.actualStartTime ?? null,
    endedAt: live?.actualEndTime ?? null,
    viewers: live?.concurrentViewers ?? null,
  };
}

/** `liveBroadcastContent` is updated minutes after the end. */
function broadcastOf(kind: "live" | "upcoming" | "none", endedAt: Date | undefined): YouTubeVideo["broadcast"] {
  return kind === "none" || endedAt ? "over" : kind;
}

function largest(thumbnails: z.output<typeof Thumbnails>): string | null {
  const sorted = Object.values(thumbnails).sort((a, b) => (b.width ?? 0) - (a.width ?? 0));
  return sorted[0]?.url ?? null;
}

function problemOf(status: number, body: unknown): YouTubeProblem {
  const { data } = Failure.safeParse(body);
  const reasons = [...(data?.error.errors ?? []), ...(data?.error.details ?? [])].map(({ reason }) => reason ?? "");
  if (reasons.some((reason) => QUOTA_REASONS.includes(reason))) return "quota_exceeded";
  if (status === 404) return "channel_not_found";
  // 400 is a wrong key, 403 a key without access to this API. Too many calls are a 403, too, but temporary.
  if (reasons.includes("rateLimitExceeded") || reasons.includes("userRateLimitExceeded")) return "unavailable";
  return status === 400 || status === 401 || status === 403 ? "key_refused" : "unavailable";
}
