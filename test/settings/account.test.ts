import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { ownStore } from "../ai/tenant.ts";
import { countRows, openSession, PASSWORD, registerPerson } from "../auth/people.ts";
import { emptyService, expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { until } from "../until.ts";
import { newWebhook } from "../webhooks/receiver.ts";
import { mailbox, signedInPerson } from "./people.ts";

const client = service();
const remove = (token: string, body: object, vars = {}) =>
  service(vars).delete("/api/settings/account", {
    token,
    raw: JSON.stringify({ currentPassword: PASSWORD, ...body }),
    headers: { "content-type": "application/json" },
  });

/** A database whose batches wait until they are let go. */
function holdBack(database: D1Database) {
  let waiting = 0;
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const db = new Proxy(database, {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== "batch") return typeof member === "function" ? member.bind(target) : member;
      return async (statements: D1PreparedStatement[]) => {
        waiting += 1;
        await released;
        return target.batch(statements);
      };
    },
  });
  return { db, release, waiting: () => waiting };
}

describe("deleting an account", () => {
  it("takes everything of it along, and ends every credential at once", async () => {
    const person = await signedInPerson();
    const { token, id, email } = person;
    const other = await openSession(id);
    const raw = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    await client.post("/api/settings/profile/avatar", undefined, {
      token,
      raw,
      headers: { "content-type": "image/png" },
    });
    const days = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] };
    expect((await client.put("/api/settings/profile/working-hours", { days }, { token })).status).toBe(200);
    const headers = { "idempotency-key": `deleted-${id}` };
    const order = { name: "robot", scopes: ["tasks:read"], currentPassword: PASSWORD };
    const key = (await client.post("/api/settings/security/api-keys", order, { token, headers })).body.key;
    const mail = mailbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    expect((await remove(token, { confirm: email.toUpperCase() }, mail.vars)).status).toBe(204);

    expectProblem(await client.get("/api/auth/me", { token }), 401, "session_revoked");
    expectProblem(await client.get("/api/auth/me", { token: other.token }), 401, "session_revoked");
    expectProblem(
      await client.post("/api/auth/refresh", { refreshToken: person.refreshToken }),
      401,
      "session_revoked",
    );
    const closed = service({ ACCESS_MODE: "private" });
    expectProblem(await closed.get("/api/tasks", { token: key }), 401, "unauthenticated");
    expectProblem(await client.post("/api/auth/login", { email, password: PASSWORD }), 401, "invalid_credentials");
    for (const table of [
      "sessions",
      "api_keys",
      "mail_tokens",
      "profiles",
      "notification_preferences",
      "working_hours",
      "audit_log",
    ]) {
      expect(await countRows(table, "user_id = ?", id), table).toBe(0);
    }
    expect(await countRows("idempotency_keys", "actor = ?", `user:${id}`)).toBe(0);
    expect((await env.KV.list({ prefix: `avatar:${id}:` })).keys).toEqual([]);
    expect(
      await countRows("audit_log", "action = 'account.deleted' AND user_id IS NULL AND actor = ?", `user:${id}`),
    ).toBe(1);
    expect(mail.subjectsTo(email)).toContain("Your account was deleted");
  });

  it("takes the address as its confirmation, and a proof", async () => {
    const { token, email } = await signedInPerson();
    expectProblem(await remove(token, { confirm: "other@example.com" }), 422, "validation_failed");
    for (const currentPassword of [undefined, "not the password"]) {
      const refused = await remove(token, { confirm: email, currentPassword });
      expectProblem(refused, 403, "reauthentication_required");
    }
    expect((await client.get("/api/auth/me", { token })).status).toBe(200);
    expect((await remove(token, { confirm: email })).status).toBe(204);
  });

  it("happens once when it is asked for twice at the same time", async () => {
    const { token, email } = await signedInPerson();
    const answers = await Promise.all([remove(token, { confirm: email }), remove(token, { confirm: email })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401]);
  });

  it("refuses what was on its way meanwhile, and nothing of it stays", async () => {
    const { token, id, email } = await signedInPerson();
    const requests = [
      ["PATCH", "/api/settings/profile", { bio: "late" }],
      ["POST", "/api/settings/tokens/alerts", { unit: "tokens", threshold: 5 }],
      ["POST", "/api/settings/webhooks", { url: "http://127.0.0.1:9/hook", currentPassword: PASSWORD }],
      ["POST", "/api/settings/security/api-keys", { name: "late", scopes: ["tasks:read"], currentPassword: PASSWORD }],
      ["POST", "/api/settings/security/2fa/setup", { currentPassword: PASSWORD }],
      ["DELETE", "/api/settings/security/sessions", undefined],
      ["POST", "/api/settings/profile/email/verify", undefined],
    ] as const;
    // Each has passed the session check, and waits with its write until the account is gone.
    const held = holdBack(env.DB);
    const waiting = requests.map(([method, path, body]) =>
      service({ ...mailbox().vars, DB: held.db }).call(method, path, { token, body }),
    );
    await until(() => expect(held.waiting()).toBe(requests.length));
    expect((await remove(token, { confirm: email })).status).toBe(204);
    held.release();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401]));
    for (const table of ["token_alerts", "webhook_endpoints", "api_keys", "sessions", "profiles", "mail_tokens"])
      expect(await countRows(table, "user_id = ?", id), table).toBe(0);
  });

  it("of the owner needs a new owner while others have accounts, and their data stays", async () => {
    await env.DB.exec("DELETE FROM users");
    const owner = await registerPerson();
    const member = await signedInPerson();
    const task = await client.post("/api/tasks", { title: "Stays" });
    expectProblem(await remove(owner.token, { confirm: owner.email }), 409, "new_owner_required");
    expectProblem(
      await remove(owner.token, { confirm: owner.email, newOwner: "nobody@example.com" }),
      409,
      "new_owner_required",
    );
    expect((await remove(owner.token, { confirm: owner.email, newOwner: member.email })).status).toBe(204);
    expect((await client.get("/api/auth/me", { token: member.token })).body.user.role).toBe("owner");
    expect((await client.get(`/api/tasks/${task.body.id}`)).status).toBe(200);
  });

  it.each([
    ["", false],
    [" and OWNER_EMAIL is set", true],
  ])(
    "of a lone owner who names a successor without an account is refused, and nothing is erased%s",
    async (_, isNamed) => {
      await env.DB.exec("DELETE FROM users");
      const owner = await registerPerson();
      const task = await client.post("/api/tasks", { title: "Stays" });
      const vars = isNamed ? { OWNER_EMAIL: owner.email } : {};
      const refused = await remove(owner.token, { confirm: owner.email, newOwner: "colleague@example.com" }, vars);
      expectProblem(refused, 409, "new_owner_required");
      expect((await client.get(`/api/tasks/${task.body.id}`)).status).toBe(200);
      expect((await client.get("/api/auth/me", { token: owner.token })).status).toBe(200);
    },
  );

  it("of the last person goes through when somebody registers meanwhile, who then owns the empty service", async () => {
    await env.DB.exec("DELETE FROM users");
    const last = await registerPerson();
    await client.post("/api/tasks", { title: "Goes" });
    let next = last;
    // Two batches check the password, the third looks for others, the fourth deletes.
    const DB = interruptBatch(env.DB, 4, async () => {
      expect(await countRows("tasks", "1")).toBe(0);
      next = await registerPerson();
    });
    expect((await remove(last.token, { confirm: last.email }, { DB })).status).toBe(204);
    expectProblem(await client.get("/api/auth/me", { token: last.token }), 401, "session_revoked");
    expect((await client.get("/api/auth/me", { token: next.token })).body.user.role).toBe("owner");
  });

  it("by a member makes nobody an owner", async () => {
    const [member, friend] = [await signedInPerson(), await signedInPerson()];
    await remove(member.token, { confirm: member.email, newOwner: friend.email });
    expect((await client.get("/api/auth/me", { token: friend.token })).body.user.role).toBe("member");
  });

  it("of the last person empties the service, and the next to register owns it", async () => {
    await env.DB.exec("DELETE FROM users");
    await emptyService();
    const last = await registerPerson();
    await client.post("/api/tasks", { title: "Goes" });
    await client.post("/api/emails", { from: "ann@example.org", to: ["me@example.org"], subject: "Hi", body: "Hi" });
    await client.post("/api/calendar/events", { title: "Goes too", start: "2031-01-01T10:00:00Z" });
    await client.put("/api/settings/tokens/budget", { monthlyLimit: 5 }, { token: last.token });
    const webhook = await newWebhook([], last);
    await client.post("/api/tasks", { title: "Told" }, { headers: { "idempotency-key": crypto.randomUUID() } });
    expect(await webhook.received()).toHaveLength(1);
    await client.post("/api/ai/chat", { message: "remind me to leave" });
    await client.post("/api/ai/chat", { message: "remind me to leave" }, { token: last.token });
    const store = { KV: ownStore() };
    const order = { provider: "openai", key: "sk-0123456789abcdef" };
    expect((await service(store).post("/api/api-keys", order, { token: last.token })).status).toBe(201);
    expect((await remove(last.token, { confirm: last.email }, store)).status).toBe(204);
    expect(await store.KV.get("ai-key:openai")).toBeNull();
    // An index without a word has two rows of its own.
    for (const search of ["emails_search", "tasks_search", "tasks_by_due"]) {
      expect(await env.DB.prepare(`SELECT count(*) FROM ${search}_data`).first("count(*)"), search).toBe(2);
    }
    for (const table of [
      ...["emails", "threads", "tasks", "events", "users", "sync_runs", "booking_connection"],
      ...[
        "stream_sessions",
        "stream_credentials",
        "captions",
        "ai_calls",
        "token_alerts",
        "chat_conversations",
        "chat_messages",
      ],
      ...["webhook_endpoints", "webhook_deliveries", "webhook_messages", "outbox", "idempotency_keys"],
    ])
      expect(await countRows(table, "1"), table).toBe(0);
    const next = await registerPerson();
    expect((await client.get("/api/auth/me", { token: next.token })).body.user.role).toBe("owner");
    expect((await client.get("/api/settings/tokens/balance", { token: next.token })).body.limit).toBeNull();
  });
});
