import { setTimeout as sleep } from "node:timers/promises";
import { close, listen } from "../../test/fakes/server.ts";
import type { Fault } from "../../test/fakes/social/desk.ts";
import { createFakeDiscord } from "../../test/fakes/social/discord.ts";
import type { Caller } from "./caller.ts";
import type { IsOver, Part, Select, Stage } from "./part.ts";

const ACCOUNT = "soak-account";
const FAULTS: readonly Fault["kind"][] = ["500", "429", "late", "html"];
const PAUSE_MS = 250;
/** None of them is one that every new service has. */
const MILESTONES = [90, 210, 420];

type Platform = Awaited<ReturnType<typeof openPlatform>>;

/** A place where captions are posted, and which often fails, before or after it has taken a post. */
async function openPlatform({ moments }: Stage) {
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

/** An encoder that streams, captions that a model writes again, and two people who post them at the same time. */
export async function openStreams(stage: Stage): Promise<Part> {
  const platform = await openPlatform(stage);
  let count = 0;
  return {
    async connect(steady, { headers, password }) {
      const save = async (path: string, body: object) => {
        const reply = await steady.surely({ method: "POST", path, headers, body });
        steady.expect(reply, [200, 201], `POST ${path}`);
      };
      const { webhookUrl } = platform;
      await save("/api/stream/credentials", { platform: "discord", webhookUrl, currentPassword: password });
      for (const threshold of MILESTONES) await save("/api/stream/milestones", { metric: "subscribers", threshold });
    },
    load: (isOver) =>
      Promise.all([
        keepStreaming(stage, isOver),
        keepPosting(stage.newCaller("poster"), platform, isOver),
        keepPosting(stage.newCaller("another poster"), platform, isOver),
      ]),
    phases: ["a model's caption", "a caption's post"],
    owed: {
      "streams without captions": "SELECT count(*) AS n FROM stream_sessions WHERE captions_owed_since IS NOT NULL",
      "milestones without captions":
        "SELECT count(*) AS n FROM stream_milestones WHERE captions_owed_since IS NOT NULL",
      "captions due from a model": "SELECT count(*) AS n FROM captions WHERE model_due_at IS NOT NULL",
      "captions being posted": "SELECT count(*) AS n FROM captions WHERE status = 'posting'",
    },
    dueTimes: [
      ["captions", "model_due_at", "model_due_at IS NOT NULL"],
      ["captions", "claimed_at", "status = 'posting'"],
    ],
    rules: {
      "no platform has two live streams":
        "SELECT platform FROM stream_sessions WHERE state = 'live' GROUP BY platform HAVING count(*) > 1",
      "no stream is there twice": `SELECT external_id FROM stream_sessions WHERE external_id IS NOT NULL
        GROUP BY platform, external_id HAVING count(*) > 1`,
      "every stream of the encoder has ended": "SELECT id FROM stream_sessions WHERE state <> 'ended'",
      "every stream that ended has captions": `SELECT id FROM stream_sessions
        WHERE NOT EXISTS (SELECT 1 FROM captions WHERE subject IN ('go_live ' || stream_sessions.id, 'end ' || stream_sessions.id))`,
      "each milestone is told of once": `SELECT json_extract(data, '$.milestoneId') AS milestone, count(*)
        FROM stream_events WHERE type = 'milestone.reached' GROUP BY 1 HAVING count(*) > 1`,
      "no caption is written twice": "SELECT subject FROM captions GROUP BY subject, platform HAVING count(*) > 1",
    },
    async audit(rows) {
      const posts = await platform.posts();
      count = posts.length;
      return comparePosts(rows, posts);
    },
    figures: () => [`${count} captions posted`],
    close: platform.close,
  };
}

/** Each caption's text is its own, so a text that was posted twice is a caption that was. */
function comparePosts(rows: Select, posts: readonly string[]): string[] {
  const twice = posts.filter((text, index) => posts.indexOf(text) !== index);
  const stored = rows("SELECT id, text FROM captions WHERE status = 'posted'");
  const missing = stored.filter(({ text }) => !posts.some((post) => post.startsWith(String(text).slice(0, 40))));
  return [
    ...twice.map((text) => `posted twice: ${text.slice(0, 80)}`),
    ...missing.map(({ id }) => `caption ${id} is called posted and is not there`),
  ];
}

/** An encoder that goes live, tells its viewers and ends, over and over; a lost answer is asked for again. */
async function keepStreaming({ newCaller, pause }: Stage, isOver: IsOver): Promise<void> {
  const caller = newCaller("encoder");
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
    await pause(PAUSE_MS);
    caller.expect(await report({ state: "ended", externalId }), [200], "ending");
  }
}

const POSTING_PAUSE_MS = 8000;
/** How often someone approves captions that a model is still to rewrite. */
const IMPATIENT = 0.1;

/** Approves what is written and posts it, at the same time as others do. */
async function keepPosting(caller: Caller, platform: Platform, isOver: IsOver): Promise<void> {
  while (!isOver()) {
    const kind = FAULTS[Math.floor(caller.random() * FAULTS.length)];
    if (kind && caller.random() < 0.2) await platform.misbehave(kind);
    await approve(caller);
    const posted = await caller.attempt({ method: "POST", path: "/api/stream/captions/dispatch", body: {} });
    if (posted) caller.expect(posted, [200], "posting captions");
    await sleep(POSTING_PAUSE_MS);
  }
}

/** Captions that a model has rewritten or given up, as a rule: an approval keeps the text as it is. */
async function approve(caller: Caller): Promise<void> {
  const path = "/api/stream/captions/pending";
  const pending = await caller.attempt({ path: `${path}?limit=100` });
  if (!pending || !caller.expect(pending, [200], "listing captions")) return;
  const isImpatient = caller.random() < IMPATIENT;
  const isReady = ({ engine }: { engine: { fallbackReason: string | null } }) =>
    isImpatient || engine.fallbackReason !== "model_pending";
  const ids = pending.body.data.filter(isReady).map(({ id }: { id: number }) => id);
  if (ids.length === 0) return;
  const approved = await caller.attempt({ method: "PATCH", path, body: { ids, status: "approved" } });
  if (approved) caller.expect(approved, [200], "approving captions");
}
