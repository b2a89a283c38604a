import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect, disconnect } from "../../src/features/bookings/connection.ts";
import { syncIfConnected } from "../../src/features/bookings/sync.ts";
import { HANDLERS } from "../../src/queue.ts";
import { expectErrorLog, takeLogs } from "../harness.ts";
import { countStatements, dyingAfter } from "../measured.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { mailbox, signedInPerson } from "../settings/people.ts";
import { asSystem } from "../webhooks/receiver.ts";
import { type Account, newAccount, QUICK, slot } from "./account.ts";

/* A sync that stops at its limit continues through the queue at once; the cron finds what the queue loses. */

const PAGE = 250;
const ONE_PAGE = { ...QUICK, maxPages: 1 };

interface Run {
  runId: string;
  trigger: string;
  mode: string;
  status: string;
  created: number;
  fetched: number;
  errors: string[];
}

/** Oldest first. */
async function runsOf(account: Account): Promise<Run[]> {
  const { body } = await account.client.get("/api/bookingsvc/sync/runs?limit=100");
  return body.data.toReversed();
}

const createdBy = (runs: readonly Run[]) => runs.reduce((sum, { created }) => sum + created, 0);
const events = () => env.DB.prepare("SELECT count(*) AS count FROM events").first<number>("count");
const place = () =>
  env.DB.prepare("SELECT resume_at, full_resume_at, last_full_at FROM booking_connection").first<
    Record<string, number>
  >();

async function accountWith(bookings: number): Promise<Account> {
  const account = await newAccount();
  await account.book(...Array.from({ length: bookings }, (_, n) => ({ start: slot(n) })));
  return account;
}

beforeEach(() => takeQueued());
afterEach(() => takeLogs());

describe("a first sync that stops at its limit", () => {
  it("continues through the queue until it is complete, each part a run of the same trigger", async () => {
    const account = await accountWith(5 * PAGE);
    expect(await account.sync({}, ONE_PAGE)).toMatchObject({ status: "partial", created: PAGE, mode: "full" });
    expect(queued()).toMatchObject([
      { lane: "retries", body: { kind: "bookings.sync", trigger: "manual", from: { fullResumeAt: null } } },
    ]);
    await deliverQueue({ vars: account.vars });
    const runs = await runsOf(account);
    expect(runs.map(({ trigger, mode, status }) => `${trigger} ${mode} ${status}`)).toEqual([
      "manual full partial",
      "manual full succeeded",
    ]);
    expect([createdBy(runs), await events()]).toEqual([5 * PAGE, 5 * PAGE]);
    expect(await place()).toMatchObject({ resume_at: null, full_resume_at: null, last_full_at: expect.any(Number) });
  });

  it("of 10,000 bookings needs several messages, each within its budget, and reads every booking once", async () => {
    const account = await accountWith(10_000);
    await account.sync({}, ONE_PAGE);
    const { db, taken } = countStatements(env.DB);
    let messages = 0;
    for (let [next] = takeQueued(); next; [next] = takeQueued()) {
      messages += 1;
      await deliverBatch("retries", [next.body], { vars: { ...account.vars, DB: db } });
      expect(taken().statements).toBeLessThanOrEqual(HANDLERS["bookings.sync"].statements);
    }
    expect(messages).toBeGreaterThan(1);
    const runs = await runsOf(account);
    expect(runs.map(({ status }) => status)).toEqual([...Array(messages).fill("partial"), "succeeded"]);
    expect([createdBy(runs), await events()]).toEqual([10_000, 10_000]);
    expect(takeLogs().filter((line) => line.includes('failed":1'))).toEqual([]);

    expect(await account.sync({ full: true }, ONE_PAGE)).toMatchObject({ status: "partial", mode: "full" });
    await deliverQueue({ vars: account.vars });
    const again = (await runsOf(account)).slice(runs.length);
    expect(again.at(-1)).toMatchObject({ status: "succeeded", mode: "full", created: 0 });
    expect(again.every(({ mode, created }) => mode === "full" && created === 0)).toBe(true);
  });

  it("is continued once, though the message comes twice or to several consumers at once", async () => {
    const account = await accountWith(4 * PAGE);
    await account.sync({}, ONE_PAGE);
    const [message] = takeQueued();
    const copies = [1, 2, 3].map(() => deliverBatch("retries", [message?.body, message?.body], { vars: account.vars }));
    await Promise.all(copies);
    await deliverBatch("retries", [message?.body], { vars: account.vars });
    const runs = await runsOf(account);
    expect(runs.map(({ status }) => status)).toEqual(["partial", "succeeded"]);
    expect([createdBy(runs), await events(), queued()]).toEqual([4 * PAGE, 4 * PAGE, []]);
  });

  it("is continued by the cron when the message is lost, and the message that comes after all does nothing", async () => {
    const account = await accountWith(3 * PAGE);
    await account.sync({}, ONE_PAGE);
    const [late] = takeQueued();
    await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), account.vars);
    await deliverBatch("retries", [late?.body], { vars: account.vars });
    const runs = await runsOf(account);
    expect(runs.map(({ trigger, status }) => `${trigger} ${status}`)).toEqual(["manual partial", "cron succeeded"]);
    expect([createdBy(runs), await events()]).toEqual([3 * PAGE, 3 * PAGE]);
  });

  it("stays correct when a consumer dies at whatever point: the cron continues", async () => {
    const account = await accountWith(2 * PAGE);
    for (let calls = 0; calls < 8; calls++) {
      await env.DB.batch(["events", "sync_runs"].map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
      await env.DB.prepare(
        "UPDATE booking_connection SET watermark = NULL, resume_at = NULL, last_full_at = NULL",
      ).run();
      await account.sync({}, ONE_PAGE);
      const [message] = takeQueued();
      expectErrorLog("queue_message_failed");
      await deliverBatch("retries", [message?.body], { vars: { ...account.vars, DB: dyingAfter(env.DB, calls) } });
      // Two minutes later, when the lease of a run that died has expired.
      await env.DB.prepare("UPDATE sync_runs SET lease_until = 1 WHERE status = 'running'").run();
      await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), account.vars);
      expect(await events()).toBe(2 * PAGE);
      const runs = await runsOf(account);
      expect(runs.at(-1)).toMatchObject({ trigger: "cron", status: "succeeded" });
      expect(runs.filter(({ status }) => status === "running")).toEqual([]);
    }
  });

  it("is not continued for another key, nor after the provider was disconnected", async () => {
    const account = await accountWith(3 * PAGE);
    await account.sync({}, ONE_PAGE);
    await connect(account.context(), { apiKey: account.key });
    await deliverQueue({ vars: account.vars });
    expect(await runsOf(account)).toHaveLength(1);
    await account.sync({}, ONE_PAGE);
    await disconnect(account.context());
    await deliverQueue({ vars: account.vars });
    expect(await runsOf(account)).toHaveLength(2);
  });

  it("is not continued while another run is active: that one goes on", async () => {
    const account = await accountWith(2 * PAGE);
    await account.sync({}, ONE_PAGE);
    await env.DB.prepare("UPDATE sync_runs SET status = 'running', lease_until = ?")
      .bind(Date.now() + 60_000)
      .run();
    await deliverQueue({ vars: account.vars });
    expect(await runsOf(account)).toHaveLength(1);
    await env.DB.prepare("UPDATE sync_runs SET status = 'partial'").run();
  });

  it("that stops where it began is left to the cron, so that no run follows another without end", async () => {
    const account = await newAccount();
    await account.book(...Array.from({ length: 3 * PAGE }, () => ({ start: slot(1) })));
    await account.sync({}, ONE_PAGE);
    expect(takeQueued()).toHaveLength(1);
    expect(await account.sync({}, ONE_PAGE)).toMatchObject({ status: "partial", created: 0 });
    expect(queued()).toEqual([]);
    await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), account.vars);
    expect(await events()).toBe(3 * PAGE);
  });
});

describe("a full sync that stops at its limit", () => {
  it("continues its second pass where it stopped, also by an incremental run of the cron", async () => {
    const account = await accountWith(4 * PAGE);
    await account.sync();
    takeQueued();
    const before = (await runsOf(account)).length;
    // Two pages are of changes, since the last five minutes are read again, and two of bookings by start.
    expect(await account.sync({ full: true }, { ...QUICK, maxPages: 4 })).toMatchObject({ status: "partial" });
    expect(await place()).toMatchObject({ resume_at: null, full_resume_at: slot(2 * PAGE - 2).getTime() });
    takeQueued();
    await account.requests();
    await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), account.vars);
    const [, run] = (await runsOf(account)).slice(before);
    expect(run).toMatchObject({ trigger: "cron", mode: "full", status: "succeeded" });
    const byStart = (await account.requests()).filter(({ query }) => query.includes("afterStart"));
    expect(byStart).toHaveLength(3);
    expect(await place()).toMatchObject({ resume_at: null, full_resume_at: null });
    await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), account.vars);
    expect((await runsOf(account)).at(-1)).toMatchObject({ mode: "incremental" });
  });

  it("finds changes that the provider does not date, in the parts that the queue reads", async () => {
    const account = await accountWith(4 * PAGE);
    await account.sync();
    const changed = (await account.truth())[600];
    if (!changed) throw new Error("no booking");
    const { uid, updatedAt, start, end } = changed;
    await account.change(uid, { title: "Changed in secret", updatedAt });
    await account.sync({ full: true }, ONE_PAGE);
    const titles = async () =>
      (await account.events(`&start=${start}&end=${end}`)).map(({ title }: { title: string }) => title);
    expect(await titles()).toEqual([changed.title]);
    await deliverQueue({ vars: account.vars });
    expect((await runsOf(account)).at(-1)).toMatchObject({ mode: "full", status: "succeeded" });
    expect(await titles()).toEqual(["Changed in secret"]);
  });
});

describe("a continuation whose provider fails", () => {
  it("is recorded and told to the owner like any other run, and the cron continues", async () => {
    const account = await accountWith(3 * PAGE);
    const owner = await signedInPerson();
    const mail = mailbox();
    const vars = { ...account.vars, ...mail.vars, OWNER_EMAIL: owner.email };
    await account.sync({}, ONE_PAGE);
    await account.faults({ kind: "500" });
    await deliverQueue({ vars });
    expect((await runsOf(account)).at(-1)).toMatchObject({ trigger: "manual", status: "failed" });
    expect(mail.subjectsTo(owner.email)).toEqual(["The booking sync is failing"]);
    expect(queued()).toEqual([]);
    await account.faults();
    await asSystem((ctx) => syncIfConnected(ctx, { trigger: "cron" }), vars);
    expect(await events()).toBe(3 * PAGE);
  });
});
