import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { AGENT_TOOLS } from "../../src/features/mcp/registry.ts";
import { AGENT_SCOPES } from "../../src/lib/agent-rules.ts";
import { SCOPES, type Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor, type Person, signedInPerson } from "../auth/people.ts";
import { invited } from "../calendar/responding.ts";
import { declarationsOf } from "../declared.ts";
import { fakeMail } from "../emails/fake-mail.ts";
import { type Answer, expectProblem, service } from "../harness.ts";
import { agent } from "../mcp/agents.ts";
import { connected, oauth } from "../mcp/connecting.ts";
import { takeQueued } from "../queued.ts";
import { newCaption } from "../stream/social.ts";
import { forgottenColumns, leaked, PLANTED, plant, WORDS } from "./planted.ts";
import { CALLS, type Call } from "./prices.ts";

/*
 * Every operation and every tool of an agent, with a credential of each single scope, while every text of every record
 * has a word of its kind: no response and no email may have a word whose scope is missing.
 */

const mail = fakeMail();
const closed = service({ ACCESS_MODE: "private", EMAIL: mail.EMAIL, MAIL_FROM: "me@ours.example" });
const maker = service();
const operations = declarationsOf(await createApp());
const { body: document } = await service().get("/api-docs");
const dataScopes = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== "admin");
type Operation = (typeof operations)[number];

let owner: Person;
const keys = new Map<string, { id: number; key: string }>();
/** How many requests this file has sent, for the last test. */
const walked = { requests: 0, succeeded: 0, refused: 0, tools: 0 };

async function keyFor(...scopes: Scope[]): Promise<{ id: number; key: string }> {
  const name = scopes.join(" ");
  const known =
    keys.get(name) ?? (await createApiKey(await contextFor(owner.token), { name, scopes, expiresAt: null }));
  keys.set(name, known);
  return known;
}

beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  owner = await signedInPerson("owner");
});

const transferId = async (path: string, raw: string, type: string) =>
  (await maker.post(path, undefined, { raw, headers: { "content-type": type } })).body.id;
const MBOX = "From a@example.org Tue Mar  3 10:00:00 2020\nMessage-ID: <a@x>\nFrom: a@example.org\n\nHello\n\n";
const ICS = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nEND:VCALENDAR";
const emailImport = () => transferId("/api/emails/import", MBOX, "application/mbox");
const calendarImport = () => transferId("/api/calendar/import", ICS, "text/calendar");

/** A proposal of this key, with the words of the task it is about. */
async function proposalOf({ id }: { id: number }): Promise<string> {
  const proposal = crypto.randomUUID();
  const word = WORDS["tasks:read"];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO chat_conversations (id, user_id, api_key_id, title, created_at, updated_at)
       VALUES (?1, ?2, ?3, 'Proposals', ?4, ?4)`,
    ).bind(proposal, owner.id, id, Date.now()),
    env.DB.prepare(
      `INSERT INTO chat_messages (conversation_id, role, text, outside, actions, created_at)
       VALUES (?1, 'assistant', ?2, 0, json_array(json_object('id', NULL, 'tool', 'update_task', 'input', json_object('title', ?2), 'result', json_object('title', ?2))), ?3)`,
    ).bind(proposal, word, Date.now()),
    env.DB.prepare(
      `INSERT INTO chat_proposals (id, conversation_id, tool, input, summary, reason, time_zone, status, result, created_at, expires_at)
       VALUES (?1, ?1, 'update_task', '{}', ?2, 'Why', 'UTC', 'open', json_object('title', ?2), ?3, ?3 + 60000)`,
    ).bind(proposal, word, Date.now()),
  ]);
  return proposal;
}

type Prepared = Call & { headers?: Record<string, string> };

/** What prices.ts does not prepare, because it calls others or needs what only a model makes. */
const MORE_CALLS: Record<string, (key: { id: number; key: string }) => Promise<Prepared> | Prepared> = {
  importEmails: () => ({ path: "/api/emails/import", file: MBOX, headers: { "content-type": "application/mbox" } }),
  getEmailImport: async () => ({ path: `/api/emails/import/${await emailImport()}` }),
  deleteEmailImport: async () => ({ path: `/api/emails/import/${await emailImport()}` }),
  importCalendar: () => ({ path: "/api/calendar/import", file: ICS, headers: { "content-type": "text/calendar" } }),
  getCalendarImport: async () => ({ path: `/api/calendar/import/${await calendarImport()}` }),
  deleteCalendarImport: async () => ({ path: `/api/calendar/import/${await calendarImport()}` }),
  syncBookings: () => ({ path: "/api/bookingsvc/sync" }),
  listEventTypes: () => ({ path: "/api/bookingsvc/event-types" }),
  testStreamCredential: () => ({ path: "/api/stream/credentials/discord/test" }),
  dispatchCaptions: async () => ({
    path: "/api/stream/captions/dispatch",
    body: { captionIds: [await newCaption("x", "approved")] },
  }),
  respondToInvitation: async () => ({
    path: `/api/calendar/events/${(await invited()).id}/respond`,
    body: { response: "accepted" },
  }),
  applyProposal: async (key) => ({ path: `/api/ai/chat/proposals/${await proposalOf(key)}` }),
  dismissProposal: async (key) => ({ path: `/api/ai/chat/proposals/${await proposalOf(key)}` }),
  deleteConversation: async (key) => ({ path: `/api/ai/chat/conversations/${await proposalOf(key)}` }),
  readConversation: async (key) => ({ path: `/api/ai/chat/conversations/${await proposalOf(key)}` }),
  listProposals: async (key) => {
    await proposalOf(key);
    return { path: "/api/ai/chat/proposals" };
  },
  // The task is the key's own, and what may be undone is what it may read.
  undoChatAction: async () => ({ path: "/api/ai/chat/actions/none/undo" }),
  // Of a text that the request brings, nothing stored is read: see below for that of a stored email.
  createEventFromEmail: () => ({
    path: "/api/calendar/events/from-email",
    body: { content: "See you on Monday at 10:00." },
  }),
};

/** What a valid request is answered with by a service that has no such provider, credential or person. */
const NO_SUCCESS: Record<string, number> = {
  syncBookings: 409,
  listEventTypes: 409,
  testStreamCredential: 404,
  applyProposal: 403,
  // It would email the organizer.
  respondToInvitation: 403,
  undoChatAction: 404,
};

const isPrepared = ({ operationId, path, method }: Operation) =>
  operationId in CALLS || operationId in MORE_CALLS || !path.includes("{") || method === "get";

/** A request that succeeds for whoever may do everything. */
async function prepare({ operationId, method, path }: Operation, key: { id: number; key: string }): Promise<Prepared> {
  const example = () => document.paths[path][method].requestBody?.content["application/json"]?.example;
  const call = MORE_CALLS[operationId]?.(key) ?? CALLS[operationId]?.((await keyFor("admin")).key);
  return (await call) ?? { path, body: example() };
}

async function send({ method }: Pick<Operation, "method">, call: Prepared, token: string): Promise<Answer> {
  const { path, body, file } = call;
  const type = file === undefined ? {} : (call.headers ?? { "content-type": "application/octet-stream" });
  walked.requests += 1;
  // Each from a network of its own, so that none meets a rate limit.
  const headers = { ...type, "cf-connecting-ip": `10.${walked.requests >> 8}.${walked.requests & 255}.1` };
  const sent = file === undefined ? { body } : { raw: file };
  return closed.call(method.toUpperCase(), path, { ...sent, headers, token });
}

/** How many records there are of the kinds that a scope does not write, and how often they were changed. */
async function writtenBeside(scope: Scope): Promise<unknown[]> {
  const others = ["emails", "email_drafts", "tasks", "task_lists", "events", "captions"].filter(
    (table) => PLANTED[table]?.scope.split(":")[0] !== scope.split(":")[0],
  );
  const counts = others.map((table) =>
    env.DB.prepare(`SELECT '${table}' AS kind, count(*) AS n, total(version) AS v FROM ${table}`),
  );
  return (await env.DB.batch(counts)).flatMap(({ results }) => results);
}

/** All that a client or another mail server gets. */
function seen(answer: Answer): string {
  const letters = mail.sent
    .splice(0)
    .map(({ attachments = [], ...letter }) =>
      JSON.stringify([letter, attachments.map(({ content, ...file }) => [file, new TextDecoder().decode(content)])]),
    );
  return [answer.text, JSON.stringify([...answer.headers]), ...letters].join("\n");
}

describe("a key of one scope never sees a word of what another scope reads", () => {
  const data = operations.filter((operation) => operation["x-guard"] === "data");

  it.each(data.map((operation) => [operation.operationId, operation] as const))("%s", async (name, operation) => {
    const own = (operation["x-scopes"] ?? []) as readonly Scope[];
    const derivesFrom = operation["x-derives-from"] ?? [];
    for (const scope of own) {
      const key = await keyFor(scope);
      const call = await prepare(operation, key);
      await plant();
      for (const other of dataScopes.filter((each) => !own.includes(each))) {
        const answer = await send(operation, call, (await keyFor(other)).key);
        expect([other, answer.status, leaked(seen(answer), [other])]).toEqual([other, 403, []]);
      }
      const before = await writtenBeside(scope);
      const answer = await send(operation, call, key.key);
      expect([scope, leaked(seen(answer), [scope])]).toEqual([scope, []]);
      expect([scope, await writtenBeside(scope)]).toEqual([scope, before]);
      const isRefused = derivesFrom.some((needed) => needed !== scope);
      const isSuccess = answer.status >= 200 && answer.status < 300;
      walked[isSuccess ? "succeeded" : "refused"] += 1;
      if (isRefused) expect([scope, answer.body?.code]).toEqual([scope, "insufficient_scope"]);
      else if (name in NO_SUCCESS) expect([scope, answer.status]).toEqual([scope, NO_SUCCESS[name]]);
      else expect([scope, isSuccess, answer.text.slice(0, 300)]).toEqual([scope, true, expect.anything()]);
      takeQueued();
    }
  });

  it("nor at any other endpoint", async () => {
    for (const operation of operations.filter((each) => each["x-guard"] !== "data")) {
      const path = operation.path.replaceAll(/\{\w+\}/g, "1");
      for (const scope of dataScopes) {
        const answer = await send(operation, { path }, (await keyFor(scope)).key);
        expect([operation.operationId, leaked(seen(answer), [scope])]).toEqual([operation.operationId, []]);
        if (operation["x-guard"] !== "public")
          expect([operation.operationId, answer.status]).toEqual([operation.operationId, 403]);
      }
    }
  });

  it("and every operation has a request here, every text column its word", async () => {
    expect(data.filter((operation) => !isPrepared(operation)).map(({ operationId }) => operationId)).toEqual([]);
    const unknown = Object.keys({ ...MORE_CALLS, ...CALLS }).filter(
      (name) => !operations.some(({ operationId }) => operationId === name),
    );
    expect(unknown).toEqual([]);
    expect((await Promise.all(Object.keys(PLANTED).map(forgottenColumns))).flat()).toEqual([]);
  });

  it("and one with both scopes sees the words", async () => {
    for (const [group, path] of [
      ["emails", "/api/emails"],
      ["tasks", "/api/tasks"],
      ["calendar", "/api/calendar/events"],
    ] as const) {
      await CALLS[`get${{ emails: "Email", tasks: "Task", calendar: "Event" }[group]}`]?.("");
      await plant();
      const { key } = await keyFor(`${group}:read`, `${group}:write`);
      const { body } = await closed.get(path, { token: key });
      const { id } = body.data[0];
      const changed = await closed.patch(`${path}/${id}`, { tags: [WORDS[`${group}:read`]] }, { token: key });
      expect(changed.text).toContain(WORDS[`${group}:read`]);
      expect(Object.keys(changed.body)).toContain("createdAt");
    }
  });
});

describe("without the scope that reads it, a stored record is not quoted, sent on or made into another", () => {
  const REFUSED: readonly [name: string, scope: Scope, call: () => Promise<Prepared>][] = [
    [
      "a draft that replies",
      "emails:write",
      async () => ({ path: "/api/emails/drafts", body: { inReplyTo: await emailId() } }),
    ],
    [
      "a draft that forwards",
      "emails:write",
      async () => ({ path: "/api/emails/drafts", body: { forwardOf: await emailId() } }),
    ],
    [
      "an email in a thread",
      "emails:write",
      async () => ({
        path: "/api/emails/send",
        body: { to: "bob@example.com", subject: "Hi", body: "Hello.", inReplyTo: await emailId() },
      }),
    ],
    [
      "an event of a stored email",
      "calendar:write",
      async () => ({ path: "/api/calendar/events/from-email", body: { emailId: await emailId() } }),
    ],
    [
      "the analysis of a stored email",
      "ai:use",
      async () => ({ path: "/api/ai/email-intelligence", body: { emailId: await emailId() } }),
    ],
    [
      "the text of a reply",
      "ai:use",
      async () => ({ path: "/api/workflow/email-response", body: { emailId: await emailId() } }),
    ],
  ];
  const emailId = async () => (await CALLS.getEmail?.(""))?.path.split("/").at(-1) as unknown as number;
  const post = { method: "post" };

  it.each(REFUSED)("%s", async (_, scope, prepareCall) => {
    const { path, body } = await prepareCall();
    const numbered = JSON.parse(JSON.stringify(body), (name, value) =>
      ["inReplyTo", "forwardOf", "emailId"].includes(name) ? Number(value) : value,
    );
    await plant();
    const answer = await send(post, { path, body: numbered }, (await keyFor(scope)).key);
    expectProblem(answer, 403, "insufficient_scope");
    expect(leaked(seen(answer), [scope])).toEqual([]);
    expect(mail.sent).toEqual([]);
  });

  it("nor does a write change a record of another kind without the scope that writes it", async () => {
    const text = { from: "ann@example.com", body: "Please send the report by Friday." };
    const { body: email } = await maker.post("/api/emails", { ...text, createTasks: "every" });
    const asked: [method: string, path: string, body: object][] = [
      ["post", "/api/emails", { ...text, createTasks: "every" }],
      // Also where no task would come of it.
      ["post", "/api/emails", { from: "ann@example.com", body: "Hello.", createTasks: "action_items" }],
      ["patch", `/api/emails/${email.id}`, { status: "trash", tasks: "cancel" }],
      ["patch", "/api/emails", { ids: [email.id], status: "trash", tasks: "cancel" }],
    ];
    for (const [method, path, body] of asked) {
      const before = [await writtenBeside("ai:use"), await writtenBeside("emails:write")];
      const { key } = await keyFor("emails:read", "emails:write", "tasks:read");
      expectProblem(await send({ method }, { path, body }, key), 403, "insufficient_scope");
      expect([await writtenBeside("ai:use"), await writtenBeside("emails:write")]).toEqual(before);
      const both = await keyFor("emails:write", "tasks:write");
      expect((await send({ method }, { path, body }, both.key)).status).toBeLessThan(300);
    }
  });

  it("an email that is stored again is acknowledged with its id, version and flags", async () => {
    const given = { messageId: "<again@example.com>", from: "ann@example.com", subject: WORDS["emails:read"] };
    const { body: stored } = await maker.post("/api/emails", given);
    const answer = await closed.post("/api/emails", given, { token: (await keyFor("emails:write")).key });
    expect([answer.status, leaked(seen(answer), [])]).toEqual([200, []]);
    expect(answer.body).toMatchObject({ id: stored.id, version: stored.version, status: "inbox", isRead: false });
    expect(Object.values(answer.body).every((value) => typeof value !== "object" || value === null)).toBe(true);
    expect(answer.body).not.toHaveProperty("createdAt");
  });

  it("a taken time is refused with times only", async () => {
    const { path = "" } = (await CALLS.getEvent?.("")) ?? {};
    await plant();
    const { body: other } = await closed.get(path, { token: owner.token });
    const event = { title: "Mine", start: other.start, durationMinutes: 30 };
    const token = (await keyFor("calendar:write")).key;
    const refused = await closed.post("/api/calendar/events?onConflict=reject", event, { token });
    expectProblem(refused, 409, "time_conflict");
    expect([leaked(seen(refused), []), refused.body.conflicts]).toEqual([[], [{ start: other.start, end: other.end }]]);
    const made = await closed.post("/api/calendar/events", event, { token });
    expect([leaked(seen(made), []), made.body.conflicts]).toEqual([[], [{ start: other.start, end: other.end }]]);
  });

  it("a repeated request gets no more than the key may read by then", async () => {
    const { id, key } = await createApiKey(await contextFor(owner.token), {
      name: "fading",
      scopes: ["tasks:read", "tasks:write"],
      expiresAt: null,
    });
    const again = () =>
      closed.post(
        "/api/tasks",
        { title: WORDS["tasks:read"] },
        { token: key, headers: { "idempotency-key": "fading" } },
      );
    expect((await again()).text).toContain(WORDS["tasks:read"]);
    const path = `/api/settings/security/api-keys/${id}`;
    expect((await closed.patch(path, { scopes: ["tasks:write"] }, { token: owner.token })).status).toBe(200);
    const replayed = await again();
    expect([replayed.status, replayed.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(leaked(seen(replayed), [])).toEqual([]);
  });

  it("a reminder of an event names it only to who may read the calendar", async () => {
    const { path = "" } = (await CALLS.getEvent?.("")) ?? {};
    await env.DB.prepare(
      `INSERT INTO reminders (user_id, kind, record_id, at, channel, state, fired_at, late)
       VALUES (?1, 'event', ?2, 0, 'default', 'fired', 0, 0)`,
    )
      .bind(owner.id, Number(path.split("/").at(-1)))
      .run();
    await plant();
    const read = async (...scopes: Scope[]) =>
      (await closed.get("/api/reminders?limit=1", { token: (await keyFor(...scopes)).key })).text;
    expect(leaked(await read("tasks:read"), ["tasks:read"])).toEqual([]);
    expect(await read("tasks:read", "calendar:read")).toContain(WORDS["calendar:read"]);
  });

  const CHATS: readonly [message: string, ...scopes: Scope[]][] = [
    ["What is on my calendar?", "ai:use"],
    ["Show my tasks", "ai:use", "tasks:write"],
    [`Complete the task ${WORDS["tasks:read"]}`, "ai:use", "tasks:write"],
    ["Read my latest email", "ai:use", "emails:write"],
    ["Archive my latest email", "ai:use", "emails:write"],
    ["Cancel my next event", "ai:use", "calendar:write"],
    ["Add lunch on 2 January 2031 from 0:00 to 23:00", "ai:use", "calendar:write"],
    ["Plan my day", "ai:use", "tasks:write", "calendar:write"],
  ];

  it.each(CHATS)("chat: %s", async (message, ...scopes) => {
    for (const name of ["getEmail", "getTask", "getEvent"]) await CALLS[name]?.("");
    await plant();
    const answer = await send(post, { path: "/api/ai/chat", body: { message } }, (await keyFor(...scopes)).key);
    expect(answer.status).toBe(200);
    expect(leaked(seen(answer).replaceAll(message, ""), scopes)).toEqual([]);
  });
});

describe("a tool of an agent shows no word of what its connection may not read", () => {
  const id = async (path: string) => (await closed.get(`${path}?limit=1`, { token: owner.token })).body.data[0].id;
  const eventId = () => id("/api/calendar/events");
  const INPUTS: Record<string, () => Promise<Record<string, unknown>>> = {
    search: async () => ({ query: Object.values(WORDS)[0] }),
    fetch: async () => ({ id: `mail:${await id("/api/emails")}` }),
    find_mail: async () => ({}),
    read_mail: async () => ({ id: await id("/api/emails") }),
    list_tasks: async () => ({}),
    list_events: async () => ({ start: "2031-01-01", end: "2039-01-01" }),
    find_free_slots: async () => ({}),
    daily_brief: async () => ({}),
    create_task: async () => ({ title: "Own words" }),
    update_task: async () => ({ id: await id("/api/tasks"), priority: "high" }),
    create_event: async () => {
      const { path = "" } = (await CALLS.getEvent?.("")) ?? {};
      const { body } = await closed.get(path, { token: owner.token });
      await plant();
      return { title: "Own words", start: body.start, durationMinutes: 600 };
    },
    move_event: async () => ({ id: await eventId(), start: "2032-05-05T10:00:00Z" }),
    cancel_event: async () => ({ id: await eventId() }),
    update_mail: async () => ({ id: await id("/api/emails"), isStarred: true }),
    propose_reply: async () => ({ emailId: await id("/api/emails"), body: "Thank you." }),
  };
  const tokens = new Map<string, { token: string; by: string }[]>();

  beforeAll(async () => {
    const server = oauth();
    for (const scope of AGENT_SCOPES) {
      const { access } = await connected(server, { person: owner, scope });
      tokens.set(scope, [
        { token: access, by: "connection" },
        { token: (await keyFor(scope)).key, by: "API key" },
      ]);
    }
    for (const name of ["getEmail", "getTask", "getEvent", "getEvent"]) await CALLS[name]?.("");
  });

  it.each(AGENT_TOOLS.map(({ name }) => name))("%s", async (name) => {
    const input = INPUTS[name];
    if (!input) throw new Error(`The tool ${name} has no input here.`);
    const tool = AGENT_TOOLS.find((each) => each.name === name);
    for (const scope of AGENT_SCOPES) {
      for (const { token, by } of tokens.get(scope) ?? []) {
        await plant();
        const answer = await agent(token, "modern", closed).send({
          method: "tools/call",
          params: { name, arguments: await input() },
        });
        walked.tools += 1;
        expect([by, scope, leaked(seen(answer), [scope])]).toEqual([by, scope, []]);
        const mayUse = tool?.anyOf ? tool.scopes.includes(scope) : tool?.scopes.every((each) => each === scope);
        const reads = name === "fetch" ? scope === "emails:read" : mayUse;
        expect([by, scope, answer.status], answer.text).toEqual([by, scope, reads ? 200 : 403]);
        if (reads) expect(answer.body.result.isError, answer.text).toBeUndefined();
      }
    }
  });

  it("a change is still acknowledged: with id, version and flags, conflicts as times", async () => {
    const [calendar] = tokens.get("calendar:write") ?? [];
    const [tasks] = tokens.get("tasks:write") ?? [];
    const create = await INPUTS.create_event?.();
    const made = await agent(calendar?.token ?? "", "modern", closed).done("create_event", create);
    expect(made.status).toBe("done");
    expect(Object.keys(made.event).sort()).toEqual(["allDay", "awaitsAnswer", "busy", "id", "status", "version"]);
    expect(Object.keys(made.conflicts[0]).sort()).toEqual(["end", "start"]);
    const changed = await agent(tasks?.token ?? "", "modern", closed).done("update_task", await INPUTS.update_task?.());
    expect(Object.keys(changed.task).sort()).toEqual(["id", "priority", "status", "version"]);
  });
});

it("walked every operation with every scope", () => {
  expect(walked.requests).toBeGreaterThanOrEqual(operations.length * dataScopes.length);
  expect(walked.tools).toBe(AGENT_TOOLS.length * AGENT_SCOPES.length * 2);
});
