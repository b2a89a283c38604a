import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { MODEL_ATTEMPTS } from "../../src/features/ai-models/later.ts";
import { analyseOverdue } from "../../src/features/emails/analysis/owed.ts";
import { callsSince, lastCallId, newTenant } from "../ai/tenant.ts";
import { setClock } from "../auth/people.ts";
import { emptyService, expectErrorLog, service, takeLogs } from "../harness.ts";
import { countStatements, dyingAfter, measurePrice } from "../measured.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { until } from "../until.ts";
import { asSystem, newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

/* An inbound email owes its analysis from the moment it is stored, whatever happens to the messages and consumers. */

const api = service();
const NOW = Date.UTC(2030, 2, 4, 9);
const SAID = {
  json: {
    urgencyScore: 60,
    urgencyReasons: [],
    category: "work",
    sentiment: "neutral",
    summary: "Bob wants a contract.",
    insights: [],
    actionItems: [],
    meeting: null,
    replyNeeded: true,
  },
};
const HELD = { ...SAID, held: true } as const;
const DOWN = { refuse: "500" } as const;

type Tenant = Awaited<ReturnType<typeof newTenant>>;

async function tenantThatSays(...turns: Parameters<Tenant["says"]>): Promise<Tenant> {
  const tenant = await newTenant();
  await tenant.says(...turns);
  return tenant;
}

/** Stores an inbound email and returns its id. What it sent waits in the queue. */
async function receive(vars: Partial<Env> = {}): Promise<number> {
  const tag = `owed-${crypto.randomUUID()}`;
  const raw = `From: bob@example.org\nSubject: Contract\nMessage-ID: <${tag}>\n\nPlease send me the contract.\n`;
  expect(await deliver(raw, { to: `${tag}@example.com`, vars })).toBeNull();
  return (await api.get(`/api/emails?tag=${tag}`)).body.data[0].id;
}

const read = async (id: number) => (await api.get(`/api/emails/${id}`)).body;
const message = (id: number, attempt = 1) => ({ kind: "email.analysis", id, attempt });
const owed = (id: number) =>
  env.DB.prepare("SELECT analysis_due_at AS dueAt, analysis_attempts AS attempts FROM emails WHERE id = ?")
    .bind(id)
    .first<{ dueAt: number | null; attempts: number }>();
const sweep = (vars: Partial<Env> = {}) => asSystem(analyseOverdue, vars);
/** The analyses that wait, since other work may be in the queue as well. */
const sent = () => queued().filter(({ body }) => Object(body).kind === "email.analysis");

beforeEach(() => takeQueued());
afterEach(async () => {
  vi.useRealTimers();
  takeLogs();
  await emptyService();
});
afterAll(removeWebhooks);

describe("an inbound email", () => {
  it("owes its analysis once it is stored, and the queue makes it", async () => {
    const id = await receive();
    expect(sent()).toMatchObject([{ lane: "jobs", body: message(id) }]);
    expect(await owed(id)).toMatchObject({ dueAt: expect.any(Number), attempts: 0 });
    const { analysis, version } = await read(id);
    expect([analysis, version]).toEqual([null, 1]);
    await deliverQueue();
    expect(await owed(id)).toEqual({ dueAt: null, attempts: 1 });
    expect(await read(id)).toMatchObject({
      analysis: { engine: { kind: "builtin", fallbackReason: null } },
      version: 2,
    });
    await sweep();
    expect(sent()).toEqual([]);
  });

  it("that arrives again, or comes by the API, owes none", async () => {
    const raw = "From: bob@example.org\nMessage-ID: <again-owed@x>\n\nPlease send me the contract.\n";
    for (const to of ["one@example.com", "one@example.com", "two@example.com"]) await deliver(raw, { to });
    expect(sent()).toHaveLength(1);
    takeQueued();
    const { id } = await storeMail(api, "not-owed", { createTasks: "action_items", body: "Please sign it." });
    expect(await owed(id)).toEqual({ dueAt: null, attempts: 0 });
    expect(sent()).toEqual([]);
  });

  it("is analysed once, told once and paid for once, however often the message comes", async () => {
    await removeWebhooks();
    const webhook = await newWebhook(["email.analyzed", "task.created"]);
    const tenant = await tenantThatSays(SAID);
    const calls = await lastCallId();
    const id = await receive(tenant.vars);
    const again = message(id);
    await deliverBatch("jobs", [again, again, again], { vars: tenant.vars });
    await Promise.all([1, 2, 3].map(() => deliverBatch("jobs", [again], { vars: tenant.vars })));
    await deliverQueue({ vars: tenant.vars });
    expect(await read(id)).toMatchObject({ analysis: { summary: "Bob wants a contract." }, version: 2 });
    expect(await tenant.requests()).toHaveLength(1);
    expect(await callsSince(calls)).toMatchObject([{ task: "email_intelligence", model: "model_a", input_tokens: 9 }]);
    expect((await webhook.events()).map(({ type }) => type).sort()).toEqual(["email.analyzed", "task.created"]);
    expect((await api.get(`/api/tasks?emailId=${id}&status=all`)).body.data).toHaveLength(1);
    await removeWebhooks();
  });

  it("is analysed by one of two consumers at once", async () => {
    const tenant = await tenantThatSays(HELD);
    const id = await receive(tenant.vars);
    takeQueued();
    const all = Promise.all([1, 2, 3, 4].map(() => deliverBatch("jobs", [message(id)], { vars: tenant.vars })));
    await until(async () => expect(await tenant.requests()).not.toEqual([]));
    await tenant.release();
    await all;
    expect(await tenant.requests()).toHaveLength(1);
    expect((await read(id)).version).toBe(2);
  });

  it("whose message is lost is sent again by the cron", async () => {
    const id = await receive();
    takeQueued();
    await sweep();
    expect(sent()).toMatchObject([{ lane: "jobs", body: message(id) }]);
    await deliverQueue();
    expect((await read(id)).analysis).not.toBeNull();
  });

  it("is analysed by the cron itself where there is no queue", async () => {
    const vars = { JOBS: undefined, RETRIES: undefined };
    const ids = [await receive(vars), await receive(vars)];
    expect(sent()).toEqual([]);
    await sweep(vars);
    for (const id of ids) expect((await read(id)).analysis).not.toBeNull();
  });

  rarely("whose consumer dies, at whatever point, is analysed by a later attempt, and told once", async () => {
    setClock(NOW);
    await removeWebhooks();
    const webhook = await newWebhook(["email.analyzed"]);
    const tenant = await tenantThatSays(SAID);
    const { db, taken } = countStatements(env.DB);
    await receive(tenant.vars);
    await deliverQueue({ vars: { ...tenant.vars, DB: db } });
    const { roundTrips } = taken();
    expect(roundTrips).toBeGreaterThan(4);
    expectErrorLog("queue_message_failed");
    expectErrorLog("deferred_work_failed");
    for (let calls = 0; calls < roundTrips; calls++) {
      const id = await receive(tenant.vars);
      takeQueued();
      await deliverBatch("jobs", [message(id)], { vars: { ...tenant.vars, DB: dyingAfter(env.DB, calls) } });
      takeQueued();
      await deliverBatch("jobs", [message(id)], { vars: tenant.vars });
      const { analysis } = await read(id);
      const claimed = { dueAt: Date.now() + 60_000, attempts: 1 };
      expect(await owed(id)).toEqual(analysis ? { dueAt: null, attempts: 1 } : claimed);
      setClock(Date.now() + 60_000);
      await sweep(tenant.vars);
      await deliverQueue({ vars: tenant.vars });
      expect(await read(id)).toMatchObject({ analysis: { engine: { kind: "llm" } }, version: 2 });
    }
    const told = (await webhook.events()).map(({ data }) => data.id);
    expect(told).toHaveLength(roundTrips + 1);
    expect(new Set(told).size).toBe(told.length);
    await removeWebhooks();
  });

  it("is analysed by the built-in engine when every consumer of the model dies, and given up when that one dies too", async () => {
    const ids = [await receive(), await receive()] as const;
    takeQueued();
    const die = (id: number, attempts: number) =>
      env.DB.prepare("UPDATE emails SET analysis_attempts = ?, analysis_due_at = 1 WHERE id = ?")
        .bind(attempts, id)
        .run();
    await die(ids[0], MODEL_ATTEMPTS);
    await die(ids[1], MODEL_ATTEMPTS + 1);
    const tenant = await tenantThatSays(SAID);
    await sweep();
    expectErrorLog("analysis_given_up");
    await deliverQueue({ vars: tenant.vars });
    expect((await read(ids[0])).analysis.engine).toMatchObject({ kind: "builtin", fallbackReason: "interrupted" });
    expect((await read(ids[1])).analysis).toBeNull();
    expect(await tenant.requests()).toEqual([]);
    for (const id of ids) expect((await owed(id))?.dueAt).toBeNull();
    expect((await api.get(`/api/emails/${ids[1]}/ai-analysis`)).status).toBe(200);
  });

  it("that was deleted meanwhile costs nothing", async () => {
    const tenant = await tenantThatSays(SAID);
    const id = await receive(tenant.vars);
    await api.delete(`/api/emails/${id}`);
    await deliverQueue({ vars: tenant.vars });
    expect(await tenant.requests()).toEqual([]);
  });
});

it("an inbound email writes two rows more than one of the API, and its analysis few", async () => {
  const { db, taken } = measurePrice(env.DB);
  const receiveShort = async () => {
    const raw = `From: bob@example.org\nSubject: Hello\nMessage-ID: <${crypto.randomUUID()}>\n\nSee you soon.\n`;
    await deliver(raw, { to: "short@example.com", vars: { DB: db } });
    return taken();
  };
  // The first of a kind also begins its counters.
  await receiveShort();
  await deliverQueue();
  const { rowsWritten } = await receiveShort();
  expect(rowsWritten).toBeLessThanOrEqual(25);
  takeQueued();
  await storeMail(service({ DB: db }), "short", { from: "bob@example.org", body: "See you soon.", subject: "Hello" });
  // One for the analysis that is owed, one for the raw message that is kept.
  expect(taken().rowsWritten).toBe(rowsWritten - 2);
  await receiveShort();
  await deliverQueue({ vars: { DB: db } });
  expect(taken().rowsWritten).toBeLessThanOrEqual(15);
});

describe("a model that fails", () => {
  /** Delivers what is due and says after how many seconds the next attempt is. */
  async function attempt(vars: Partial<Env>): Promise<number | null> {
    await deliverQueue({ vars });
    const [next] = sent();
    if (!next) return null;
    expect(next.lane).toBe("retries");
    const seconds = (next.dueAt - Date.now()) / 1000;
    setClock(next.dueAt);
    return seconds;
  }

  it("is asked again after 15 seconds, one minute and five, until it answers", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(DOWN, DOWN, DOWN, DOWN, DOWN, DOWN, SAID);
    const id = await receive(tenant.vars);
    const waits: (number | null)[] = [];
    for (let seconds = await attempt(tenant.vars); seconds !== null; seconds = await attempt(tenant.vars)) {
      expect((await read(id)).analysis).toBeNull();
      expect((await owed(id))?.dueAt).toBe(Date.now());
      waits.push(seconds);
    }
    expect(waits.slice(0, 2)).toEqual([15, 60]);
    expect((await read(id)).analysis).toMatchObject({ summary: "Bob wants a contract.", engine: { kind: "llm" } });
    expect(takeLogs().filter((line) => line.includes("analysis_postponed"))).toHaveLength(waits.length);
  });

  it("for good leaves the analysis to the built-in engine, which says why, after the fourth attempt", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(DOWN);
    const calls = await lastCallId();
    const id = await receive(tenant.vars);
    const waits = [];
    for (let attempts = 0; attempts < MODEL_ATTEMPTS; attempts++) waits.push(await attempt(tenant.vars));
    expect(waits).toEqual([15, 60, 300, null]);
    expect((await read(id)).analysis.engine).toMatchObject({ kind: "builtin", fallbackReason: "provider_error" });
    expect(await owed(id)).toEqual({ dueAt: null, attempts: MODEL_ATTEMPTS });
    const recorded = await callsSince(calls);
    expect(recorded.filter(({ model }) => model === "builtin")).toMatchObject([{ fallback_reason: "provider_error" }]);
    expect(recorded).toHaveLength(MODEL_ATTEMPTS + 1);
  });

  it("and names a time is asked again then", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays({ refuse: "429 later" });
    await receive(tenant.vars);
    expect(await attempt(tenant.vars)).toBe(17);
  });

  it("is found by the cron when the message of its next attempt is lost, and not before that is due", async () => {
    setClock(NOW);
    const tenant = await tenantThatSays(DOWN);
    const id = await receive(tenant.vars);
    await deliverQueue({ vars: tenant.vars });
    takeQueued();
    await sweep();
    expect(sent()).toEqual([]);
    setClock(NOW + 15_000);
    await tenant.says(SAID);
    await sweep();
    expect(sent()).toMatchObject([{ lane: "jobs", body: message(id, 2) }]);
    await deliverQueue({ vars: tenant.vars });
    expect((await read(id)).analysis.engine.kind).toBe("llm");
  });

  it.each([
    ["a refused key", { refuse: "401" }, "provider_unauthorized"],
    ["a quota that is used up", { refuse: "quota" }, "provider_quota_exhausted"],
    ["an answer of another form", { json: { nothing: true } }, "invalid_output"],
  ] as const)("with %s is not asked again", async (_, turn, fallbackReason) => {
    const tenant = await tenantThatSays(turn);
    const id = await receive(tenant.vars);
    await deliverQueue({ vars: tenant.vars });
    expect((await read(id)).analysis.engine).toMatchObject({ kind: "builtin", fallbackReason });
    expect(sent()).toEqual([]);
  });
});

describe("while the model is at work", () => {
  it("an analysis that a person asks for stays, and is told once", async () => {
    await removeWebhooks();
    const webhook = await newWebhook(["email.analyzed"]);
    const tenant = await tenantThatSays(HELD);
    const id = await receive(tenant.vars);
    takeQueued();
    const working = deliverBatch("jobs", [message(id)], { vars: tenant.vars });
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    const { body: own } = await api.get(`/api/emails/${id}/ai-analysis`);
    expect(own.engine.kind).toBe("builtin");
    expect(await owed(id)).toEqual({ dueAt: null, attempts: 1 });
    await tenant.release();
    await working;
    await deliverQueue({ vars: tenant.vars });
    expect(await read(id)).toMatchObject({ analysis: own, version: 2 });
    expect(await webhook.events()).toHaveLength(1);
    await removeWebhooks();
  });

  it("a change of the email is kept", async () => {
    const tenant = await tenantThatSays(HELD);
    const id = await receive(tenant.vars);
    takeQueued();
    const working = deliverBatch("jobs", [message(id)], { vars: tenant.vars });
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    await api.patch(`/api/emails/${id}`, { isRead: true, tags: ["mine"] }, { headers: { "if-match": '"1"' } });
    await tenant.release();
    await working;
    expect(await read(id)).toMatchObject({
      isRead: true,
      tags: ["mine"],
      version: 3,
      analysis: { engine: { kind: "llm" } },
    });
  });

  it("an attempt that was taken for dead changes nothing about the result of the next one", async () => {
    const tenant = await tenantThatSays(HELD, { json: { ...SAID.json, summary: "The second one." } });
    const id = await receive(tenant.vars);
    takeQueued();
    const working = deliverBatch("jobs", [message(id)], { vars: tenant.vars });
    await until(async () => expect(await tenant.requests()).toHaveLength(1));
    await env.DB.prepare("UPDATE emails SET analysis_due_at = 1 WHERE id = ?").bind(id).run();
    await sweep();
    await deliverQueue({ vars: tenant.vars });
    await tenant.release();
    await working;
    expect(await read(id)).toMatchObject({ analysis: { summary: "The second one." }, version: 2 });
  });
});
