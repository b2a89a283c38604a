import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { MODEL_ATTEMPTS } from "../../src/features/ai-models/later.ts";
import { writeMissedCaptions } from "../../src/features/stream/automatic-captions.ts";
import { callsSince, lastCallId, newTenant } from "../ai/tenant.ts";
import { setClock } from "../auth/people.ts";
import { expectErrorLog, service, takeLogs } from "../harness.ts";
import { countStatements, dyingAfter } from "../measured.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { until } from "../until.ts";
import { asSystem } from "../webhooks/receiver.ts";
import { emptyStream, newChannel, rows, send } from "./reports.ts";
import { api, captionOf, connect, forgetCredentials } from "./social.ts";

/* A report has the built-in writer's captions at once; a model's replace them later, unless a person was first. */

const PLATFORMS = ["discord", "x"] as const;
const NOW = Date.UTC(2030, 2, 4, 9);
const WRITTEN = {
  json: {
    captions: PLATFORMS.map((platform) => ({ platform, text: `Come in, ${platform}!`, hashtags: ["knitting"] })),
  },
};
const HELD = { ...WRITTEN, held: true } as const;
const DOWN = { refuse: "500" } as const;
const WAITING = { kind: "builtin", fallbackReason: "model_pending" };

type Tenant = Awaited<ReturnType<typeof newTenant>>;
interface Shown {
  id: number;
  platform: string;
  text: string;
  status: string;
  version: number;
  engine: { kind: string; fallbackReason: string | null };
}

async function tenantThatSays(...turns: Parameters<Tenant["says"]>): Promise<Tenant> {
  const tenant = await newTenant();
  await tenant.says(...turns);
  return tenant;
}

let streams = 0;

/** Goes live on a platform of its own. The message to the model waits in the queue. */
async function goLive(client = service()) {
  streams += 1;
  await send({ state: "ended" });
  const { body, status } = await send({ state: "live", externalId: `later-${streams}`, title: "Knitting" }, client);
  expect(status).toBe(200);
  const captions: Shown[] = body.captions;
  return { captions, message: { kind: "stream.captions", topic: `go_live ${body.session.id}`, attempt: 1 } };
}

const shown = async (captions: readonly Shown[]): Promise<Shown[]> =>
  Promise.all(captions.map(({ id }) => captionOf(id)));
const owed = () =>
  rows<{ dueAt: number; attempts: number }>(
    "SELECT model_due_at AS dueAt, model_attempts AS attempts FROM captions WHERE model_due_at IS NOT NULL",
  );
const sweep = (vars: Partial<Env> = {}) => asSystem(writeMissedCaptions, vars);
const sent = () => queued().filter(({ body }) => Object(body).kind === "stream.captions");

beforeEach(async () => {
  await emptyStream();
  for (const platform of PLATFORMS) await connect(platform);
  takeQueued();
});
afterEach(async () => {
  vi.useRealTimers();
  takeLogs();
  await env.DB.prepare("UPDATE stream_voices SET auto_approve = 0").run();
});
afterAll(async () => {
  await forgetCredentials();
  await emptyStream();
});

describe("a report", () => {
  it("does not wait for the model, and its captions get the model's words while they are pending", async () => {
    const tenant = await tenantThatSays(HELD);
    const { captions, message } = await goLive(tenant.client);
    expect(captions).toMatchObject([
      {
        platform: "discord",
        text: expect.stringContaining("Knitting"),
        engine: WAITING,
        status: "pending",
        version: 1,
      },
      { platform: "x", engine: WAITING },
    ]);
    expect(await tenant.requests()).toEqual([]);
    expect(sent()).toMatchObject([{ lane: "jobs", body: message }]);
    const delivered = deliverQueue({ vars: tenant.vars });
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    await tenant.release();
    await delivered;
    expect(await shown(captions)).toMatchObject([
      { text: "Come in, discord!", engine: { kind: "llm", fallbackReason: null }, status: "pending", version: 2 },
      { text: "Come in, x!", engine: { kind: "llm" } },
    ]);
    expect(await owed()).toEqual([]);
    expect(await tenant.requests()).toHaveLength(1);
  });

  it("without a model owes nothing, and sends nothing", async () => {
    const { captions } = await goLive();
    expect(captions).toMatchObject([{ engine: { kind: "builtin", fallbackReason: null } }, {}]);
    expect([await owed(), sent()]).toEqual([[], []]);
  });

  it("of a milestone is written by the model as well, and so is a check of milestones", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    await newChannel();
    const { body } = await send({ subscribers: 100 }, tenant.client);
    expect(sent()).toMatchObject([{ body: { topic: `milestone ${body.milestones[0].id}` } }]);
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(body.captions)).toMatchObject([{ kind: "milestone", text: "Come in, discord!" }, {}]);
  });

  it("of a milestone that was deleted meanwhile keeps its captions as they are", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    await newChannel();
    const { body: made } = await api.post("/api/stream/milestones", { metric: "subscribers", threshold: 77 });
    const { body } = await send({ subscribers: 80 }, tenant.client);
    await api.delete(`/api/stream/milestones/${made.id}`);
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(body.captions)).toMatchObject([{ engine: { fallbackReason: "topic_deleted" } }, {}]);
    expect([await owed(), await tenant.requests()]).toEqual([[], []]);
  });

  it("is counted as one call: the model's, or the built-in writer's that took its place", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const before = await lastCallId();
    await goLive(tenant.client);
    await deliverQueue({ vars: tenant.vars });
    expect(await callsSince(before)).toMatchObject([{ task: "caption", model: "model_a", input_tokens: 9 }]);
    const between = await lastCallId();
    await tenant.says({ refuse: "401" });
    await goLive(tenant.client);
    await deliverQueue({ vars: tenant.vars });
    const reasons = (await callsSince(between)).flatMap((call) => call.fallback_reason ?? []);
    expect(reasons).toEqual(["provider_unauthorized"]);
  });
});

describe("messages", () => {
  it("that come twice, or to several consumers at once, ask the model once", async () => {
    const tenant = await tenantThatSays(HELD);
    const { captions, message } = await goLive(tenant.client);
    takeQueued();
    const { vars } = tenant;
    const all = Promise.all([1, 2, 3].map(() => deliverBatch("jobs", [message, message], { vars })));
    await until(async () => expect(await tenant.requests()).not.toEqual([]));
    await tenant.release();
    await all;
    await deliverBatch("jobs", [message], { vars });
    expect(await tenant.requests()).toHaveLength(1);
    expect((await shown(captions)).map(({ version }) => version)).toEqual([2, 2]);
  });

  it("that are lost are sent again by the cron, which does the work itself where there is no queue", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const first = await goLive(tenant.client);
    takeQueued();
    await sweep();
    expect(sent()).toMatchObject([{ lane: "jobs", body: first.message }]);
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(first.captions)).toMatchObject([{ engine: { kind: "llm" } }, { engine: { kind: "llm" } }]);

    const second = await goLive(tenant.client);
    takeQueued();
    await sweep({ ...tenant.vars, JOBS: undefined, RETRIES: undefined });
    expect(await shown(second.captions)).toMatchObject([{ engine: { kind: "llm" } }, { engine: { kind: "llm" } }]);
  });

  rarely("whose consumer dies, at whatever point, are made up for by a later attempt", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(WRITTEN);
    const { db, taken } = countStatements(env.DB);
    await goLive(tenant.client);
    await deliverQueue({ vars: { ...tenant.vars, DB: db } });
    const { roundTrips } = taken();
    expect(roundTrips).toBeGreaterThan(4);
    expectErrorLog("queue_message_failed");
    expectErrorLog("deferred_work_failed");
    for (let calls = 0; calls < roundTrips; calls++) {
      const { captions, message } = await goLive(tenant.client);
      takeQueued();
      await deliverBatch("jobs", [message], { vars: { ...tenant.vars, DB: dyingAfter(env.DB, calls) } });
      takeQueued();
      setClock(Date.now() + 60_000);
      await sweep(tenant.vars);
      await deliverQueue({ vars: tenant.vars });
      expect(await shown(captions)).toMatchObject([
        { engine: { kind: "llm" }, version: 2 },
        { engine: { kind: "llm" }, version: 2 },
      ]);
    }
    expect(await owed()).toEqual([]);
  });
});

describe("a model that fails", () => {
  it("is asked again, and after the last attempt the captions say that the built-in writer's stay", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(DOWN);
    const { captions } = await goLive(tenant.client);
    const waits = [];
    for (let attempt = 0; attempt < MODEL_ATTEMPTS; attempt++) {
      await deliverQueue({ vars: tenant.vars });
      const [next] = sent();
      if (!next) break;
      waits.push([next.lane, (next.dueAt - Date.now()) / 1000]);
      setClock(next.dueAt);
    }
    expect(waits).toEqual([
      ["retries", 15],
      ["retries", 60],
      ["retries", 300],
    ]);
    for (const caption of await shown(captions)) {
      expect(caption).toMatchObject({ engine: { kind: "builtin", fallbackReason: "provider_error" }, version: 2 });
      expect(caption.text).toBe(captions.find(({ id }) => id === caption.id)?.text);
    }
    expect(await owed()).toEqual([]);
  });

  it("is found by the cron when the message of its next attempt is lost", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(DOWN);
    const { captions, message } = await goLive(tenant.client);
    await deliverQueue({ vars: tenant.vars });
    takeQueued();
    await sweep();
    expect(sent()).toEqual([]);
    setClock(NOW + 15_000);
    await tenant.says(WRITTEN);
    await sweep();
    expect(sent()).toMatchObject([{ body: { ...message, attempt: 2 } }]);
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(captions)).toMatchObject([{ text: "Come in, discord!" }, { text: "Come in, x!" }]);
  });

  it("whose words cannot be used is not asked again, nor one whose every consumer died", async () => {
    const tenant = await tenantThatSays({ json: { captions: [] } });
    const { captions } = await goLive(tenant.client);
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(captions)).toMatchObject([{ engine: { fallbackReason: "invalid_output" } }, {}]);

    const second = await goLive(tenant.client);
    takeQueued();
    await env.DB.prepare("UPDATE captions SET model_attempts = ? WHERE model_due_at IS NOT NULL")
      .bind(MODEL_ATTEMPTS)
      .run();
    await sweep();
    await deliverQueue({ vars: tenant.vars });
    expect(await shown(second.captions)).toMatchObject([{ engine: { fallbackReason: "interrupted" } }, {}]);
    expect([await owed(), await tenant.requests()]).toMatchObject([[], [{}]]);
  });
});

describe("what a person does while the model is at work", () => {
  /** Goes live, has the model begin, and does something with the caption for Discord before the model is done. */
  async function meanwhile(act: (caption: Shown) => Promise<{ status: number }>): Promise<Shown[]> {
    const tenant = await tenantThatSays(HELD);
    const { captions, message } = await goLive(tenant.client);
    takeQueued();
    const working = deliverBatch("jobs", [message], { vars: tenant.vars });
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    const [first] = captions;
    if (!first) throw new Error("no caption");
    expect((await act(first)).status).toBe(200);
    const [before] = await shown([first]);
    await tenant.release();
    await working;
    const after = await shown(captions);
    expect(after[0]).toEqual(before);
    expect(after[1]).toMatchObject({ text: "Come in, x!", engine: { kind: "llm" } });
    expect([await owed(), sent()]).toEqual([[], []]);
    return after;
  }

  const decide = (captionId: number, action: string) => api.post("/api/stream/captions/approve", { captionId, action });

  it("stays: an edit", async () => {
    const [edited] = await meanwhile(({ id }) => api.patch(`/api/stream/captions/${id}`, { text: "My own words" }));
    expect(edited).toMatchObject({ text: "My own words", version: 2 });
  });

  it("stays: an approval, and a skip", async () => {
    expect((await meanwhile(({ id }) => decide(id, "approve")))[0]).toMatchObject({
      status: "approved",
      engine: WAITING,
    });
    expect((await meanwhile(({ id }) => decide(id, "skip")))[0]).toMatchObject({ status: "skipped" });
  });

  it("stays: a decision about many", async () => {
    const [approved] = await meanwhile(({ id }) =>
      api.patch("/api/stream/captions/pending", { ids: [id], status: "approved" }),
    );
    expect(approved).toMatchObject({ status: "approved", version: 2 });
  });

  it("stays: captions that a person has had written anew", async () => {
    const [anew] = await meanwhile((caption) =>
      api.post("/api/stream/captions/generate", { kind: "go_live", platforms: [caption.platform], notes: "Ada joins" }),
    );
    expect(anew).toMatchObject({ engine: { kind: "builtin", fallbackReason: null }, version: 2 });
  });

  it("is refused by the version where it was based on the text before", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const { captions } = await goLive(tenant.client);
    await deliverQueue({ vars: tenant.vars });
    const [first] = captions;
    const change = { text: "Too late" };
    const answer = await api.patch(`/api/stream/captions/${first?.id}`, change, { headers: { "if-match": '"1"' } });
    expect(answer.status).toBe(412);
  });
});

describe("a caption that is approved automatically", () => {
  beforeEach(() => api.patch("/api/stream/voice/discord", { autoApprove: true }));

  it("is approved at once, and gets the model's words until it is posted", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const { captions } = await goLive(tenant.client);
    expect(captions[0]).toMatchObject({ status: "approved", engine: WAITING });
    await deliverQueue({ vars: tenant.vars });
    const [first] = await shown(captions);
    expect(first).toMatchObject({ status: "approved", text: "Come in, discord!", engine: { kind: "llm" } });
  });

  it("is posted as it is when it is dispatched before the model is done", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const { captions } = await goLive(tenant.client);
    const { body } = await api.post("/api/stream/captions/dispatch", {});
    expect(body).toMatchObject({ posted: 1, failed: 0 });
    await deliverQueue({ vars: tenant.vars });
    const [first, second] = await shown(captions);
    expect(first).toMatchObject({ status: "posted", text: captions[0]?.text, engine: WAITING });
    expect(second).toMatchObject({ status: "pending", engine: { kind: "llm" } });
    expect(await owed()).toEqual([]);
  });

  it("keeps its words once a person has approved it too", async () => {
    const tenant = await tenantThatSays(WRITTEN);
    const { captions } = await goLive(tenant.client);
    const approve = { captionId: captions[0]?.id, action: "approve" };
    for (let time = 0; time < 2; time++) {
      const { body } = await api.post("/api/stream/captions/approve", approve);
      expect(body).toMatchObject({ status: "approved", version: 2 });
    }
    await deliverQueue({ vars: tenant.vars });
    expect((await shown(captions))[0]).toMatchObject({ text: captions[0]?.text, version: 2 });
  });
});
