import http from "node:http";
import { bodyOf } from "../server.ts";

/** What can be made to go wrong, until told otherwise. */
export type YouTubeFault = "quotaExceeded" | "keyInvalid" | "accessNotConfigured" | "500" | "html" | "hang" | null;

export interface FakeVideo {
  id: string;
  title: string;
  state: "live" | "upcoming" | "none";
  /** Not listed among the uploads: still found by its id. */
  unlisted?: boolean;
  scheduledStartTime?: string;
  actualStartTime?: string;
  actualEndTime?: string;
  concurrentViewers?: number;
}

/** One channel, named by the key that may read it, so that tests never meet each other. */
interface Tenant {
  channelId: string;
  title: string;
  subscribers: number | null;
  videos: FakeVideo[];
  fault: YouTubeFault;
  requests: { resource: string; query: Record<string, string> }[];
}

/** The API's cost table: https://developers.google.com/youtube/v3/determine_quota_cost */
const UNITS: Record<string, number> = { channels: 1, playlistItems: 1, videos: 1, search: 100 };

/**
 * YouTube's Data API as an HTTP server. Under `/control/{key}/…` a test arranges the channel of that key: it speaks
 * JSON and is no part of the wire.
 */
export function createFakeYouTube(): http.Server {
  const tenants = new Map<string, Tenant>();
  return http.createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const control = /^\/control\/([\w-]+)$/.exec(url.pathname);
    if (control) {
      const key = control[1] ?? "";
      const change: Partial<Tenant> = JSON.parse((await bodyOf(request)) || "{}");
      const tenant = { ...(tenants.get(key) ?? fresh()), ...change };
      tenants.set(key, tenant);
      const units = tenant.requests.reduce((sum, { resource }) => sum + (UNITS[resource] ?? 1000), 0);
      return send(response, 200, { requests: tenant.requests.splice(0), units });
    }
    const key = String(request.headers["x-goog-api-key"] ?? url.searchParams.get("key") ?? "");
    const resource = url.pathname.split("/").at(-1) ?? "";
    const query = Object.fromEntries(url.searchParams);
    const tenant = tenants.get(key);
    tenant?.requests.push({ resource, query });
    if (!tenant || tenant.fault === "keyInvalid") return send(response, 400, keyInvalid());
    switch (tenant.fault) {
      case "quotaExceeded":
        return send(response, 403, failure(403, "quotaExceeded", "youtube.quota"));
      case "accessNotConfigured":
        return send(response, 403, failure(403, "accessNotConfigured", "usageLimits"));
      case "500":
        return send(response, 500, failure(500, "backendError", "global"));
      case "html":
        return response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sorry</title>");
      case "hang":
        // The connection stays open and nothing comes; the caller has to give up by itself.
        return;
      default:
        return send(response, 200, answer(tenant, resource, query));
    }
  });
}

function fresh(): Tenant {
  return { channelId: "UCfake", title: "Fake channel", subscribers: 0, videos: [], fault: null, requests: [] };
}

function answer(tenant: Tenant, resource: string, query: Record<string, string>): unknown {
  const uploads = tenant.channelId.replace(/^UC/, "UU");
  switch (resource) {
    case "channels":
      return listOf("youtube#channelListResponse", query.id === tenant.channelId ? [channelOf(tenant, uploads)] : []);
    case "playlistItems": {
      const listed = query.playlistId === uploads ? tenant.videos.filter(({ unlisted }) => !unlisted) : [];
      const items = listed
        .slice(0, Number(query.maxResults ?? 5))
        .map(({ id }) => ({ contentDetails: { videoId: id } }));
      return listOf("youtube#playlistItemListResponse", items);
    }
    case "videos": {
      const ids = (query.id ?? "").split(",");
      const found = tenant.videos.filter(({ id }) => ids.includes(id));
      return listOf("youtube#videoListResponse", found.map(videoOf));
    }
    default:
      throw new Error(`the fake YouTube does not know ${resource}`);
  }
}

function channelOf({ channelId, title, subscribers }: Tenant, uploads: string) {
  return {
    kind: "youtube#channel",
    id: channelId,
    snippet: { title },
    contentDetails: { relatedPlaylists: { likes: "", uploads } },
    statistics: {
      viewCount: "123456",
      ...(subscribers !== null && { subscriberCount: String(subscribers) }),
      hiddenSubscriberCount: subscribers === null,
      videoCount: "42",
    },
  };
}

function videoOf({ id, title, state, concurrentViewers, unlisted, ...times }: FakeVideo) {
  const isBroadcast = Object.keys(times).length > 0;
  return {
    kind: "youtube#video",
    id,
    snippet: {
      title,
      liveBroadcastContent: state,
      thumbnails: {
        default: { url: `https://i.ytimg.com/vi/${id}/default.jpg`, width: 120, height: 90 },
        maxres: { url: `https://i.ytimg.com/vi/${id}/maxresdefault.jpg`, width: 1280, height: 720 },
      },
    },
    ...(isBroadcast && {
      liveStreamingDetails: {
        ...times,
        ...(concurrentViewers !== undefined && { concurrentViewers: String(concurrentViewers) }),
      },
    }),
  };
}

function listOf(kind: string, items: unknown[]) {
  return { kind, etag: "fake", items, pageInfo: { totalResults: items.length, resultsPerPage: items.length } };
}

function failure(code: number, reason: string, domain: string) {
  const message = "The request cannot be completed.";
  return { error: { code, message, errors: [{ message, domain, reason }] } };
}

function keyInvalid() {
  const message = "API key not valid. Please pass a valid API key.";
  return {
    error: {
      code: 400,
      message,
      errors: [{ message, domain: "global", reason: "badRequest" }],
      status: "INVALID_ARGUMENT",
      details: [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID", domain: "googleapis.com" },
      ],
    },
  };
}

function send(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=UTF-8" }).end(JSON.stringify(body));
}
