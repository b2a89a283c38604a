import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditActions, countRows, openSession } from "../auth/people.ts";
import { declarationsOf } from "../declared.ts";
import { expectProblem, service, sharedApp } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { codeAt, expireReauthentication, PASSWORD, signedInPerson, turnOnTwoFactor } from "./people.ts";

const client = service();
const SETUP = "/api/settings/security/2fa/setup";
const CODES = "/api/settings/security/2fa/backup-codes";

describe("a proof of who one is", () => {
  it("is not asked for while it was given recently, and is 15 minutes later", async () => {
    const { token, id } = await signedInPerson();
    expect((await client.post(SETUP, undefined, { token })).status).toBe(200);
    await expireReauthentication(id);
    const answer = await client.post(SETUP, undefined, { token });
    expectProblem(answer, 403, "reauthentication_required");
    expect(answer.body.needs).toEqual(["currentPassword"]);
  });

  it("is asked for after the body is checked, and says what it is for and for how long it counts", async () => {
    const { token, id, email } = await signedInPerson();
    await expireReauthentication(id);
    const create = (url: string) => client.post("/api/settings/webhooks", { url }, { token });
    for (const url of ["", "not an address", "ftp://hooks.example.com/asked"]) {
      expectProblem(await create(url), 422, "validation_failed");
    }
    const asked = await create("https://hooks.example.com/asked");
    expectProblem(asked, 403, "reauthentication_required");
    expect(asked.body).toMatchObject({ action: "Create a webhook", validMinutes: 15 });
    // Where it is asked for each time, there is no time in which it is not.
    const deletion = await client.delete("/api/settings/account", { token, body: { confirm: email } });
    expectProblem(deletion, 403, "reauthentication_required");
    expect(deletion.body).not.toHaveProperty("validMinutes");
  });

  it("is the password, and holds for the next 15 minutes", async () => {
    const { token, id } = await signedInPerson();
    await expireReauthentication(id);
    expect((await client.post(SETUP, { currentPassword: PASSWORD }, { token })).status).toBe(200);
    expect((await client.post(SETUP, undefined, { token })).status).toBe(200);
    expect(await auditActions(id)).toEqual(["session.proved", "two_factor.setup_started", "two_factor.setup_started"]);
  });

  it("holds for the session that gave it, and no other", async () => {
    const { token, id } = await signedInPerson();
    const other = await openSession(id);
    await expireReauthentication(id);
    await client.post(SETUP, { currentPassword: PASSWORD }, { token });
    expectProblem(await client.post(SETUP, undefined, { token: other.token }), 403, "reauthentication_required");
  });

  it("takes a code too with two-factor on, and no code twice", async () => {
    const person = await signedInPerson();
    const { token, id } = person;
    const { secret } = await turnOnTwoFactor(person);
    await expireReauthentication(id);
    const missing = await client.post(CODES, { currentPassword: PASSWORD }, { token });
    expectProblem(missing, 403, "reauthentication_required");
    expect(missing.body.needs).toEqual(["currentPassword", "code"]);
    const code = await codeAt(secret);
    expectProblem(
      await client.post(CODES, { currentPassword: "wrong", code }, { token }),
      403,
      "reauthentication_required",
    );
    expectProblem(
      await client.post(CODES, { currentPassword: PASSWORD, code: "000000" }, { token }),
      403,
      "reauthentication_required",
    );
    expect((await client.post(CODES, { currentPassword: PASSWORD, code }, { token })).status).toBe(200);
    await expireReauthentication(id);
    expectProblem(
      await client.post(CODES, { currentPassword: PASSWORD, code }, { token }),
      403,
      "reauthentication_required",
    );
  });

  it("that is wrong counts towards the lock, also when many are tried at once", async () => {
    const { token, id, email } = await signedInPerson();
    await expireReauthentication(id);
    const guesses = Array.from({ length: 14 }, (_, n) =>
      client.post(SETUP, { currentPassword: `guess ${n}` }, { token }),
    );
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(10);
    expectProblem(await client.post(SETUP, { currentPassword: PASSWORD }, { token }), 429, "account_locked");
    expectProblem(await client.post("/api/auth/login", { email, password: PASSWORD }), 429, "account_locked");
    expect(await countRows("users", "id = ? AND totp_secret IS NOT NULL", id)).toBe(0);
  });

  it("that is only a part clears no wrong guesses: the password does not buy more codes", async () => {
    const person = await signedInPerson();
    const { token } = person;
    await turnOnTwoFactor(person);
    const guess = () => client.post(CODES, { code: "000000" }, { token });
    for (let n = 0; n < 9; n++) expectProblem(await guess(), 403, "reauthentication_required");
    expect((await client.post(CODES, { currentPassword: PASSWORD }, { token })).status).toBe(200);
    const change = { currentPassword: PASSWORD, newPassword: "kitchen table under water" };
    expect((await client.post("/api/settings/security/password", change, { token })).status).toBe(200);
    expectProblem(await guess(), 403, "reauthentication_required");
    expectProblem(await guess(), 429, "account_locked");
  });

  it("is worth nothing when the password changes while it is being checked", async () => {
    const { token, id } = await signedInPerson();
    await expireReauthentication(id);
    const change = () => env.DB.prepare("UPDATE users SET password_hash = 'other' WHERE id = ?").bind(id).run();
    const DB = interruptBatch(env.DB, 2, change);
    const answer = await service({ DB }).post(SETUP, { currentPassword: PASSWORD }, { token });
    expectProblem(answer, 403, "reauthentication_required");
    expect(await countRows("users", "id = ? AND totp_secret IS NOT NULL", id)).toBe(0);
  });

  it("is checked before the rest of the body if it is given, and its own form before anything", async () => {
    const { token, id } = await signedInPerson();
    await expireReauthentication(id);
    const keys = "/api/settings/security/api-keys";
    const wrong = await client.post(keys, { name: 1, currentPassword: "wrong" }, { token });
    expectProblem(wrong, 403, "reauthentication_required");
    expectProblem(await client.post(keys, { currentPassword: 5 }, { token }), 422, "validation_failed");
    expectProblem(await client.post(keys, { name: 1, currentPassword: PASSWORD }, { token }), 422, "validation_failed");
  });

  it("leaves no trace of the password among the idempotency keys", async () => {
    const { token, id } = await signedInPerson();
    await expireReauthentication(id);
    const order = { name: "robot", scopes: ["tasks:read"], currentPassword: PASSWORD };
    const headers = { "idempotency-key": `reauth-${id}` };
    const path = "/api/settings/security/api-keys";
    const first = await client.post(path, order, { token, headers });
    expect(first.status).toBe(201);
    // Repeating it needs the proof, too.
    await expireReauthentication(id);
    for (const currentPassword of [undefined, "not the password"]) {
      const refused = await client.post(path, { ...order, currentPassword }, { token, headers });
      expectProblem(refused, 403, "reauthentication_required");
    }
    const again = await client.post(path, order, { token, headers });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.body).toEqual({ ...first.body, key: null });
    const row = await env.DB.prepare("SELECT * FROM idempotency_keys WHERE key = ?").bind(`reauth-${id}`).first();
    expect(JSON.stringify(row)).not.toContain(first.body.key);
  });

  it("that is wrong counts and is not remembered under an Idempotency-Key, which the right one may then use", async () => {
    const { token, id, email } = await signedInPerson();
    await expireReauthentication(id);
    const path = "/api/settings/security/api-keys";
    const order = { name: "robot", scopes: ["tasks:read"] };
    const options = { token, headers: { "idempotency-key": `wrong-${id}` } };
    const wrong = await client.post(path, { ...order, currentPassword: "not it" }, options);
    expectProblem(wrong, 403, "reauthentication_required");
    const own = "email = ? AND network LIKE 'session:%' AND count = 1";
    expect(await countRows("login_failures", own, email)).toBe(1);
    expect((await client.post(path, { ...order, currentPassword: PASSWORD }, options)).status).toBe(201);
  });

  it("that is right leaves the Idempotency-Key to the corrected request, when the rest is refused", async () => {
    const { token, id } = await signedInPerson();
    await expireReauthentication(id);
    const path = "/api/settings/security/api-keys";
    const options = { token, headers: { "idempotency-key": `corrected-${id}` } };
    const proof = { currentPassword: PASSWORD, scopes: ["tasks:read"] };
    expectProblem(await client.post(path, { ...proof, name: "" }, options), 422, "validation_failed");
    expect((await client.post(path, { ...proof, name: "robot" }, options)).status).toBe(201);
  });

  it("gives nothing, and leaves no entry, to a request whose Idempotency-Key was taken over meanwhile", async () => {
    const { token, id } = await signedInPerson();
    const key = `taken-${id}`;
    const takeOver = () => env.DB.prepare("UPDATE idempotency_keys SET claim = 'other' WHERE key = ?").bind(key).run();
    // Two batches check the password, the third claims the key, the fourth makes the API key.
    const DB = interruptBatch(env.DB, 4, takeOver);
    const order = { name: "robot", scopes: ["tasks:read"], currentPassword: PASSWORD };
    const options = { token, headers: { "idempotency-key": key } };
    const answer = await service({ DB }).post("/api/settings/security/api-keys", order, options);
    expectProblem(answer, 409, "idempotency_in_flight");
    expect(await countRows("api_keys", "user_id = ?", id)).toBe(0);
    expect(await auditActions(id)).toEqual(["session.proved"]);
  });

  it("is asked for by exactly the routes the contract names", async () => {
    const asking = declarationsOf(sharedApp)
      .filter((declared) => declared["x-error-codes"].includes("reauthentication_required"))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace("/api/settings/", "")}`);
    expect(asking.sort()).toEqual([
      "DELETE account",
      "PATCH /api/stream/credentials/{platform}",
      "PATCH identities/{id}",
      "PATCH mailboxes/{id}",
      "PATCH security/connections/{id}",
      "PATCH webhooks/{id}",
      "POST /api/api-keys",
      "POST /api/bookingsvc/settings",
      "POST /api/calendar/feed",
      "POST /api/stream/credentials",
      "POST identities",
      "POST mailboxes",
      "POST notifications/push",
      "POST profile/email",
      "POST security/2fa/backup-codes",
      "POST security/2fa/disable",
      "POST security/2fa/setup",
      "POST security/api-keys",
      "POST security/api-keys/{id}/rotate",
      "POST security/confirm",
      // In its own way: it always takes the current password.
      "POST security/password",
      "POST webhooks",
      "POST webhooks/{id}/rotate-secret",
    ]);
  });
});
