import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { continueRuns } from "../../src/features/emails/rules/apply.ts";
import { setClock, signedInPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service, systemCtx } from "../harness.ts";
import { deliverBatch, deliverQueue, queued, takeQueued } from "../queued.ts";
import { newWebhook, removeWebhooks } from "../webhooks/receiver.ts";
import { deliver } from "./deliver.ts";
import { storeMail } from "./new-mail.ts";

const api = service();

beforeEach(async () => {
  await emptyService();
  await env.DB.batch([env.DB.prepare("DELETE FROM email_rules"), env.DB.prepare("DELETE FROM blocked_senders")]);
  await removeWebhooks();
  return () => vi.useRealTimers();
});

const FROM_ANN = { field: "from", op: "is", value: "ann@example.com" };

async function newRule(fields: Record<string, unknown> = {}) {
  const answer = await api.post("/api/emails/rules", {
    name: "A rule",
    conditions: [FROM_ANN],
    actions: { star: true },
    ...fields,
  });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

/** Delivers a message and returns the stored email. */
async function arrive(headers: Record<string, string> = {}, body = "Hello Ada.", vars = {}) {
  const id = crypto.randomUUID();
  const { "Authentication-Results": results, ...others } = headers;
  const all: Record<string, string> = {
    ...(results && { "Authentication-Results": results }),
    From: "Ann Lee <ann@example.com>",
    To: "hello@example.com",
    Subject: "Hi",
    "Message-ID": `<${id}@example.com>`,
    ...others,
  };
  const raw = `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")}\n\n${body}\n`;
  await deliver(raw, { vars });
  const row = await env.DB.prepare("SELECT id FROM emails WHERE message_key = ?").bind(`${id}@example.com`).first();
  return (await api.get(`/api/emails/${row?.id}`)).body;
}

/** A trusted server's word that the sender is not who they claim to be. */
const FORGED = {
  "Authentication-Results": "mx.cloudflare.net; dmarc=fail header.from=example.com; spf=fail; dkim=fail",
};

describe("rules", () => {
  it("read the times of stored emails in the time zone of the owner, as those of emails that arrive", async () => {
    setClock(new Date("2026-11-18T12:00:00Z"));
    await env.DB.prepare("DELETE FROM users").run();
    const { token } = await signedInPerson("owner");
    const changed = await api.patch("/api/settings/profile", { timeZone: "Asia/Tokyo" }, { token });
    expect(changed.status).toBe(200);
    const body = "Hi Kim, could you send the signed contract by Friday 5pm?";
    await arrive({}, body, { INBOUND_TASKS: "none" });
    const rule = await newRule({ actions: { makeTask: true } });
    await api.post(`/api/emails/rules/${rule.id}/apply`);
    await deliverQueue();
    await arrive({ Subject: "another" }, body, { INBOUND_TASKS: "none" });
    const { body: list } = await api.get("/api/tasks");
    expect(list.data.map(({ dueAt }: { dueAt: string }) => dueAt)).toEqual([
      "2026-11-20T08:00:00.000Z",
      "2026-11-20T08:00:00.000Z",
    ]);
  });

  it("are created, read, listed in their order, changed and deleted", async () => {
    const first = await newRule({ name: "First" });
    expect(first).toMatchObject({ position: 1, enabled: true, match: "all", run: null, version: 1 });
    const second = await newRule({ name: "Second" });
    expect(second.position).toBe(2);
    const moved = await api.patch(`/api/emails/rules/${first.id}`, { position: 9 });
    expect(moved).toMatchObject({ status: 200, body: { position: 9, version: 2 } });
    const list = await api.get("/api/emails/rules?limit=1");
    expect(list.body.data.map(({ name }: { name: string }) => name)).toEqual(["Second"]);
    const rest = await api.get(`/api/emails/rules?limit=1&cursor=${list.body.nextCursor}`);
    expect(rest.body).toMatchObject({ data: [{ name: "First" }], nextCursor: null });
    expect((await api.get(`/api/emails/rules/${second.id}`)).body).toEqual(second);
    const stale = { headers: { "if-match": '"1"' } };
    expectProblem(await api.patch(`/api/emails/rules/${first.id}`, { name: "x" }, stale), 412, "version_conflict");
    expectProblem(await api.delete(`/api/emails/rules/${first.id}`, stale), 412, "version_conflict");
    expect((await api.delete(`/api/emails/rules/${first.id}`)).status).toBe(204);
    expectProblem(await api.get(`/api/emails/rules/${first.id}`), 404, "not_found");
    expectProblem(await api.patch(`/api/emails/rules/${first.id}`, { name: "x" }), 404, "not_found");
    expectProblem(await api.patch(`/api/emails/rules/${second.id}`, {}), 422, "nothing_to_update");
  });

  it.each([
    ["no condition", { conditions: [] }],
    ["no action", { actions: {} }],
    ["an action that does nothing", { actions: { star: false, addTags: [], stop: true } }],
    ["archive and trash", { actions: { archive: true, trash: true } }],
    ["an unknown field", { conditions: [{ field: "moon", op: "is", value: "full" }] }],
    ["an operator of another field", { conditions: [{ field: "size", op: "contains", value: 3 }] }],
    ["an unknown kind", { conditions: [{ field: "kind", op: "is", value: "junk" }] }],
    ["a webhook that does not exist", { actions: { forwardTo: 4711 } }],
  ])("with %s are refused", async (_, fields) => {
    const body = { name: "x", conditions: [FROM_ANN], actions: { star: true }, ...fields };
    expectProblem(await api.post("/api/emails/rules", body), 422, "validation_failed");
    expect((await api.get("/api/emails/rules")).body.data).toEqual([]);
  });

  it("are limited in number", async () => {
    const rule = `INSERT INTO email_rules (name, position, enabled, matching, conditions, actions, version, created_at, updated_at)
      SELECT 'x', value, 0, 'all', '[]', '{}', 1, 0, 0 FROM json_each(?)`;
    await env.DB.prepare(rule)
      .bind(JSON.stringify(Array.from({ length: 200 }, (_, at) => at + 1)))
      .run();
    const body = { name: "x", conditions: [FROM_ANN], actions: { star: true } };
    expectProblem(await api.post("/api/emails/rules", body), 409, "rule_limit_reached");
  });
});

describe("an email that arrives", () => {
  it("is tagged, starred, marked as read and filed, and says by which rules", async () => {
    const rule = await newRule({
      name: "Ann",
      actions: { addTags: ["Team", "ann"], star: true, markRead: true, archive: true, deleteAfterDays: 10 },
    });
    const email = await arrive();
    expect(email).toMatchObject({
      tags: ["hello", "team", "ann"],
      isStarred: true,
      isRead: true,
      status: "archived",
      appliedRules: [{ id: rule.id, name: "Ann" }],
    });
    expect(Date.parse(email.deleteAt) - Date.parse(email.receivedAt)).toBe(10 * 86_400_000);
    const other = await arrive({ From: "Bob <bob@example.com>" });
    expect(other).toMatchObject({
      tags: ["hello"],
      isStarred: false,
      status: "inbox",
      appliedRules: [],
      deleteAt: null,
    });
  });

  it.each([
    ["from contains a name", { field: "from", op: "contains", value: "ann LEE" }, true],
    ["from contains a domain", { field: "from", op: "contains", value: "@example.com" }, true],
    ["from is another", { field: "from", op: "is_not", value: "ann@example.com" }, false],
    ["to is the inbox", { field: "to", op: "is", value: "hello@example.com" }, true],
    ["subject without accents", { field: "subject", op: "contains", value: "resume" }, true],
    ["subject lacks a word", { field: "subject", op: "not_contains", value: "invoice" }, true],
    ["body has the words", { field: "body", op: "contains", value: "signed  contract" }, true],
    ["body has other words", { field: "body", op: "contains", value: "unsigned" }, false],
    ["list", { field: "listId", op: "is", value: "news.example.com" }, true],
    ["kind", { field: "kind", op: "is", value: "newsletter" }, true],
    ["no attachment", { field: "hasAttachment", value: false }, true],
    ["larger", { field: "size", op: "larger_than", value: 100_000 }, false],
    ["smaller", { field: "size", op: "smaller_than", value: 100_000 }, true],
    ["unverified", { field: "authentication", op: "is", value: "unverified" }, true],
  ])("is compared by %s", async (_, condition, expected) => {
    await newRule({ conditions: [condition] });
    const email = await arrive(
      { Subject: "My Résumé", "List-Id": "News <News.Example.com>" },
      "Please find the signed contract.",
    );
    expect(email.isStarred).toBe(expected);
  });

  it("needs all conditions, or one of them", async () => {
    const conditions = [FROM_ANN, { field: "subject", op: "contains", value: "moon" }];
    const all = await newRule({ conditions, actions: { addTags: ["all"] } });
    await newRule({ conditions, match: "any", actions: { addTags: ["any"] } });
    expect((await arrive()).tags).toEqual(["hello", "any"]);
    await api.patch(`/api/emails/rules/${all.id}`, { enabled: false });
    expect((await arrive({ Subject: "The moon" })).tags).toEqual(["hello", "any"]);
  });

  it("meets rules in their order until one says stop", async () => {
    await newRule({ position: 3, actions: { addTags: ["third"] } });
    await newRule({ position: 2, actions: { addTags: ["second"], stop: true } });
    await newRule({ position: 1, actions: { addTags: ["first"] } });
    expect((await arrive()).tags).toEqual(["hello", "first", "second"]);
  });

  it("that a rule puts into the trash makes no task, no event for webhooks and no analysis", async () => {
    const webhook = await newWebhook(["email.received", "task.created"]);
    await newRule({ actions: { trash: true, markRead: true } });
    await newRule({ actions: { makeTask: true } });
    const email = await arrive({}, "Please send the contract by Friday.");
    expect(email).toMatchObject({ status: "trash", isRead: true, analysis: null });
    await deliverQueue();
    expect(await webhook.events()).toEqual([]);
    expect((await api.get("/api/tasks")).body.data).toEqual([]);
  });

  it("becomes a task when a rule says so, of its requests or as a whole", async () => {
    await newRule({ conditions: [{ field: "kind", op: "is", value: "notification" }], actions: { makeTask: true } });
    const whole = await arrive({ From: "no-reply@example.com", Subject: "Build failed" }, "Three tests did not pass.");
    const parts = await arrive({ From: "no-reply@example.com" }, "Please send the contract by Friday.");
    const tasks = (await api.get("/api/tasks")).body.data;
    expect(tasks.find(({ emailId }: { emailId: number }) => emailId === whole.id)).toMatchObject({
      title: "Build failed",
    });
    expect(tasks.filter(({ emailId }: { emailId: number }) => emailId === parts.id)).toMatchObject([
      { quote: "Please send the contract by Friday." },
    ]);
  });

  it("is forwarded to one webhook, whatever that subscribes to, once", async () => {
    const chosen = await newWebhook(["task.completed"]);
    const other = await newWebhook([]);
    await newRule({ actions: { forwardTo: chosen.id } });
    const email = await arrive();
    await deliverQueue();
    const events = await chosen.events();
    expect(events).toMatchObject([{ type: "email.matched", data: { id: email.id, subject: "Hi" } }]);
    expect((await other.events()).map(({ type }) => type).sort()).toEqual(["email.analyzed", "email.received"]);
  });

  it("that is forged is not helped by a rule for its sender, but may be put into the trash", async () => {
    await newRule({ actions: { star: true, archive: true, addTags: ["boss"], makeTask: true, stop: true } });
    const forged = await arrive(FORGED, "Please send the money by Friday.");
    expect(forged).toMatchObject({
      kind: "spam_like",
      isStarred: false,
      status: "spam",
      tags: ["hello"],
      appliedRules: [],
    });
    expect((await api.get("/api/tasks")).body.data).toEqual([]);
    await newRule({
      conditions: [{ field: "kind", op: "is", value: "spam_like" }],
      actions: { addTags: ["junk"], trash: true },
    });
    expect(await arrive(FORGED)).toMatchObject({ status: "trash", tags: ["hello", "junk"] });
  });
});

describe("a preview", () => {
  it("counts and shows what matches, and changes nothing", async () => {
    await storeMail(api, "preview-1", { subject: "Invoice 1" });
    await storeMail(api, "preview-2", { subject: "Lunch" });
    await storeMail(api, "preview-3", { subject: "Invoice 3", status: "trash" });
    const conditions = [{ field: "subject", op: "contains", value: "invoice" }];
    const { status, body } = await api.post("/api/emails/rules/preview", { conditions });
    expect({ status, ...body }).toMatchObject({ status: 200, matched: 1, examined: 2, complete: true });
    expect(body.emails).toMatchObject([{ subject: "Invoice 1" }]);
    const words = [{ field: "body", op: "contains", value: "hello there" }];
    expect((await api.post("/api/emails/rules/preview", { conditions: words })).body.matched).toBe(2);
    expectProblem(await api.post("/api/emails/rules/preview", { conditions: [] }), 422, "validation_failed");
    expect((await api.get("/api/emails/rules")).body.data).toEqual([]);
  });

  it("looks at the newest emails only, and says so", async () => {
    await storeMail(api, "many");
    const copies = `INSERT INTO emails (message_id, thread_id, reference_ids, direction, source, from_name, from_email, to_recipients,
        cc_recipients, kind, subject, snippet, attachments, tags, status, is_read, is_starred, received_at, version, created_at, updated_at, body)
      SELECT 'copy' || value, 1, '[]', 'inbound', 'api', '', 'a@example.com', '[]', '[]', 'person', 'copy', '', '[]', '[]', 'inbox', 1, 0,
        value, 1, 1, 1, '' FROM json_each(?)`;
    await env.DB.prepare(copies)
      .bind(JSON.stringify(Array.from({ length: 505 }, (_, at) => at)))
      .run();
    const conditions = [{ field: "subject", op: "is", value: "copy" }];
    const { body } = await api.post("/api/emails/rules/preview", { conditions });
    expect({ ...body, emails: body.emails.length }).toEqual({
      matched: 500,
      examined: 500,
      complete: false,
      emails: 20,
    });
  });
});

describe("applying a rule to stored emails", () => {
  const CONDITIONS = [{ field: "subject", op: "contains", value: "report" }];
  const run = async (id: number) => (await api.get(`/api/emails/rules/${id}`)).body.run;

  it("changes those that match, once, and tells how far it is", async () => {
    const webhook = await newWebhook(["task.completed"]);
    const hits = [];
    for (let at = 0; at < 12; at++) hits.push(await storeMail(api, "apply", { subject: `Report ${at}` }));
    const miss = await storeMail(api, "apply", { subject: "Lunch" });
    const rule = await newRule({
      conditions: CONDITIONS,
      enabled: false,
      actions: { addTags: ["reports"], archive: true, makeTask: true, forwardTo: webhook.id },
    });
    const started = await api.post(`/api/emails/rules/${rule.id}/apply`);
    expect(started).toMatchObject({ status: 202, body: { run: { status: "running", seen: 0, matched: 0 } } });
    expect((await api.post(`/api/emails/rules/${rule.id}/apply`)).body.run).toEqual(started.body.run);
    const messages = takeQueued().flatMap(({ body }) =>
      (body as { kind: string }).kind === "email.rule" ? [body] : [],
    );
    // The same message twice, and another time later.
    await deliverBatch("jobs", [messages[0], messages[0]]);
    await deliverQueue();
    await deliverBatch("jobs", [messages[0]]);
    await deliverQueue();
    expect(await run(rule.id)).toMatchObject({ status: "done", seen: 13, matched: 12 });
    for (const { id } of hits) {
      expect((await api.get(`/api/emails/${id}`)).body).toMatchObject({
        status: "archived",
        tags: ["apply", "reports"],
        version: 2,
        appliedRules: [{ id: rule.id }],
      });
    }
    expect((await api.get(`/api/emails/${miss.id}`)).body).toMatchObject({ status: "inbox", version: 1 });
    expect((await api.get("/api/tasks?limit=100")).body.data).toHaveLength(12);
    expect(await webhook.events()).toHaveLength(12);

    await api.post(`/api/emails/rules/${rule.id}/apply`);
    await deliverQueue();
    expect(await run(rule.id)).toMatchObject({ status: "done", matched: 12 });
    expect((await api.get(`/api/emails/${hits[0].id}`)).body.version).toBe(2);
    expect((await api.get("/api/tasks?limit=100")).body.data).toHaveLength(12);
    expect(await webhook.events()).toHaveLength(12);
  });

  it("goes on when its message was lost, and ends when the rule changes", async () => {
    for (let at = 0; at < 3; at++) await storeMail(api, "lost", { subject: `Report ${at}` });
    const rule = await newRule({ conditions: CONDITIONS });
    await api.post(`/api/emails/rules/${rule.id}/apply`);
    takeQueued();
    setClock(Date.now() + 11 * 60_000);
    expect(await continueRuns(systemCtx())).toBe(1);
    await deliverQueue();
    expect(await run(rule.id)).toMatchObject({ status: "done", matched: 3 });
    await api.post(`/api/emails/rules/${rule.id}/apply`);
    await api.patch(`/api/emails/rules/${rule.id}`, { actions: { markRead: true } });
    await deliverQueue();
    expect(await run(rule.id)).toBeNull();
    expect(queued()).toEqual([]);
    expect((await api.get("/api/emails?unread=true")).body.data).toHaveLength(3);
  });
});
