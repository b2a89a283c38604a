import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { type Answer, expectProblem, service } from "../harness.ts";
import { oauth } from "../mcp/connecting.ts";
import { interruptBatch, passOn, watchDatabase } from "../measured.ts";
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
