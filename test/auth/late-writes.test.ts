import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type Answer, expectProblem, service } from "../harness.ts";
import { oauth } from "../mcp/connecting.ts";
import { interruptBatch, measurePrice, passOn, watchDatabase } from "../measured.ts";
import { mailbox, newSubscription } from "../settings/people.ts";
import { countRows, openSession, PASSWORD, type Person, registerPerson, signedInPerson } from "./people.ts";

/* A request that was begun with a session that ends, or loses its confirmation, before the request is done. */

const client = service();
const SECURITY = "/api/settings/security";

async function change({ token }: Person, revokeOthers: boolean, through = client): Promise<void> {
  const body = { currentPassword: PASSWORD, newPassword: "a brand new passphrase", revokeOthers };
  const answer = await through.post(`${SECURITY}/password`, body, { token });
  expect(answer.status, answer.text).toBe(200);
}

const key = { name: "robot", scopes: ["tasks:read"] };
const webhook = { url: "https://hooks.example.com/in", eventTypes: ["task.created"] };

/** Sends the head of a request and the first byte of its body, does something, and then sends the rest. */
async function held(path: string, body: unknown, token: string, meanwhile: () => Promise<void>): Promise<Answer> {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  let wanted = () => {};
  const isWanted = new Promise<void>((resolve) => {
    wanted = resolve;
  });
  let sent = 0;
  const raw = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        sent += 1;
        if (sent === 1) return controller.enqueue(bytes.slice(0, 1));
        wanted();
        await done;
        controller.enqueue(bytes.slice(1));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const done = isWanted.then(meanwhile);
  const headers = { "content-type": "application/json", "content-length": String(bytes.length) };
  return client.call("POST", path, { raw, headers, token });
}

describe("a request whose body comes slowly", () => {
  it.each([
    [`${SECURITY}/api-keys`, key],
    ["/api/settings/webhooks", webhook],
    [`${SECURITY}/2fa/setup`, {}],
    ["/api/calendar/feed", {}],
  ])(
    "is one of the time when it is complete: %s is refused to a session that has ended by then",
    async (path, body) => {
      const person = await signedInPerson();
      const { token } = await openSession(person.id);
      const answer = await held(path, body, token, () => change(person, true));
      expectProblem(answer, 401, "session_revoked");
      expect(await countRows("api_keys", "user_id = ?", person.id)).toBe(0);
      expect(await countRows("webhook_endpoints", "user_id = ?", person.id)).toBe(0);
    },
  );

  it("is done once it is complete, as any other", async () => {
    const { token } = await signedInPerson();
    expect((await held(`${SECURITY}/api-keys`, key, token, async () => {})).status).toBe(201);
  });
});

describe.each([true, false])("what needs the password is not written after a change of it (others end: %s)", (ends) => {
  it.each([
    ["a key", `${SECURITY}/api-keys`, async () => key],
    ["a webhook", "/api/settings/webhooks", async () => webhook],
    ["a device", "/api/settings/notifications/push", () => newSubscription(crypto.randomUUID())],
    ["a second factor", `${SECURITY}/2fa/setup`, async () => ({})],
    ["a calendar link", "/api/calendar/feed", async () => ({})],
  ])("%s", async (_, path, body) => {
    const person = await signedInPerson();
    const { token } = await openSession(person.id);
    // The session was checked, and the write is about to be made.
    const DB = interruptBatch(env.DB, 1, () => change(person, ends));
    expectProblem(await service({ DB }).post(path, await body(), { token }), 403, "reauthentication_required");
    for (const table of ["api_keys", "webhook_endpoints", "push_subscriptions"]) {
      expect(await countRows(table, "user_id = ?", person.id), table).toBe(0);
    }
    expect(await countRows("calendar_state", "feed_user_id = ?", person.id)).toBe(0);
    expect(await countRows("users", "id = ? AND totp_secret IS NOT NULL", person.id)).toBe(0);
  });
});

describe("what is checked before it begins writes nothing if its session ends after that", () => {
  /** A database on which the person's sessions end as soon as one of them was checked. */
  function endingAfterCheck(userId: number) {
    const priced = measurePrice(env.DB);
    let hasEnded = false;
    const DB = watchDatabase(priced.db, {
      async statement(...call) {
        const checked = await passOn(...call);
        if (!hasEnded) await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(userId).run();
        hasEnded = true;
        return checked;
      },
      batch: (statements, send) => send(statements),
    });
    return { DB, rowsWritten: () => priced.taken().rowsWritten };
  }

  it.each<[string, string, string, object]>([
    ["a setting of the owner", "PATCH", "/api/settings/retention", { trashDays: 20 }],
    ["the place of captions", "POST", "/api/stream/credentials", { platform: "webhook", url: "https://a.example/in" }],
  ])("%s", async (_, method, path, body) => {
    const { id, token } = await signedInPerson("owner");
    const { DB, rowsWritten } = endingAfterCheck(id);
    const answer = await service({ DB, ACCESS_MODE: "private" }).call(method, path, { body, token });
    expect([401, 403], answer.text).toContain(answer.status);
    expect(rowsWritten()).toBe(0);
  });

  it.each(["application/json", "text/event-stream"])("a message to the assistant, for %s", async (accept) => {
    const { id, token } = await signedInPerson("owner");
    const { DB } = endingAfterCheck(id);
    const title = `Buy milk for ${id}`;
    const options = { token, headers: { accept } };
    const answer = await service({ DB, ACCESS_MODE: "private" }).post(
      "/api/ai/chat",
      { message: `add a task: ${title}` },
      options,
    );
    expect(answer.text).toContain("session_revoked");
    expect(await countRows("tasks", "title = ?", title)).toBe(0);
    // What the call has cost is still counted.
    expect(await countRows("chat_conversations", "user_id = ?", id)).toBe(0);
  });

  it("an AI key, which the key store does not get", async () => {
    const { id, token } = await signedInPerson("owner");
    const put = vi.fn();
    const KV = new Proxy(env.KV, {
      get(kv, name) {
        const member = name === "put" ? put : Reflect.get(kv, name);
        return typeof member === "function" ? member.bind(kv) : member;
      },
    });
    const { DB } = endingAfterCheck(id);
    const body = { provider: "custom", baseUrl: "https://llm.example.com/v1", model: "model_d", upstreamModel: "x" };
    const answer = await service({ DB, KV }).post("/api/api-keys", body, { token });
    expectProblem(answer, 403, "reauthentication_required");
    expect(put).not.toHaveBeenCalled();
    expect(await countRows("audit_log", "user_id = ? AND action = 'ai_key.saved'", id)).toBe(0);
  });

  it("a setting that is sent with an API key that is revoked", async () => {
    const { id, token } = await signedInPerson("owner");
    const order = { name: "robot", scopes: ["admin"] };
    const { key } = (await client.post(`${SECURITY}/api-keys`, order, { token })).body;
    const revoke = () => env.DB.prepare("DELETE FROM api_keys WHERE user_id = ?").bind(id).run();
    const DB = interruptBatch(env.DB, 1, revoke);
    const answer = await service({ DB }).patch("/api/settings/retention", { trashDays: 20 }, { token: key });
    expectProblem(answer, 401, "unauthenticated");
  });

  it("but what a request has begun to say after its change is said, also by one that ended its own session", async () => {
    const { token, id } = await signedInPerson();
    expect((await client.post("/api/auth/logout", undefined, { token })).status).toBe(204);
    expect(await countRows("sessions", "user_id = ?", id)).toBe(0);
    expect(await countRows("audit_log", "user_id = ? AND action = 'session.ended'", id)).toBe(1);
  });
});

it("a calendar link needs the password, unless it was confirmed in this session recently", async () => {
  const { id, token } = await signedInPerson();
  await env.DB.prepare("UPDATE sessions SET proved_at = NULL WHERE user_id = ?").bind(id).run();
  expectProblem(await client.post("/api/calendar/feed", {}, { token }), 403, "reauthentication_required");
  expect((await client.post("/api/calendar/feed", { currentPassword: PASSWORD }, { token })).status).toBe(201);
  expect((await client.post("/api/calendar/feed", undefined, { token })).status).toBe(201);
});

it("a page for consent that was opened with the old password during a change of it allows nothing", async () => {
  const person = await registerPerson();
  const { address, register } = oauth();
  const page = await address(await register());
  let [loggedIn, changed] = [() => {}, () => {}];
  const isLoggedIn = new Promise<void>((resolve) => {
    loggedIn = resolve;
  });
  const isChanged = new Promise<void>((resolve) => {
    changed = resolve;
  });
  let batches = 0;
  const DB = watchDatabase(env.DB, {
    statement: passOn,
    async batch(statements, send) {
      const results = await send(statements);
      batches += 1;
      // The old password was right, and the sign-in is written.
      if (batches === 2) {
        loggedIn();
        await isChanged;
      }
      return results;
    },
  });
  let shown: Promise<Answer> | undefined;
  const changing = interruptBatch(env.DB, 2, async () => {
    shown = oauth({ DB }).signIn(page, person);
    await isLoggedIn;
  });
  await change(person, false, service({ DB: changing }));
  changed();
  const answer = await shown;
  if (!answer) throw new Error("the change was not interrupted");
  const decided = await oauth().decide(page, answer);
  expect([decided.status, decided.headers.get("location")]).toEqual([403, null]);
});

it("a reset that was requested for an address during its change is not one of the account any more", async () => {
  const { id, email } = await signedInPerson();
  const mail = mailbox();
  const DB = interruptBatch(env.DB, 1, () =>
    env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(`new-${email}`, id).run(),
  );
  await service({ ...mail.vars, DB }).post("/api/auth/password/forgot", { email });
  expect(mail.subjectsTo(email)).toHaveLength(1);
  const taken = await client.post("/api/auth/password/reset", { token: mail.token(), password: "my own passphrase" });
  expectProblem(taken, 422, "invalid_token");
});
