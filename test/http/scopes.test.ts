import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import type { Scope } from "../../src/lib/api-key-scopes.ts";
import { contextFor } from "../auth/people.ts";
import { type Client, expectProblem, service } from "../harness.ts";
import { CALLS, type Call, type Caller } from "./calls.ts";
import { leaked, plant, WORDS } from "./planted.ts";
import { scopedService, seen, send, sentEmails, writtenBeside } from "./scoped.ts";

/* What a key may read of stored records by detours. calls.test.ts calls every operation with each single scope. */

const open = service();
let stage: Awaited<ReturnType<typeof scopedService>>;
let caller: Caller;
let closed: Client;
beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  stage = await scopedService();
  closed = stage.client;
  caller = await stage.callerOf(null);
});

describe("a key that may read and write", () => {
  it("sees the words", async () => {
    for (const [group, path] of [
      ["emails", "/api/emails"],
      ["tasks", "/api/tasks"],
      ["calendar", "/api/calendar/events"],
    ] as const) {
      await CALLS[`get${{ emails: "Email", tasks: "Task", calendar: "Event" }[group]}`]?.(caller);
      await plant();
      const { key } = await stage.keyFor(`${group}:read`, `${group}:write`);
      const { body } = await closed.get(path, { token: key });
      const { id } = body.data[0];
      const changed = await closed.patch(`${path}/${id}`, { tags: [WORDS[`${group}:read`]] }, { token: key });
      expect(changed.text).toContain(WORDS[`${group}:read`]);
      expect(Object.keys(changed.body)).toContain("createdAt");
    }
  });
});

describe("without the scope that reads it, a stored record is not quoted, sent on or made into another", () => {
  const REFUSED: readonly [name: string, scope: Scope, call: () => Promise<Call>][] = [
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
  const emailId = async () => (await CALLS.getEmail?.(caller))?.path.split("/").at(-1) as unknown as number;

  it.each(REFUSED)("%s", async (_, scope, prepareCall) => {
    const { path, body } = await prepareCall();
    const numbered = JSON.parse(JSON.stringify(body), (name, value) =>
      ["inReplyTo", "forwardOf", "emailId"].includes(name) ? Number(value) : value,
    );
    await plant();
    const answer = await send(closed, "POST", { path, body: numbered }, (await stage.keyFor(scope)).key);
    expectProblem(answer, 403, "insufficient_scope");
    expect(leaked(seen(answer), [scope])).toEqual([]);
    expect(sentEmails).toEqual([]);
  });

  it("nor does a write change a record of another kind without the scope that writes it", async () => {
    const text = { from: "ann@example.com", body: "Please send the report by Friday." };
    const { body: email } = await open.post("/api/emails", { ...text, createTasks: "every" });
    const asked: [method: string, path: string, body: object][] = [
      ["POST", "/api/emails", { ...text, createTasks: "every" }],
      // Also where no task would come of it.
      ["POST", "/api/emails", { from: "ann@example.com", body: "Hello.", createTasks: "action_items" }],
      ["PATCH", `/api/emails/${email.id}`, { status: "trash", tasks: "cancel" }],
      ["PATCH", "/api/emails", { ids: [email.id], status: "trash", tasks: "cancel" }],
    ];
    const few = await stage.keyFor("emails:read", "emails:write", "tasks:read");
    const both = await stage.keyFor("emails:write", "tasks:write");
    for (const [method, path, body] of asked) {
      const before = [await writtenBeside("ai:use"), await writtenBeside("emails:write")];
      expectProblem(await send(closed, method, { path, body }, few.key), 403, "insufficient_scope");
      expect([await writtenBeside("ai:use"), await writtenBeside("emails:write")]).toEqual(before);
      expect((await send(closed, method, { path, body }, both.key)).status).toBeLessThan(300);
    }
  });

  it("an email that is stored again is acknowledged with its id, version and flags", async () => {
    const given = { messageId: "<again@example.com>", from: "ann@example.com", subject: WORDS["emails:read"] };
    const { body: stored } = await open.post("/api/emails", given);
    const answer = await closed.post("/api/emails", given, { token: (await stage.keyFor("emails:write")).key });
    expect([answer.status, leaked(seen(answer), [])]).toEqual([200, []]);
    expect(answer.body).toMatchObject({ id: stored.id, version: stored.version, status: "inbox", isRead: false });
    expect(Object.values(answer.body).every((value) => typeof value !== "object" || value === null)).toBe(true);
    expect(answer.body).not.toHaveProperty("createdAt");
  });

  it("a taken time is refused with times only", async () => {
    const { path = "" } = (await CALLS.getEvent?.(caller)) ?? {};
    await plant();
    const { body: other } = await closed.get(path, { token: stage.owner.token });
    const event = { title: "Mine", start: other.start, durationMinutes: 30 };
    const token = (await stage.keyFor("calendar:write")).key;
    const refused = await closed.post("/api/calendar/events?onConflict=reject", event, { token });
    expectProblem(refused, 409, "time_conflict");
    expect([leaked(seen(refused), []), refused.body.conflicts]).toEqual([[], [{ start: other.start, end: other.end }]]);
    const made = await closed.post("/api/calendar/events", event, { token });
    expect([leaked(seen(made), []), made.body.conflicts]).toEqual([[], [{ start: other.start, end: other.end }]]);
  });

  it("a repeated request gets no more than the key may read by then", async () => {
    const { id, key } = await createApiKey(await contextFor(stage.owner.token), {
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
    expect((await closed.patch(path, { scopes: ["tasks:write"] }, { token: stage.owner.token })).status).toBe(200);
    const replayed = await again();
    expect([replayed.status, replayed.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(leaked(seen(replayed), [])).toEqual([]);
  });

  it("a reminder of an event names it only to who may read the calendar", async () => {
    const { path = "" } = (await CALLS.getEvent?.(caller)) ?? {};
    await env.DB.prepare(
      `INSERT INTO reminders (user_id, kind, record_id, at, channel, state, fired_at, late)
       VALUES (?1, 'event', ?2, 0, 'default', 'fired', 0, 0)`,
    )
      .bind(stage.owner.id, Number(path.split("/").at(-1)))
      .run();
    await plant();
    const read = async (...scopes: Scope[]) =>
      (await closed.get("/api/reminders?limit=1", { token: (await stage.keyFor(...scopes)).key })).text;
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
    for (const name of ["getEmail", "getTask", "getEvent"]) await CALLS[name]?.(caller);
    await plant();
    const answer = await send(
      closed,
      "POST",
      { path: "/api/ai/chat", body: { message } },
      (await stage.keyFor(...scopes)).key,
    );
    expect(answer.status).toBe(200);
    expect(leaked(seen(answer).replaceAll(message, ""), scopes)).toEqual([]);
  });
});
