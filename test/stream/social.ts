import { env } from "cloudflare:workers";
import { inject } from "vitest";
import { SOCIAL_TIMEOUTS, type SocialTimeouts } from "../../src/providers/social/post.ts";
import type { Desk } from "../fakes/social/desk.ts";
import type { YouTubeFault } from "../fakes/social/youtube.ts";
import { type Client, service } from "../harness.ts";

export const urls = inject("socialUrls");
const youtubeUrl = inject("youtubeUrl");

/** The service with the fake platforms in place of the real ones. */
export function socialService(vars: Parameters<typeof service>[0] = {}): Client {
  return service({
    X_API_URL: urls.x,
    GRAPH_API_URL: urls.graph,
    YOUTUBE_API_URL: youtubeUrl,
    ALLOW_PRIVATE_HOSTS: "true",
    ...vars,
  });
}

export const api = socialService();

/** Waits that a test can bear. */
export const QUICK: SocialTimeouts = { ...SOCIAL_TIMEOUTS, callMs: 400, maxWaitMs: 300, pollMs: 10, polls: 5 };

let accounts = 0;

/** An account nobody else has, at one of the platforms. */
export function newAccount(): string {
  accounts += 1;
  return `acc-${accounts}-${crypto.randomUUID().slice(0, 8)}`;
}

export const credentialFor = {
  discord: (name: string) => ({ platform: "discord", webhookUrl: `${urls.discord}/api/webhooks/12345/${name}` }),
  x: (name: string) => ({
    platform: "x",
    accessToken: `${name}.a1`,
    refreshToken: `${name}.r1`,
    clientId: "client-1",
  }),
  facebook: (name: string) => ({ platform: "facebook", pageId: "100000000777", accessToken: `${name}.token` }),
  instagram: (name: string) => ({ platform: "instagram", accountId: "17841400000888", accessToken: `${name}.token` }),
  webhook: (name: string) => ({ platform: "webhook", url: `${urls.receiver}/hook/${name}`, secret: SECRET }),
  youtube: (name: string) => ({ platform: "youtube", apiKey: `${name}-key`, channelId: "UCknown" }),
} as const;

export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export type PlatformName = keyof typeof credentialFor;

const SERVERS: Record<PlatformName, string> = {
  discord: urls.discord,
  x: urls.x,
  facebook: urls.graph,
  instagram: urls.graph,
  webhook: urls.receiver,
  youtube: youtubeUrl,
};

export interface Connected {
  name: string;
  /** Makes the platform behave, and tells what happened there. */
  desk(change?: Partial<Desk>): Promise<Desk>;
}

/** Connects a platform to an account of its own. */
export async function connect(platform: PlatformName, client: Client = api): Promise<Connected> {
  const name = newAccount();
  if (platform === "youtube") await arrangeYouTube(name, {});
  const { status } = await client.post("/api/stream/credentials", credentialFor[platform](name));
  if (status !== 200 && status !== 201) throw new Error(`saving the credential answered ${status}`);
  return {
    name,
    async desk(change) {
      const init = change ? { method: "POST", body: JSON.stringify(change) } : {};
      const response = await fetch(`${SERVERS[platform]}/control/${name}`, init);
      return response.json();
    },
  };
}

/** The channel behind the key of this account. */
export function arrangeYouTube(name: string, change: { fault?: YouTubeFault }): Promise<Response> {
  const channel = { channelId: "UCknown", title: "Ada codes", ...change };
  return fetch(`${youtubeUrl}/control/${name}-key`, { method: "POST", body: JSON.stringify(channel) });
}

export async function forgetCredentials(): Promise<void> {
  await env.DB.prepare("DELETE FROM stream_credentials").run();
}

/** A stream that has ended, so that it is in no other's way. */
export async function newSession(fields: Record<string, unknown> = {}): Promise<number> {
  const row: Record<string, unknown> = {
    platform: "custom",
    external_id: crypto.randomUUID(),
    title: `Building a compiler, part ${crypto.randomUUID().slice(0, 8)}`,
    url: "https://youtu.be/abc",
    thumbnail_url: "https://img.example.com/abc.jpg",
    state: "ended",
    started_at: 1_790_000_000_000,
    ended_at: 1_790_003_600_000,
    state_at: 1_790_003_600_000,
    reported_at: 1_790_003_600_000,
    version: 1,
    created_at: 1_790_000_000_000,
    updated_at: 1_790_003_600_000,
    ...fields,
  };
  const names = Object.keys(row);
  const created = await env.DB.prepare(
    `INSERT INTO stream_sessions (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")}) RETURNING id`,
  )
    .bind(...Object.values(row))
    .first<{ id: number }>();
  if (!created) throw new Error("no session");
  return created.id;
}

/** One caption of a new stream, in the state asked for by the moves of the real service, or set by hand. */
export async function newCaption(platform: Exclude<PlatformName, "youtube">, status = "pending"): Promise<number> {
  const sessionId = await newSession();
  const { body } = await api.post("/api/stream/captions/generate", {
    kind: "go_live",
    sessionId,
    platforms: [platform],
  });
  const id: number = body.data[0].id;
  const claimedAt = status === "posting" ? Date.now() : null;
  await env.DB.prepare("UPDATE captions SET status = ?, claimed_at = ? WHERE id = ?").bind(status, claimedAt, id).run();
  return id;
}

export async function captionOf(id: number) {
  return (await api.get(`/api/stream/captions/${id}`)).body;
}
