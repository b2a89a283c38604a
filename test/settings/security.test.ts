import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { auditActions, countRows, openSession } from "../auth/people.ts";
import { expectProblem, service } from "../harness.ts";
import { codeAt, mailbox, PASSWORD, signedInPerson, turnOnTwoFactor } from "./people.ts";

const PATH = "/api/settings/security";
const client = service();
const NEW_PASSWORD = "a brand new passphrase";

describe("the password", () => {
  const change = (token: string, body: object, { post } = service()) =>
    post(`${PATH}/password`, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...body }, { token });

  it("changes with the current one; other sessions and half-done sign-ins end, and the person is told", async () => {
    const person = await signedInPerson();
    const other = await openSession(person.id);
    await env.DB.prepare("INSERT INTO login_challenges VALUES (?, ?, 0, ?)")
      .bind(`challenge-${person.id}`, person.id, Date.now() + 60_000)
      .run();
    const mail = mailbox();
    const answer = await change(person.token, {}, service(mail.vars));
    expect(answer.body).toEqual({ sessionsEnded: 1 });
    expectProblem(await client.get("/api/auth/me", { token: other.token }), 401, "session_revoked");
    expect((await client.get("/api/auth/me", { token: person.token })).status).toBe(200);
    expect(await countRows("login_challenges", "user_id = ?", person.id)).toBe(0);
    expect(mail.subjectsTo(person.email)).toEqual(["Your password was changed"]);
    const login = (password: string) => client.post("/api/auth/login", { email: person.email, password });
    expectProblem(await login(PASSWORD), 401, "invalid_credentials");
    expect((await login(NEW_PASSWORD)).status).toBe(200);
    expect(await auditActions(person.id)).toContain("password.changed");
  });

  it("leaves other sessions when asked to", async () => {
    const { id, token } = await signedInPerson();
    const other = await openSession(id);
    expect((await change(token, { revokeOthers: false })).body).toEqual({ sessionsEnded: 0 });
    expect((await client.get("/api/auth/me", { token: other.token })).status).toBe(200);
  });

  it("stays when the current one is wrong, and wrong ones count towards the lock", async () => {
    const { token, email } = await signedInPerson();
    const guesser = service();
    expectProblem(await change(token, { newPassword: PASSWORD }, guesser), 422, "validation_failed");
    for (let n = 0; n < 10; n++) {
      const answer = await change(token, { currentPassword: `wrong ${n}` }, guesser);
      expectProblem(answer, 403, "reauthentication_required");
    }
    expectProblem(await change(token, {}, guesser), 429, "account_locked");
    // For the session, and for its network.
    expect(await countRows("login_failures", "email = ? AND locked_until IS NOT NULL", email)).toBe(2);
  });

  it("changes once when two clients change it at the same time", async () => {
    const { token } = await signedInPerson();
    const answers = await Promise.all([change(token, {}), change(token, { newPassword: "another passphrase" })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });
});

describe("two-factor authentication", () => {
  it("answers a wrong code of a signed-in person with 403, so that no client takes its token for invalid", async () => {
    const { token } = await signedInPerson();
    await client.post(`${PATH}/2fa/setup`, undefined, { token });
    const answer = await client.post(`${PATH}/2fa/verify`, { code: "000000" }, { token });
    expectProblem(answer, 403, "wrong_code");
    expect(answer.headers.get("www-authenticate")).toBeNull();
  });

  it("is set up, turned on, and off again, and the person is told of both", async () => {
    const { token, email } = await signedInPerson();
    const mail = mailbox();
    const told = service(mail.vars);
    const setup = await told.post(`${PATH}/2fa/setup`, undefined, { token });
    expect(setup.body.otpauthUri).toContain(`secret=${setup.body.secret}`);
    expect(setup.body.qr).toMatch(/^<svg .*<\/svg>$/s);
    const state = async () => (await client.get(`${PATH}/2fa`, { token })).body;
    expect(await state()).toEqual({ enabled: false, enabledAt: null, setupStarted: true, backupCodesLeft: 0 });
    expectProblem(await told.post(`${PATH}/2fa/verify`, { code: "000000" }, { token }), 403, "wrong_code");
    const code = await codeAt(setup.body.secret);
    const on = await told.post(`${PATH}/2fa/verify`, { code }, { token });
    expect(on.body).toEqual({
      enabled: true,
      backupCodes: expect.arrayContaining([expect.stringMatching(/^[A-Z2-7-]+$/)]),
    });
    expect(await state()).toMatchObject({ enabled: true, setupStarted: false, backupCodesLeft: 10 });
    expectProblem(await told.post(`${PATH}/2fa/setup`, undefined, { token }), 409, "two_factor_already_enabled");
    expect((await told.post(`${PATH}/2fa/disable`, undefined, { token })).status).toBe(204);
    expectProblem(await told.post(`${PATH}/2fa/disable`, undefined, { token }), 409, "two_factor_not_enabled");
    expect(mail.subjectsTo(email)).toEqual(["Two-factor authentication is on", "Two-factor authentication is off"]);
  });

  it("tells when a backup code was used, and counts those left", async () => {
    const person = await signedInPerson();
    const { backupCodes } = await turnOnTwoFactor(person);
    const mail = mailbox();
    const told = service(mail.vars);
    const { body } = await told.post("/api/auth/login", { email: person.email, password: PASSWORD });
    const backupCode = backupCodes[0];
    await told.post("/api/auth/login/2fa", { challengeToken: body.challengeToken, backupCode });
    expect(mail.subjectsTo(person.email)).toEqual(["A backup code was used to sign in"]);
    expect((await client.get(`${PATH}/2fa`, { token: person.token })).body.backupCodesLeft).toBe(9);
    const fresh = await client.post(`${PATH}/2fa/backup-codes`, undefined, { token: person.token });
    expect(fresh.body.backupCodes).toHaveLength(10);
    expect(fresh.body.backupCodes).not.toContain(backupCodes[1]);
  });

  it("shows its secrets once: a replay has null in their place", async () => {
    const { token, id } = await signedInPerson();
    const headers = { "idempotency-key": `setup-${id}` };
    const first = await client.post(`${PATH}/2fa/setup`, undefined, { token, headers });
    const again = await client.post(`${PATH}/2fa/setup`, undefined, { token, headers });
    expect(first.body.secret).toBeTruthy();
    expect(again.body).toEqual({ secret: null, otpauthUri: null, qr: null });
  });
});

describe("sessions", () => {
  it("are listed page by page, with the one that asks marked", async () => {
    const { id, token } = await signedInPerson();
    for (let n = 0; n < 4; n++) await openSession(id);
    const seen: { id: string; current: boolean }[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await client.get(`${PATH}/sessions?limit=2${cursor && `&cursor=${cursor}`}`, { token });
      seen.push(...body.data);
      cursor = body.nextCursor;
    }
    expect(new Set(seen.map((session) => session.id)).size).toBe(5);
    expect(seen.filter(({ current }) => current)).toHaveLength(1);
  });

  it("end one by one, or all others at once", async () => {
    const { id, token } = await signedInPerson();
    const [second, third] = [await openSession(id), await openSession(id)];
    const { body } = await client.get("/api/auth/me", { token: second.token });
    expect((await client.delete(`${PATH}/sessions/${body.session.id}`, { token })).status).toBe(204);
    expectProblem(await client.get("/api/auth/me", { token: second.token }), 401, "session_revoked");
    expectProblem(await client.delete(`${PATH}/sessions/${body.session.id}`, { token }), 404, "not_found");
    expect((await client.delete(`${PATH}/sessions`, { token })).body).toEqual({ sessionsEnded: 1 });
    expectProblem(await client.get("/api/auth/me", { token: third.token }), 401, "session_revoked");
    expect((await client.get("/api/auth/me", { token })).status).toBe(200);
  });
});

describe("API keys", () => {
  const create = (token: string, body: object = {}, vars = {}) =>
    service(vars).post(
      `${PATH}/api-keys`,
      { name: "robot", scopes: ["tasks:read", "tasks:write"], currentPassword: PASSWORD, ...body },
      { token },
    );

  it("are made for their scopes and their time, and shown once", async () => {
    const { token, email } = await signedInPerson();
    const mail = mailbox();
    const made = await create(token, { expiresInDays: 30 }, mail.vars);
    expect(made.status).toBe(201);
    expect(made.body.key).toMatch(/^poa_/);
    const days = (Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt)) / 86_400_000;
    expect(days).toBe(30);
    expect(mail.subjectsTo(email)).toEqual(["An API key was created"]);
    const closed = service({ ACCESS_MODE: "private" });
    expect((await closed.get("/api/tasks", { token: made.body.key })).status).toBe(200);
    expectProblem(await closed.get("/api/emails", { token: made.body.key }), 403, "insufficient_scope");
    const list = await client.get(`${PATH}/api-keys`, { token });
    expect(list.body.data).toMatchObject([{ id: made.body.id, name: "robot", version: 1 }]);
    expect(list.text).not.toContain("poa_");
  });

  it("can be made without an end, and never for longer than a leap year or for nothing", async () => {
    const { token } = await signedInPerson();
    expect((await create(token, { expiresInDays: null })).body.expiresAt).toBeNull();
    for (const body of [
      { expiresInDays: 367 },
      { expiresInDays: 0 },
      { scopes: [] },
      { scopes: ["root"] },
      { name: "" },
    ]) {
      expectProblem(await create(token, body), 422, "validation_failed");
    }
  });

  it("can be renamed and lose scopes, but gain none", async () => {
    const { token } = await signedInPerson();
    const { id } = (await create(token)).body;
    const patch = (body: object, headers = {}) => client.patch(`${PATH}/api-keys/${id}`, body, { token, headers });
    expect((await patch({ name: "reader", scopes: ["tasks:read"] })).body).toMatchObject({
      name: "reader",
      scopes: ["tasks:read"],
      version: 2,
    });
    expectProblem(await patch({ scopes: ["tasks:read", "tasks:write"] }), 422, "validation_failed");
    expectProblem(await patch({ name: "late" }, { "if-match": '"1"' }), 412, "version_conflict");
    expectProblem(await patch({}), 422, "nothing_to_update");
  });

  it("are rotated and revoked only at the version their writer has read", async () => {
    const { token } = await signedInPerson();
    const path = `${PATH}/api-keys/${(await create(token)).body.id}`;
    const at = (version: number) => ({ token, headers: { "if-match": `"${version}"` } });
    expectProblem(await client.post(`${path}/rotate`, undefined, at(2)), 412, "version_conflict");
    expect((await client.post(`${path}/rotate`, undefined, at(1))).status).toBe(200);
    expectProblem(await client.delete(path, at(1)), 412, "version_conflict");
    expect((await client.delete(path, at(2))).status).toBe(204);
  });

  it("get a new value, and the old one stops at once", async () => {
    const { token } = await signedInPerson();
    const made = (await create(token, { expiresInDays: 10 })).body;
    const rotated = await client.post(`${PATH}/api-keys/${made.id}/rotate`, undefined, { token });
    expect(rotated.body).toMatchObject({ id: made.id, version: 2, rotatedAt: expect.any(String) });
    expect(Date.parse(rotated.body.expiresAt)).toBeGreaterThanOrEqual(Date.parse(made.expiresAt));
    const closed = service({ ACCESS_MODE: "private" });
    expectProblem(await closed.get("/api/tasks", { token: made.key }), 401, "unauthenticated");
    expect((await closed.get("/api/tasks", { token: rotated.body.key })).status).toBe(200);
    expect((await client.delete(`${PATH}/api-keys/${made.id}`, { token })).status).toBe(204);
    expectProblem(await closed.get("/api/tasks", { token: rotated.body.key }), 401, "unauthenticated");
  });

  it("without an end stay without one when they get a new value", async () => {
    const { token } = await signedInPerson();
    const made = (await create(token, { expiresInDays: null })).body;
    const rotated = await client.post(`${PATH}/api-keys/${made.id}/rotate`, undefined, { token });
    expect(rotated.body.expiresAt).toBeNull();
  });

  it("name the scopes there are", async () => {
    const { token } = await signedInPerson();
    const { body } = await client.get(`${PATH}/api-keys/scopes`, { token });
    expect(body.data).toContainEqual({ scope: "emails:read", description: "Read emails" });
  });
});

describe("the history", () => {
  it("tells who came in and who tried to, and everything done", async () => {
    const { token, email } = await signedInPerson();
    const agent = { headers: { "user-agent": "Firefox" } };
    await client.post("/api/auth/login", { email, password: "wrong password" }, agent);
    await client.post("/api/auth/login", { email, password: PASSWORD }, agent);
    const logins = await client.get(`${PATH}/login-history`, { token });
    expect(logins.body.data).toMatchObject([
      { result: "succeeded", method: "password", userAgent: "Firefox" },
      { result: "failed", method: "password", userAgent: "Firefox" },
    ]);
    await client.patch("/api/settings/profile", { bio: "hello" }, { token });
    const log = await client.get(`${PATH}/audit-log?limit=1`, { token });
    expect(log.body.data).toMatchObject([{ action: "profile.changed", details: { changed: "bio" } }]);
    const next = await client.get(`${PATH}/audit-log?limit=1&cursor=${log.body.nextCursor}`, { token });
    expect(next.body.data[0].action).toBe("login.succeeded");
    const overview = await client.get(PATH, { token });
    expect(overview.body).toMatchObject({ email, sessions: 2, apiKeys: 0, twoFactor: { enabled: false } });
    expect(overview.body.recentLogins).toHaveLength(2);
  });

  it("gives no cursor that another person's list takes", async () => {
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    for (const bio of ["a", "b"]) await client.patch("/api/settings/profile", { bio }, { token: ann.token });
    const { body } = await client.get(`${PATH}/audit-log?limit=1`, { token: ann.token });
    const path = `${PATH}/audit-log?cursor=${body.nextCursor}`;
    expectProblem(await client.get(path, { token: bob.token }), 422, "invalid_cursor");
  });
});
