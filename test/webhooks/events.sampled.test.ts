import { env } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { newAccount, slot } from "../bookings/account.ts";
import { deliverAndAnalyse } from "../emails/deliver.ts";
import { emptyService, expectErrorLog, service, takeLogs } from "../harness.ts";
import { queued } from "../queued.ts";
import { rarely } from "../sampled.ts";
import { newWebhook, outboxRows, removeWebhooks } from "./receiver.ts";

const client = service();
type Webhook = Awaited<ReturnType<typeof newWebhook>>;
let webhook: Webhook;

beforeEach(async () => {
  await emptyService();
  await removeWebhooks();
  webhook = await newWebhook();
});
afterEach(removeWebhooks);
afterAll(emptyService);

const MEETING = { title: "Call", start: "2026-12-01T10:00:00Z", end: "2026-12-01T11:00:00Z" };

function newMail(fields: object = {}) {
  const messageId = `<${crypto.randomUUID()}@example.com>`;
  return { from: "ann@example.com", to: "hello@example.com", subject: "Hi", body: "Hello.", messageId, ...fields };
}

async function types(): Promise<string[]> {
  return (await webhook.events()).map(({ type }) => type);
}

describe("mail", () => {
  it("that comes in by HTTP is told as lists show it, signed, without its body", async () => {
    const { body: email } = await client.post("/api/emails", newMail({ body: "Nobody else reads this." }));
    const [received] = await webhook.received();
    expect(received?.verifiedWith).toEqual([webhook.secret]);
    expect(received?.contentType).toBe("application/json");
    expect(received?.id).toMatch(/^msg_[\w-]{22}$/);
    const { body: html, ...summary } = email;
    const { type, timestamp, data } = JSON.parse(received?.body ?? "");
    expect({ type, timestamp }).toEqual({ type: "email.received", timestamp: email.createdAt });
    expect({ ...data, html: null, bcc: [] }).toEqual(summary);
    expect(data).not.toHaveProperty("body");
    expect(data).not.toHaveProperty("html");
  });

  it("that goes out, or is stored already, is nothing that came in", async () => {
    const mail = newMail({ direction: "outbound" });
    expect((await client.post("/api/emails", mail)).status).toBe(201);
    expect(await types()).toEqual([]);
    const inbound = newMail();
    await client.post("/api/emails", inbound);
    expect((await client.post("/api/emails", inbound)).status).toBe(200);
    expect(await types()).toEqual(["email.received"]);
  });

  it("that the Worker receives is told with its tasks and its analysis, which is made after the mail was taken", async () => {
    const raw = [
      "From: Ann <ann@example.com>",
      "To: hello@example.com",
      "Subject: Contract",
      `Message-ID: <${crypto.randomUUID()}@example.com>`,
      "",
      "Hi, please send me the signed contract by Friday.",
    ].join("\n");
    expect(await deliverAndAnalyse(raw)).toBeNull();
    const events = await webhook.events();
    expect(events.map(({ type }) => type).sort()).toEqual(["email.analyzed", "email.received", "task.created"]);
    const analyzed = events.find(({ type }) => type === "email.analyzed");
    expect(analyzed.data.analysis.actionItems.length).toBeGreaterThan(0);
    expect(events.find(({ type }) => type === "task.created").data).toMatchObject({ source: "email", status: "todo" });
  });

  it("that is analysed again with the same result is not told again", async () => {
    const { body } = await client.post("/api/emails", newMail());
    const path = `/api/emails/${body.id}/ai-analysis`;
    await client.post(path);
    await client.post(path);
    expect((await types()).sort()).toEqual(["email.analyzed", "email.received"]);
  });

  it("that is gone before it could be told is named as deleted", async () => {
    const { body } = await client.post("/api/emails", newMail());
    await env.DB.prepare("INSERT INTO outbox (type, record_id, at) VALUES ('email.analyzed', ?, ?)")
      .bind(String(body.id), Date.now())
      .run();
    await client.delete(`/api/emails/${body.id}`);
    const events = await webhook.events();
    expect(events.at(-1)).toMatchObject({ type: "email.analyzed", data: { id: body.id, deleted: true } });
  });
});

describe("tasks", () => {
  it("are told when they are added, changed, done and deleted, each once", async () => {
    const { body: task } = await client.post("/api/tasks", { title: "Water the plants" });
    await client.patch(`/api/tasks/${task.id}`, { status: "waiting" });
    const { body: done } = await client.patch(`/api/tasks/${task.id}`, { status: "done" });
    await client.patch(`/api/tasks/${task.id}`, { status: "done", title: "Water all plants" });
    const events = await webhook.events();
    expect(events).toEqual([
      { type: "task.created", timestamp: task.createdAt, data: task },
      { type: "task.updated", timestamp: expect.any(String), data: expect.objectContaining({ status: "waiting" }) },
      { type: "task.completed", timestamp: done.updatedAt, data: done },
      {
        type: "task.updated",
        timestamp: expect.any(String),
        data: expect.objectContaining({ title: "Water all plants" }),
      },
    ]);
    await client.delete(`/api/tasks/${task.id}`);
    expect((await webhook.events()).at(-1)).toMatchObject({
      type: "task.deleted",
      data: { id: task.id, deleted: true },
    });
  });

  it("that repeat are told with the next one, and subtasks with their parent", async () => {
    const { body: task } = await client.post("/api/tasks", { title: "Water", rrule: "FREQ=DAILY" });
    await client.post("/api/tasks", { title: "Fill the can", parentId: task.id });
    await client.patch(`/api/tasks/${task.id}`, { status: "done" });
    expect((await types()).sort()).toEqual([
      ...["task.completed", "task.completed"],
      ...["task.created", "task.created", "task.created", "task.created"],
    ]);
  });

  it("that were done when they were added are told as both", async () => {
    await client.post("/api/tasks", { title: "Was easy", status: "done" });
    expect((await types()).sort()).toEqual(["task.completed", "task.created"]);
  });
});

describe("events", () => {
  it("are told when they are added, changed, cancelled", async () => {
    const { body } = await client.post("/api/calendar/events", MEETING);
    const at = `/api/calendar/events/${body.id}`;
    await client.patch(at, { title: "Call with Ann" });
    await client.patch(at, { title: "Call with Ann" });
    await client.patch(at, { status: "cancelled", cancelReason: "ill" });
    const { conflicts, ...event } = body;
    const [created, updated, cancelled, ...rest] = await webhook.events();
    expect(created).toEqual({ type: "event.created", timestamp: event.createdAt, data: event });
    expect(updated).toMatchObject({ type: "event.updated", data: { title: "Call with Ann", version: 2 } });
    expect(cancelled).toMatchObject({ type: "event.cancelled", data: { status: "cancelled", cancelReason: "ill" } });
    expect(rest).toEqual([]);
  });

  it("that are deleted are told, whether or not they leave a mark", async () => {
    const { body: own } = await client.post("/api/calendar/events", MEETING);
    const { body: booked } = await client.post("/api/calendar/events", { ...MEETING, bookingId: "bk-1" });
    await client.delete(`/api/calendar/events/${own.id}`);
    await client.delete(`/api/calendar/events/${booked.id}`);
    const deleted = (await webhook.events()).filter(({ type }) => type === "event.deleted");
    expect(deleted.map(({ data }) => data)).toEqual([
      { id: own.id, deleted: true },
      { id: booked.id, deleted: true },
    ]);
  });

  it("that come back are told as new, and the deletion of a cancelled one is told, too", async () => {
    const booking = { ...MEETING, bookingId: "bk-2" };
    const { body } = await client.post("/api/calendar/events", booking);
    await client.delete(`/api/calendar/events/${body.id}`);
    await client.post("/api/calendar/events", { ...booking, title: "Back again" });
    await client.patch(`/api/calendar/events/${body.id}`, { status: "cancelled" });
    await client.delete(`/api/calendar/events/${body.id}`);
    const twice = ["event.created", "event.deleted"];
    expect(await types()).toEqual([...twice, "event.created", "event.cancelled", "event.deleted"]);
  });

  it("of a series are told for the occurrence that was edited, not for what the series notes of it", async () => {
    const { body } = await client.post("/api/calendar/events", { ...MEETING, rrule: "FREQ=DAILY;COUNT=5" });
    const at = `/api/calendar/events/${body.id}`;
    await client.patch(`${at}?occurrence=2026-12-02T10:00:00Z`, { title: "Only this one" });
    await client.delete(`${at}?occurrence=2026-12-03T10:00:00Z`);
    await client.delete(at);
    const events = await webhook.events();
    expect(events.map(({ type }) => type)).toEqual([
      "event.created",
      "event.updated",
      "event.updated",
      "event.deleted",
    ]);
    expect(events[1].data).toMatchObject({
      title: "Only this one",
      recurringEventId: body.id,
      originalStart: "2026-12-02T10:00:00.000Z",
    });
    expect(events[2].data).toMatchObject({ id: body.id, exdates: ["2026-12-03T10:00:00.000Z"] });
    expect(events[3].data).toEqual({ id: body.id, deleted: true });
  });
});

describe("a sync", () => {
  it("is told with the events it brought, and again with nothing but itself when nothing changed", async () => {
    const account = await newAccount();
    const [booking] = await account.book({ start: slot(0) });
    const { body: run } = await account.client.post("/api/bookingsvc/sync");
    const events = await webhook.events();
    expect(events).toHaveLength(2);
    expect(events.find(({ type }) => type === "event.created")?.data.bookingId).toBe(booking?.uid);
    expect(events.find(({ type }) => type === "sync.completed")?.data).toEqual(run);
    await account.client.post("/api/bookingsvc/sync");
    expect((await types()).slice(2)).toEqual(["sync.completed"]);
    await account.cancel(booking?.uid ?? "", "ill");
    await account.client.post("/api/bookingsvc/sync");
    expect((await types()).slice(3).sort()).toEqual(["event.cancelled", "sync.completed"]);
  });

  it("that fails is told too, although its request fails", async () => {
    const account = await newAccount();
    await account.revoke();
    expect((await account.client.post("/api/bookingsvc/sync")).status).toBe(502);
    const [event] = await webhook.events();
    expect(event).toMatchObject({ type: "sync.failed", data: { status: "failed", trigger: "manual" } });
  });
});

describe("the outbox", () => {
  it("holds nothing of a batch that was undone", async () => {
    const insert = (id: number) =>
      env.DB.prepare(
        `INSERT INTO tasks (id, title, description, status, priority, tags, source, version, created_at, updated_at)
          VALUES (?, 'x', '', 'todo', 'low', '[]', 'manual', 1, 0, 0)`,
      ).bind(id);
    await expect(env.DB.batch([insert(3_000_001), insert(3_000_002), insert(3_000_001)])).rejects.toThrow(
      /constraint/i,
    );
    expect(await outboxRows()).toEqual([]);
    await env.DB.batch([insert(3_000_001), insert(3_000_002)]);
    expect(await outboxRows()).toHaveLength(2);
  });

  it("holds nothing while no endpoint is enabled", async () => {
    await webhook.change({ enabled: false });
    await env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
        VALUES ('x', '', 'done', 'low', '[]', 'manual', 1, 0, 0)`,
    ).run();
    const { body } = await client.post("/api/calendar/events", MEETING);
    await client.patch(`/api/calendar/events/${body.id}`, { title: "Other" });
    expect(await outboxRows()).toEqual([]);
    expect(await webhook.received()).toEqual([]);
  });

  it("is told to the endpoints that want it, under one id, and to no other", async () => {
    const picky = await newWebhook(["task.completed"]);
    const { body } = await client.post("/api/tasks", { title: "x" });
    await client.patch(`/api/tasks/${body.id}`, { status: "done" });
    expect((await picky.events()).map(({ type }) => type)).toEqual(["task.completed"]);
    expect(await types()).toEqual(["task.created", "task.completed"]);
    const [, second] = await webhook.received();
    const [only] = await picky.received();
    expect(only?.id).toBe(second?.id);
    expect(only?.body).toBe(second?.body);
    expect(only?.verifiedWith).toEqual([picky.secret]);
    expect(only?.signature).not.toBe(second?.signature);
  });

  it("is not held up by a type whose records cannot be read, which goes out once they can be", async () => {
    expectErrorLog("event_not_rendered");
    const blindTo = <Target extends D1Database | D1DatabaseSession>(database: Target): Target =>
      new Proxy(database, {
        get(target, name) {
          if (name === "prepare") {
            return (sql: string) => {
              if (/from "tasks"/.test(sql)) throw new Error("the tasks cannot be read");
              return target.prepare(sql);
            };
          }
          if (name === "withSession" && "withSession" in target) {
            return (start: string) => blindTo(target.withSession(start));
          }
          const member = Reflect.get(target, name);
          return typeof member === "function" ? member.bind(target) : member;
        },
      });
    const blind = blindTo(env.DB);
    await service({ DB: blind }).post("/api/tasks", { title: "x" });
    await service({ DB: blind }).post("/api/emails", newMail());
    expect(await types()).toEqual(["email.received"]);
    expect(await outboxRows()).toMatchObject([{ type: "task.created" }]);
    expect(takeLogs().join("\n")).toContain("event_not_rendered");
    await client.post("/api/emails", newMail());
    expect((await types()).slice(1).sort()).toEqual(["email.received", "task.created"]);
  });

  it("is not held up by a type that nobody knows", async () => {
    await env.DB.prepare("INSERT INTO outbox (type, record_id, at) VALUES ('moon.landed', '1', 0)").run();
    await client.post("/api/tasks", { title: "x" });
    expect(await types()).toEqual(["task.created"]);
    expect(await outboxRows()).toEqual([]);
  });

  rarely("with more events than one run takes is told whole: the queue goes on", async () => {
    const rows = Array.from({ length: 210 }, (_, index) => `x${index}`);
    await env.DB.prepare(
      `INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
        SELECT value, '', 'todo', 'low', '[]', 'manual', 1, 0, 0 FROM json_each(?)`,
    )
      .bind(JSON.stringify(rows))
      .run();
    await client.post("/api/tasks", { title: "last" });
    expect(await outboxRows()).toHaveLength(11);
    expect(queued()).toHaveLength(201);
    expect(queued().at(-1)).toMatchObject({ lane: "jobs", body: { kind: "webhook.outbox" } });
    const titles = (await webhook.events()).map(({ data }) => data.title);
    expect(titles.sort()).toEqual([...rows, "last"].sort());
    expect(await outboxRows()).toEqual([]);
    expect(await webhook.mostAtOnce()).toBeLessThanOrEqual(5);
  });

  it("tells of a record too large for a message only which one it is", async () => {
    const { body } = await client.post("/api/calendar/events", { ...MEETING, description: "x".repeat(9_000) });
    expect((await webhook.events()).at(-1)?.data.description).toHaveLength(9_000);
    await env.DB.prepare("UPDATE events SET description = ? WHERE id = ?").bind("y".repeat(250_000), body.id).run();
    await client.post("/api/tasks", { title: "x" });
    const updated = (await webhook.events()).find(({ type }) => type === "event.updated");
    expect(updated?.data).toEqual({ id: body.id, tooLarge: true });
  });
});
