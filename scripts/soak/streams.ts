import { setTimeout as sleep } from "node:timers/promises";
import { close, listen } from "../../test/fakes/server.ts";
import type { Fault } from "../../test/fakes/social/desk.ts";
import { createFakeDiscord } from "../../test/fakes/social/discord.ts";
import type { Caller } from "./caller.ts";
import type { Moments } from "./moments.ts";

const ACCOUNT = "soak-account";
const FAULTS: readonly Fault["kind"][] = ["500", "429", "late", "html"];
const PAUSE_MS = 250;

export type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** A place where captions are posted, and which often fails, before or after it has taken a post. */
export async function openPlatform(moments: Moments) {
  const server = createFakeDiscord();
  server.on("request", ({ url }) => url?.startsWith("/api/") && moments.reach("a caption's post"));
  const base = await listen(server);
  const control = async (change: object) => {
    const response = await fetch(`${base}/control/${ACCOUNT}`, { method: "POST", body: JSON.stringify(change) });
    return (await response.json()) as { posts: string[] };
  };
  return {
    webhookUrl: `${base}/api/webhooks/1/${ACCOUNT}`,
    misbehave: (kind: Fault["kind"]) => control({ faults: [{ kind, times: 1, retryAfter: 1 }] }),
    posts: async () => (await control({})).posts,
    close: () => close(server),
  };
}

/** An encoder that goes live, tells its viewers and ends, over and over; a lost answer is asked for again. */
export async function keepStreaming(caller: Caller, isOver: () => boolean): Promise<void> {
  let turn = 0;
  const report = (body: object) => {
    turn += 1;
    const eventId = `soak-${turn}`;
    return caller.surely({
      method: "POST",
      path: "/api/stream/status",
      body: { platform: "twitch", eventId, ...body },
    });
  };
  for (let session = 0; !isOver(); session++) {
    const externalId = `soak-${session}`;
    const live = {
      state: "live",
      externalId,
      title: `Soak stream ${session}`,
      url: `https://twitch.tv/soak${session}`,
    };
    caller.expect(await report(live), [200], "going live");
    const counts = { externalId, viewers: Math.floor(caller.random() * 500), subscribers: 40 + session * 30 };
    caller.expect(await report(counts), [200], "a count of viewers");
    await sleep(PAUSE_MS);
    caller.expect(await report({ state: "ended", externalId }), [200], "ending");
  }
}

/** Long enough for a model to rewrite a caption before it is approved. */
const POSTING_PAUSE_MS = 3000;

/** Approves what is written and posts it, at the same time as others do. */
export async function keepPosting(caller: Caller, platform: Platform, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const kind = FAULTS[Math.floor(caller.random() * FAULTS.length)];
    if (kind && caller.random() < 0.2) await platform.misbehave(kind);
    const approval = { method: "PATCH", path: "/api/stream/captions/pending", body: { status: "approved" } };
    const approved = await caller.attempt(approval);
    if (approved) caller.expect(approved, [200], "approving captions");
    const posted = await caller.attempt({ method: "POST", path: "/api/stream/captions/dispatch", body: {} });
    if (posted) caller.expect(posted, [200], "posting captions");
    await sleep(POSTING_PAUSE_MS);
  }
}
