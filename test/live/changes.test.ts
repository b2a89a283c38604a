import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LIVE_TABLES } from "../../src/db/live-tables.ts";
import { purgeChanges } from "../../src/features/live/service.ts";
import { removeAccount } from "../../src/features/personal-data/deletion.ts";
import { talkTo } from "../ai/chatting.ts";
import { ownStore } from "../ai/tenant.ts";
import { contextFor, signedInPerson } from "../auth/people.ts";
import { newAccount, slot } from "../bookings/account.ts";
import { storeMail } from "../emails/new-mail.ts";
import { emptyService, service, systemCtx } from "../harness.ts";
import { deliverQueue } from "../queued.ts";
import { mailbox } from "../settings/people.ts";
import { emptyStream, minute, newChannel, send } from "../stream/reports.ts";
import { newWebhook, removeWebhooks } from "../webhooks/receiver.ts";

const mail = mailbox();
const api = service({ KV: ownStore(), ...mail.vars });
const PATH = "/api/live";
let token: string;

beforeAll(async () => {
  ({ token } = await signedInPerson());
});

const position = async () => (await api.get(PATH, { token })).body.lastEventId;

type Change = { type: string; recordId: number | string; version: number | null };

/** What a signed-in client learns of while something happens: type, record and version. */
async function changesBy(act: () => Promise<unknown>, as = token): Promise<Change[]> {
  let lastEventId = await position();
  await act();
  const changes: Change[] = [];
  for (let hasMore = true; hasMore; ) {
    const { body } = await api.get(`${PATH}?lastEventId=${lastEventId}`, { token: as });
    expect(body.reset).toBe(false);
    changes.push(...body.data.map(({ id: _, ...change }: Change & { id: number }) => change));
    ({ lastEventId, hasMore } = body);
  }
  return changes;
}

const typesOf = async (act: () => Promise<unknown>) => (await changesBy(act)).map(({ type }) => type);

describe("a change is logged once, by its name, with the record and its version:", () => {
  beforeEach(async () => {
    await emptyService();
    await emptyStream();
    await removeWebhooks();
  });

  it("of tasks", async () => {
    const { body } = await api.post("/api/tasks", { title: "Call the bank" });
    const path = `/api/tasks/${body.id}`;
    const of = (type: string, version: number) => [{ type, recordId: body.id, version }];
    expect(await changesBy(() => api.patch(path, { title: "Call Ann" }))).toEqual(of("task.updated", 2));
    expect(await changesBy(() => api.patch(path, { status: "done" }))).toEqual(of("task.completed", 3));
    expect(await changesBy(() => api.patch(path, { title: "Call Bob" }))).toEqual(of("task.updated", 4));
    expect(await changesBy(() => api.delete(path))).toEqual(of("task.deleted", 4));
    const [created] = await changesBy(() => api.post("/api/tasks", { title: "Next", status: "done" }));
    expect(created).toMatchObject({ type: "task.created", version: 1 });
    expect(await changesBy(() => api.patch(path, { title: "Gone" }))).toEqual([]);
    expect(await changesBy(() => api.get("/api/tasks"))).toEqual([]);
  });

  it("of tasks that lose their email or event", async () => {
    const { id: emailId } = await storeMail(api, "links");
    const event = (await api.post("/api/calendar/events", { title: "Review", start: "2041-01-01T10:00:00Z" })).body;
    const { id } = (await api.post("/api/tasks", { title: "Prepare", emailId, eventId: event.id })).body;
    const changed = { type: "task.updated", recordId: id, version: 1 };
    const unlinked = await changesBy(() => api.delete(`/api/emails/${emailId}`));
    expect(unlinked).toHaveLength(2);
    expect(unlinked).toContainEqual(changed);
    expect(unlinked).toContainEqual(expect.objectContaining({ type: "email.deleted", recordId: emailId }));
    const lost = await changesBy(() => api.delete(`/api/calendar/events/${event.id}`));
    expect(lost).toHaveLength(2);
    expect(lost).toContainEqual(changed);
  });

  it("of emails", async () => {
    const { id } = await storeMail(api, "of-emails");
    const path = `/api/emails/${id}`;
    expect(await typesOf(() => storeMail(api, "of-emails-2"))).toEqual(["email.received"]);
    expect(await changesBy(() => api.patch(path, { isRead: true }))).toEqual([
      { type: "email.updated", recordId: id, version: 2 },
    ]);
    expect(await typesOf(() => api.get(`${path}/ai-analysis`))).toEqual(["email.analyzed"]);
    expect(await typesOf(() => api.post(`${path}/reply`, { body: "Thank you." }))).toEqual([
      "email.created",
      "email.sent",
    ]);
    expect(await typesOf(() => api.delete(path))).toEqual(["email.deleted"]);
  });

  it("of lists, also of one that a quick add creates", async () => {
    let id = 0;
    const of = (type: string, version: number) => [{ type, recordId: id, version }];
    const created = await changesBy(async () => {
      ({ id } = (await api.post("/api/tasks/lists", { name: "Errands" })).body);
    });
    expect(created).toEqual(of("list.created", 1));
    const path = `/api/tasks/lists/${id}`;
    expect(await changesBy(() => api.patch(path, { name: "Chores" }))).toEqual(of("list.updated", 2));
    expect(await typesOf(() => api.post("/api/tasks", { title: "In it", listId: id }))).toEqual(["task.created"]);
    expect((await typesOf(() => api.delete(path))).sort()).toEqual(["list.deleted", "task.updated"]);
    const quick = await typesOf(() => api.post("/api/tasks/quick", { text: "Milk +Freshlist" }));
    expect(quick.sort()).toEqual(["list.created", "task.created"]);
  });

  it("of drafts, also when one is sent", async () => {
    let id = 0;
    const of = (type: string, version: number) => [{ type, recordId: id, version }];
    const created = await changesBy(async () => {
      ({ id } = (await api.post("/api/emails/drafts", { to: "ann@example.com", subject: "Hi", body: "x" })).body);
    });
    expect(created).toEqual(of("draft.created", 1));
    const path = `/api/emails/drafts/${id}`;
    expect(await changesBy(() => api.patch(path, { body: "y" }))).toEqual(of("draft.updated", 2));
    expect(await typesOf(() => api.post(`${path}/send`))).toEqual(["draft.deleted", "email.created", "email.sent"]);
  });
  it("of emails whose threads are merged", async () => {
    const at = (name: string) => `<${name}@live.example>`;
    const [one, two] = [
      await storeMail(api, "one", { messageId: at("one") }),
      await storeMail(api, "two", { messageId: at("two") }),
    ];
    const merged = await changesBy(() => storeMail(api, "link", { references: [at("one"), at("two")] }));
    expect(merged.map(({ type }) => type).sort()).toEqual(["email.received", "email.updated"]);
    expect([one.id, two.id]).toContain(merged.find(({ type }) => type === "email.updated")?.recordId);
  });

  it("of a hundred emails at once: one for each", async () => {
    const ids: number[] = [];
    for (let n = 0; n < 100; n++) ids.push((await storeMail(api, `many-${n}`)).id);
    const changes = await changesBy(() => api.patch("/api/emails", { ids, status: "archived" }));
    expect(changes).toHaveLength(100);
    expect(changes.map(({ recordId }) => recordId).sort()).toEqual([...ids].sort());
  });

  it("of events, series and their occurrences", async () => {
    const { body } = await api.post("/api/calendar/events", { title: "Review", start: "2041-01-01T10:00:00Z" });
    const path = `/api/calendar/events/${body.id}`;
    expect(await changesBy(() => api.patch(path, { title: "Long review" }))).toEqual([
      { type: "event.updated", recordId: body.id, version: 2 },
    ]);
    expect(await typesOf(() => api.patch(path, { status: "cancelled" }))).toEqual(["event.cancelled"]);
    expect(await typesOf(() => api.delete(path))).toEqual(["event.deleted"]);
    const series = { title: "Weekly", start: "2041-02-01T10:00:00Z", rrule: "FREQ=WEEKLY;COUNT=4" };
    expect(await typesOf(() => api.post("/api/calendar/events", series))).toEqual(["event.created"]);
    const id = (await api.post("/api/calendar/events", { ...series, title: "Daily" })).body.id;
    const second = `/api/calendar/events/${id}?occurrence=2041-02-08T10:00:00Z`;
    const edited = await typesOf(() => api.patch(second, { title: "Moved" }));
    // The occurrence, and the series that now leaves it out.
    expect(edited.sort()).toEqual(["event.updated", "event.updated"]);
    expect(new Set(await typesOf(() => api.delete(`/api/calendar/events/${id}`)))).toEqual(new Set(["event.deleted"]));
  });

  it("of bookings and the syncs that bring them", async () => {
    const account = await newAccount();
    await account.book({ start: slot(0) }, { start: slot(2) });
    const first = await typesOf(() => account.sync());
    expect(first.at(0)).toBe("sync.created");
    expect(first.at(-1)).toBe("sync.completed");
    expect(first.filter((type) => type === "event.created")).toHaveLength(2);
    const [event] = await account.events();
    // An event from outside keeps its row.
    expect(await typesOf(() => api.delete(`/api/calendar/events/${event.id}`))).toEqual(["event.deleted"]);
    await account.revoke();
    expect(await typesOf(() => account.sync().catch(() => {}))).toEqual(["sync.created", "sync.failed"]);
  });

  it("of streams, milestones and captions", async () => {
    await newChannel();
    expect(await typesOf(() => send({ state: "scheduled", externalId: "a", at: minute(0) }))).toEqual([
      "stream.created",
    ]);
    const live = await typesOf(() => send({ state: "live", externalId: "a", subscribers: 100, at: minute(1) }));
    expect(live.slice(0, 2).sort()).toEqual(["milestone.reached", "stream.live"]);
    expect(await typesOf(() => send({ viewers: 9, at: minute(3) }))).toEqual(["stream.updated"]);
    expect(await typesOf(() => send({ viewers: 9, at: minute(4) }))).toEqual([]);
    expect(await typesOf(() => send({ state: "ended", externalId: "a", at: minute(5) }))).toContain("stream.ended");
    const milestone = (await api.post("/api/stream/milestones", { metric: "viewers", threshold: 77 })).body;
    const at = `/api/stream/milestones/${milestone.id}`;
    expect(await typesOf(() => api.patch(at, { label: "Many" }))).toEqual(["milestone.updated"]);
    expect(await typesOf(() => api.delete(at))).toEqual(["milestone.deleted"]);
    await api.post("/api/stream/credentials", {
      platform: "discord",
      webhookUrl: "https://discord.com/api/webhooks/1/a",
    });
    const made = await changesBy(() => api.post("/api/stream/captions/generate", { kind: "end" }));
    expect(made.map(({ type }) => type)).toEqual(["caption.created"]);
    const decide = { captionId: made[0]?.recordId, action: "approve" };
    expect(await changesBy(() => api.post("/api/stream/captions/approve", decide))).toEqual([
      { type: "caption.updated", recordId: made[0]?.recordId, version: 2 },
    ]);
  });

  it("of what is deleted with everything", async () => {
    await api.post("/api/tasks", { title: "Call the bank" });
    await send({ state: "live", at: minute(1) });
    expect(await typesOf(() => emptyService())).toEqual(["task.deleted", "stream.deleted"]);
  });
});

describe("only its own person learns", () => {
  it("of a proposal", async () => {
    const [owner, other] = [await signedInPerson(), await signedInPerson()];
    const closed = service({ KV: ownStore(), ACCESS_MODE: "private" });
    await storeMail(api, "proposal", { subject: "Contract", body: "Please send the signed contract by Friday." });
    const chat = talkTo(closed, { token: owner.token });
    const start = await position();
    const { proposals } = await chat.say("turn the email from Ann into tasks");
    const [first] = proposals;
    await closed.delete(`/api/ai/chat/proposals/${first.id}`, { token: owner.token });
    await closed.delete(`/api/ai/chat/conversations/${chat.id()}`, { token: owner.token });
    const seenBy = async (as: string) => {
      const { body } = await closed.get(`${PATH}?lastEventId=${start}`, { token: as });
      return body.data
        .filter(({ recordId }: Change) => recordId === first.id)
        .map(({ type, version }: Change) => [type, version]);
    };
    expect(await seenBy(owner.token)).toEqual([
      ["proposal.created", null],
      ["proposal.dismissed", null],
    ]);
    expect(await seenBy(other.token)).toEqual([]);
  });

  it("of an open proposal that goes with its conversation, and callers without a credential share theirs", async () => {
    await storeMail(api, "shared", { subject: "Contract", body: "Please send the signed contract by Friday." });
    const chat = talkTo(api);
    const start = (await api.get(PATH)).body.lastEventId;
    const { proposals } = await chat.say("turn the email from Ann into tasks");
    await api.delete(`/api/ai/chat/conversations/${chat.id()}`);
    const seen = async (as?: string) =>
      (await api.get(`${PATH}?lastEventId=${start}`, { token: as })).body.data.map(({ type }: Change) => type);
    const types = proposals.map(() => "proposal.created").concat(proposals.map(() => "proposal.deleted"));
    expect(await seen()).toEqual(types);
    expect(await seen(token)).toEqual([]);
  });

  it("of a delivery, and none of an API key's scopes shows one", async () => {
    const webhook = await newWebhook(["task.created"]);
    const start = (await api.get(PATH)).body.lastEventId;
    await api.post("/api/tasks", { title: "Call the bank" });
    await deliverQueue();
    const seen = async (as: string | null) =>
      (await api.get(`${PATH}?lastEventId=${start}`, { token: as })).body.data
        .map(({ type }: Change) => type)
        .filter((type: string) => type.startsWith("delivery."));
    const { key } = (
      await api.post(
        "/api/settings/security/api-keys",
        { name: "all", scopes: ["admin"], currentPassword: "correct horse battery staple" },
        { token: webhook.token },
      )
    ).body;
    expect(await seen(webhook.token)).toEqual(["delivery.created", "delivery.delivered"]);
    expect([await seen(token), await seen(null), await seen(key)]).toEqual([[], [], []]);
    await removeWebhooks();
  });
});

describe("the log", () => {
  const count = async () => (await env.DB.prepare("SELECT count(*) AS n FROM changes").first<number>("n")) ?? 0;
  const newest = async () => (await env.DB.prepare("SELECT max(id) AS id FROM changes").first<number>("id")) ?? 0;
  const manyTasks = (many: number) =>
    env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})
       INSERT INTO tasks (title, description, status, priority, tags, source, version, created_at, updated_at)
       SELECT 'Task ' || i, '', 'todo', 'medium', '[]', 'manual', 1, 0, 0 FROM n`,
    ).run();

  beforeEach(emptyService);

  it("of a statement that changes more than two hundred records has two hundred and a reset", async () => {
    await manyTasks(150);
    const [before, start] = [await count(), await position()];
    await manyTasks(3000);
    expect((await count()) - before).toBe(201);
    const { body } = await api.get(`${PATH}?lastEventId=${start}`, { token });
    expect([body.data.length, body.hasMore, body.reset]).toEqual([200, true, false]);
    const rest = (await api.get(`${PATH}?lastEventId=${body.lastEventId}`, { token })).body;
    expect(rest).toMatchObject({ data: [], hasMore: false, reset: true });
    expect(await typesOf(() => api.post("/api/tasks", { title: "After" }))).toEqual(["task.created"]);
  });

  it("does not grow with the service that is emptied, a page of records at a time", async () => {
    await env.DB.exec("DELETE FROM users");
    const owner = await signedInPerson("owner");
    await manyTasks(1500);
    const before = await count();
    await removeAccount(await contextFor(owner.token), { confirm: owner.email });
    expect((await count()) - before).toBeLessThan(450);
    ({ token } = await signedInPerson());
  });

  it("keeps the newest five thousand, and gives no id twice", async () => {
    await env.DB.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
       INSERT INTO changes (at, type, record_id) SELECT i, 'task.updated', 1 FROM n`,
    ).run();
    const last = await newest();
    const ctx = systemCtx();
    await purgeChanges(ctx);
    expect([await count(), await newest()]).toEqual([5000, last]);
    await purgeChanges(ctx);
    expect(await count()).toBe(5000);
    await api.post("/api/tasks", { title: "Next" });
    expect(await newest()).toBe(last + 1);
  });

  it("is in the order of the commits of many writers, without a gap", async () => {
    const start = await newest();
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 4 === 0
          ? // Refused, so that nothing of it is written.
            api.post("/api/tasks", { title: "Linked", eventId: 999_999 })
          : api.post("/api/tasks", { title: `Task ${n}` }),
      ),
    );
    const { results } = await env.DB.prepare(
      "SELECT changes.id, tasks.id AS task FROM changes JOIN tasks ON tasks.id = record_id WHERE changes.id > ? ORDER BY changes.id",
    )
      .bind(start)
      .all<{ id: number; task: number }>();
    expect(results.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, n) => start + n + 1));
    expect(results.map(({ task }) => task)).toEqual(results.map(({ task }) => task).sort((a, b) => a - b));
  });

  it("is written by the triggers of exactly the tables whose writes wake live clients", async () => {
    const { results } = await env.DB.prepare(
      "SELECT DISTINCT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%INSERT INTO changes %'",
    ).all<{ name: string }>();
    const tables = results.map(({ name }) => name).filter((name) => name !== "changes");
    expect(tables.sort()).toEqual([...LIVE_TABLES].sort());
  });
});
