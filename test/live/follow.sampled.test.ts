import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { purgeChanges } from "../../src/features/live/service.ts";
import { runSchedule } from "../../src/schedule.ts";
import { talkTo } from "../ai/chatting.ts";
import { deliver } from "../emails/deliver.ts";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { job, oneCron } from "../jobs/schedules.ts";
import { countStatements } from "../measured.ts";
import { deliverQueue } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { until } from "../until.ts";
import { type Heard, type Listener, listen, ready } from "./listening.ts";

const api = service();
const PATH = "/api/live";

const newTask = async (title = "Call the bank"): Promise<number> => (await api.post("/api/tasks", { title })).body.id;
const recordsOf = (events: readonly (Heard | null)[]) => events.map((event) => event?.data.recordId);
const leaveAll = (listeners: readonly Listener[]) => Promise.all(listeners.map((each) => each.leave()));
const newest = async () => (await env.DB.prepare("SELECT max(id) AS id FROM changes").first<number>("id")) ?? 0;

describe("a live client", () => {
  it("is told at once of what others do, and so are two more", async () => {
    const listeners = [await ready(), await ready(), await ready()];
    const id = await newTask();
    await api.patch(`/api/tasks/${id}`, { status: "done" });
    for (const listener of listeners) {
      const [created, completed] = await listener.take(2);
      expect(created).toMatchObject({ event: "change", data: { type: "task.created", recordId: id, version: 1 } });
      expect(completed).toMatchObject({ event: "change", data: { type: "task.completed", recordId: id, version: 2 } });
      expect(created?.id).toBe(String(created?.data.id));
    }
    await leaveAll(listeners);
  });

  it("gets a stream that no proxy keeps, with where it stands, since when, and when to come back", async () => {
    await newTask();
    await env.DB.prepare("UPDATE changes SET at = at - 3600000").run();
    const listener = await listen();
    const { headers, status } = listener.response;
    expect([
      status,
      headers.get("content-type"),
      headers.get("cache-control"),
      headers.get("x-accel-buffering"),
    ]).toEqual([200, "text/event-stream", "no-store", "no"]);
    const last = await newest();
    const first = await listener.next();
    const quietMs = expect.any(Number);
    expect(first).toEqual({ event: "ready", id: String(last), data: { lastEventId: last, quietMs }, retry: 2000 });
    expect(first?.data.quietMs).toBeGreaterThanOrEqual(3_600_000);
    await newTask();
    const later = await listen();
    expect((await later.next())?.data.quietMs).toBeLessThan(3_600_000);
    const continued = await listen(PATH, { lastEventId: last });
    expect((await continued.next())?.data).toEqual({ lastEventId: last });
    await leaveAll([listener, later, continued]);
  });

  it("is no HEAD and no other Accept: those get the headers and the list of JSON", async () => {
    const headers = { accept: "text/event-stream" };
    const head = await api.call("HEAD", PATH, { headers });
    expect([head.status, head.headers.get("content-type"), head.text]).toEqual([200, "application/json", ""]);
    const { status, body } = await api.get(PATH, { headers: { accept: "*/*" } });
    expect({ status, body }).toEqual({
      status: 200,
      body: { data: [], lastEventId: await newest(), reset: false, hasMore: false },
    });
  });

  it("is told of what inbound email, a cron and the assistant do", async () => {
    const listener = await ready();
    await deliver(
      "From: Ann <ann@example.com>\nTo: hello@example.com\nSubject: Hi\nMessage-ID: <live-1@example.com>\n\nHello.",
    );
    await deliverQueue();
    const arrived = (await listener.take(2)).map(({ data }) => data.type);
    expect(arrived).toEqual(["email.received", "email.analyzed"]);
    const insert = job((ctx) =>
      ctx.db.run(
        `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
         VALUES ('By cron', '', 'todo', 'medium', '[]', 'manual', 1, 0, 0)`,
      ),
    );
    await runSchedule("often", systemCtx(), oneCron({ insert }));
    expect(await listener.next()).toMatchObject({ data: { type: "task.created" } });
    await talkTo(api).say("add a task to water the plants");
    expect(await listener.next()).toMatchObject({ data: { type: "task.created" } });
    await listener.leave();
  });

  it("continues after the id it names, in the header or the query, and the header wins", async () => {
    const before = await newest();
    const ids = [await newTask(), await newTask(), await newTask()];
    const all = await listen(PATH, { lastEventId: before });
    expect(recordsOf((await all.take(4)).slice(1))).toEqual(ids);
    const some = await listen(`${PATH}?lastEventId=${before}`, { lastEventId: before + 2 });
    expect(await some.next()).toMatchObject({ event: "ready", id: String(before + 2) });
    expect((await some.next())?.data.recordId).toBe(ids[2]);
    const queried = await listen(`${PATH}?lastEventId=${before + 1}`);
    expect(recordsOf((await queried.take(3)).slice(1))).toEqual(ids.slice(1));
    await leaveAll([all, some, queried]);
    expectProblem(await api.get(`${PATH}?lastEventId=x`), 422, "validation_failed");
  });

  rarely("that comes and goes while others write misses nothing and is told nothing twice", async () => {
    const start = await newest();
    const writing = Promise.all(
      [1, 2, 3].map(async (writer) => {
        for (let n = 0; n < 10; n++) await newTask(`Writer ${writer}, task ${n}`);
      }),
    );
    const seen: number[] = [];
    for (const count of [1, 7, 3, 9, 2, 8]) {
      const listener = await ready(PATH, { lastEventId: seen.at(-1) ?? start });
      seen.push(...(await listener.take(count)).map(({ id }) => Number(id)));
      await listener.leave();
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 30 }, (_, n) => start + n + 1));
  });

  it("is told to read everything again after an id that was purged, is of the future or none of ours", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5100)
       INSERT INTO changes (at, type, record_id) SELECT i, 'task.updated', 1 FROM n`,
    ).run();
    const last = await newest();
    await purgeChanges(systemCtx());
    const reset = { event: "reset", id: String(last), data: { lastEventId: last } };
    for (const lastEventId of [0, last - 5001, last + 1000, "garbage"]) {
      const listener = await listen(PATH, { lastEventId });
      expect((await listener.take(2))[1]).toEqual(reset);
      // And from there on it is told as everybody else.
      const id = await newTask();
      expect((await listener.next())?.data.recordId).toBe(id);
      await listener.leave();
      await env.DB.prepare("DELETE FROM changes WHERE id > ?").bind(last).run();
    }
    const whole = await listen(PATH, { lastEventId: last - 4999 });
    expect((await whole.take(5000)).at(-1)).toMatchObject({ event: "change", id: String(last) });
    await whole.leave();
  });

  rarely("that does not read keeps one look waiting, however much happens", async () => {
    const counted = countStatements(env.DB);
    const listener = await ready(PATH, { vars: { DB: counted.db } });
    await newTask();
    // Fills what the runtime and the stream buffer.
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO changes (at, type, record_id) SELECT i, 'task.updated', 1 FROM n`,
    ).run();
    await newTask();
    await until(async () => {
      await scheduler.wait(100);
      expect(counted.taken().roundTrips).toBe(0);
    });
    for (let n = 0; n < 5; n++) await newTask();
    // A look that comes even later than this is missed, and fails nothing.
    await scheduler.wait(300);
    expect(counted.taken().roundTrips).toBe(0);
    expect((await listener.take(2007)).at(-1)).toMatchObject({ event: "change", data: { type: "task.created" } });
    await listener.leave();
  });

  rarely("is one of a hundred, and each is told of everything", async () => {
    const listeners = await Promise.all(Array.from({ length: 100 }, () => ready()));
    const ids = [await newTask(), await newTask(), await newTask()];
    const heard = await Promise.all(listeners.map((listener) => listener.take(3)));
    expect(heard.map(recordsOf)).toEqual(listeners.map(() => ids));
    await leaveAll(listeners);
  });
});
