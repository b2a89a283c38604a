import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMessages, MAX_ROUNDS } from "../../src/features/webhooks/outbox.ts";
import { OUTBOUND_EVENTS } from "../../src/lib/outbound-events.ts";
import { HANDLERS } from "../../src/queue.ts";
import { countRows, setClock } from "../auth/people.ts";
import { service } from "../harness.ts";
import { countStatements, measureRows } from "../measured.ts";
import { asSystem, happen, newWebhook, outboxRows, removeWebhooks } from "./receiver.ts";

const counted = countStatements(env.DB);
const client = service({ DB: counted.db });

beforeEach(removeWebhooks);
afterEach(async () => {
  vi.useRealTimers();
  await removeWebhooks();
});

async function costOf(work: () => Promise<unknown>): Promise<{ roundTrips: number; statements: number }> {
  counted.taken();
  await work();
  return counted.taken();
}
const roundTripsOf = async (work: () => Promise<unknown>) => (await costOf(work)).roundTrips;

const write = () => client.post("/api/tasks", { title: "x" });
const read = () => client.get("/api/tasks?limit=1");

describe("without webhooks", () => {
  it("a write asks for them once a minute, after its answer, and a read never", async () => {
    expect(await roundTripsOf(read)).toBe(1);
    expect(await roundTripsOf(write)).toBe(2);
    expect(await roundTripsOf(write)).toBe(1);
    setClock(Date.now() + 61_000);
    expect(await roundTripsOf(read)).toBe(1);
    expect(await roundTripsOf(write)).toBe(2);
    expect(await roundTripsOf(write)).toBe(1);
  });

  it("a write that was refused does not ask", async () => {
    expect(await roundTripsOf(() => client.post("/api/tasks", {}))).toBe(0);
  });

  it("asking reads next to nothing", async () => {
    const measured = measureRows(env.DB);
    const api = service({ DB: measured.db });
    await api.post("/api/tasks", { title: "x" });
    const [, ...asked] = measured.taken();
    expect(asked).toHaveLength(2);
    expect(asked.reduce((sum, rows) => sum + rows)).toBeLessThanOrEqual(3);
  });

  it("one that is added ends the minute at once", async () => {
    await write();
    const webhook = await newWebhook(["task.created"]);
    await write();
    expect(await webhook.received()).toHaveLength(1);
  });
});

describe("with a webhook that wants nothing of this", () => {
  it("a write that raises no event asks once, and nothing more", async () => {
    await newWebhook(["email.received"]);
    expect(await roundTripsOf(() => client.post("/api/tasks/lists", { name: "Errands" }))).toBe(2);
  });
});

/** D1 with the limit that the local one lacks: a value of two million bytes. */
function strictDatabase(db: D1Database): D1Database {
  const check = (values: unknown[]) => {
    const longest = Math.max(0, ...values.map((value) => (typeof value === "string" ? value.length : 0)));
    if (longest > 2_000_000) throw new Error("string or blob too big: SQLITE_TOOBIG");
  };
  const strictly = (statement: D1PreparedStatement) =>
    Object.assign(Object.create(statement), {
      bind(...values: unknown[]) {
        check(values);
        return statement.bind(...values);
      },
    });
  return Object.assign(Object.create(db), {
    prepare: (sql: string) => strictly(db.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) => db.batch(statements),
  });
}

describe("with very many webhooks", () => {
  it("a full round of events becomes a delivery for each, though all of them exceed one value", async () => {
    const webhook = await newWebhook(["task.created"]);
    await env.DB.prepare(
      `INSERT INTO webhook_endpoints (user_id, url, event_types, enabled, secret, version, created_at, updated_at)
        SELECT user_id, url, event_types, 1, secret, 1, 0, 0
        FROM webhook_endpoints, json_each(?) WHERE webhook_endpoints.id = ?`,
    )
      .bind(JSON.stringify(Array(199).fill(0)), webhook.id)
      .run();
    await happen(50);
    await asSystem(createMessages, { DB: strictDatabase(env.DB) });
    expect(await countRows("webhook_deliveries", "1")).toBe(200 * 50);
    expect(await outboxRows()).toEqual([]);
  });
});

describe("the queue's message that continues the outbox", () => {
  it("fits as many rounds into its budget as it makes, even if every type occurs in each", async () => {
    await newWebhook();
    const insert = env.DB.prepare("INSERT INTO outbox (type, record_id, at) SELECT value, '1', 0 FROM json_each(?)");
    await insert.bind(JSON.stringify(OUTBOUND_EVENTS)).run();
    const statements = (await costOf(() => asSystem(createMessages, { DB: counted.db }))).statements;
    expect(await outboxRows()).toEqual([]);
    expect(statements).toBeLessThanOrEqual(HANDLERS["webhook.outbox"].statements / MAX_ROUNDS);
  });
});
