import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { codeAt, signedInPerson, turnOnTwoFactor } from "../settings/people.ts";
import { auditActions, countRows, insertCheapPerson, newEmail, PASSWORD, registerPerson, setClock } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const NEW_PASSWORD = "a brand new passphrase";

/** A mail binding that keeps what it was asked to send. */
function outbox() {
  const sent: EmailMessageBuilder[] = [];
  const send = async (mail: EmailMessageBuilder) => ({ messageId: `<${sent.push(mail)}@mail.test>` });
  const EMAIL = { send } as unknown as NonNullable<Env["EMAIL"]>;
  const tokenIn = (mail: EmailMessageBuilder | undefined) => /#token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  return { sent, vars: { EMAIL, MAIL_FROM: "assistant@example.org" }, token: () => tokenIn(sent.at(-1)) };
}

const reset = (token: string, password = NEW_PASSWORD) =>
  service().post("/api/auth/password/reset", { token, password });

describe("a forgotten password", () => {
  it("is replaced with the mailed token, and every session ends", async () => {
    const person = await registerPerson();
    const mail = outbox();
    const asked = await service(mail.vars).post("/api/auth/password/forgot", { email: person.email.toUpperCase() });
    expect(asked.status).toBe(202);
    expect(mail.sent).toMatchObject([{ to: [{ email: person.email }], from: { email: "assistant@example.org" } }]);
    expect((await reset(mail.token())).status).toBe(204);
    expectProblem(await service().get("/api/auth/me", { token: person.token }), 401, "session_revoked");
    const login = (password: string) => service().post("/api/auth/login", { email: person.email, password });
    expectProblem(await login(PASSWORD), 401, "invalid_credentials");
    const { status, body } = await login(NEW_PASSWORD);
    expect(status).toBe(200);
    const me = await service().get("/api/auth/me", { token: body.token });
    expect(me.body.user.emailVerified).toBe(true);
    expect(await auditActions(person.id)).toEqual(
      expect.arrayContaining(["password.reset_requested", "password.reset"]),
    );
  });

  it("leaves keys and second factor of an account whose address was proved, and ends those of one whose was not", async () => {
    const mail = outbox();
    for (const [isProved, left] of [
      [1, 1],
      [0, 0],
    ] as const) {
      const person = await signedInPerson();
      const { id, email, token } = person;
      const { secret } = await turnOnTwoFactor(person);
      await service().post("/api/settings/webhooks", { url: "https://hooks.example.com/poa" }, { token });
      await env.DB.prepare("UPDATE users SET email_verified_at = CASE ? WHEN 1 THEN 1 END WHERE id = ?")
        .bind(isProved, id)
        .run();
      const proof = { currentPassword: PASSWORD, code: await codeAt(secret) };
      const order = { name: "robot", scopes: ["tasks:read"], ...proof };
      expect((await service().post("/api/settings/security/api-keys", order, { token })).status).toBe(201);
      await service(mail.vars).post("/api/auth/password/forgot", { email });
      expect((await reset(mail.token())).status).toBe(204);
      expect(await countRows("api_keys", "user_id = ?", id)).toBe(left);
      expect(await countRows("webhook_endpoints", "user_id = ?", id)).toBe(0);
      expect(await countRows("backup_codes", "user_id = ?", id)).toBe(left * 10);
      const { body } = await service().post("/api/auth/login", { email, password: NEW_PASSWORD });
      expect(body.twoFactorRequired === true).toBe(left === 1);
    }
  });

  it("is answered the same for an email without an account, and no mail leaves", async () => {
    const mail = outbox();
    const known = await service(mail.vars).post("/api/auth/password/forgot", {
      email: (await insertCheapPerson()).email,
    });
    const unknown = await service(mail.vars).post("/api/auth/password/forgot", { email: newEmail("nobody") });
    expect(unknown.status).toBe(202);
    expect(unknown.body).toEqual(known.body);
    expect(mail.sent).toHaveLength(1);
  });

  it("sends one message a minute, whoever asks how often", async () => {
    const { email } = await insertCheapPerson();
    const mail = outbox();
    for (let n = 0; n < 3; n++) await service(mail.vars).post("/api/auth/password/forgot", { email });
    expect(mail.sent).toHaveLength(1);
    setClock(Date.now() + 61_000);
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    expect(mail.sent).toHaveLength(2);
  });

  it("sends three messages in half an hour, and who is sent no more has those", async () => {
    const { email } = await insertCheapPerson();
    const mail = outbox();
    const start = Date.now();
    const askAt = async (minute: number) => {
      setClock(start + minute * 60_000 + 1000);
      expect((await service(mail.vars).post("/api/auth/password/forgot", { email })).status).toBe(202);
    };
    for (let minute = 0; minute < 30; minute += 2) await askAt(minute);
    expect(mail.sent).toHaveLength(3);
    expect((await reset(mail.token())).status).toBe(204);
  });

  it("whose mail does not leave is mailed at the next try, without a wait", async () => {
    expectErrorLog("mail_not_sent");
    expectErrorLog("deferred_work_failed");
    const { email, id } = await insertCheapPerson();
    const mail = outbox();
    const down = { send: () => Promise.reject(new Error("down")) } as unknown as NonNullable<Env["EMAIL"]>;
    await service({ ...mail.vars, EMAIL: down }).post("/api/auth/password/forgot", { email });
    expect(await countRows("mail_tokens", "user_id = ?", id)).toBe(0);
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    expect(mail.sent).toHaveLength(1);
  });

  it("shuts out a login that was still checking the old one", async () => {
    const { email, id } = await insertCheapPerson();
    const mail = outbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    const DB = interruptBatch(env.DB, 2, () => reset(mail.token()));
    const answer = await service({ DB }).post("/api/auth/login", { email, password: PASSWORD });
    expectProblem(answer, 401, "invalid_credentials");
    expect(await countRows("sessions", "user_id = ?", id)).toBe(0);
  });

  it("ends a sign-in that waits for its second factor", async () => {
    const { email, id } = await insertCheapPerson();
    await env.DB.prepare("UPDATE users SET totp_enabled_at = 1 WHERE id = ?").bind(id).run();
    const { body } = await service().post("/api/auth/login", { email, password: PASSWORD });
    const mail = outbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    await reset(mail.token());
    const { challengeToken } = body;
    const answer = await service().post("/api/auth/login/2fa", { challengeToken, code: "123456" });
    expectProblem(answer, 401, "challenge_expired");
  });

  it("lifts the lock of the account", async () => {
    const { email } = await insertCheapPerson();
    const mail = outbox();
    for (let guess = 0; guess < 10; guess++) await service().post("/api/auth/login", { email, password: "wrong" });
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    await reset(mail.token());
    expect((await service().post("/api/auth/login", { email, password: NEW_PASSWORD })).status).toBe(200);
  });
});

describe("a reset token", () => {
  async function resetToken() {
    const { email, id } = await insertCheapPerson();
    const mail = outbox();
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    return { id, email, mail, token: mail.token() };
  }

  it("works once, even when it is used three times at once", async () => {
    const { token, id } = await resetToken();
    const answers = await Promise.all(
      ["first passphrase", "second passphrase", "third passphrase"].map((p) => reset(token, p)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422, 422]);
    expectProblem(await reset(token), 422, "invalid_token");
    expect((await auditActions(id)).filter((action) => action === "password.reset")).toHaveLength(1);
  });

  it("works for 30 minutes", async () => {
    const { token } = await resetToken();
    setClock(Date.now() + 31 * 60_000);
    expectProblem(await reset(token), 422, "invalid_token");
  });

  it("outlives the next one, whoever asked for that, until one of them is spent", async () => {
    const { token, email, mail } = await resetToken();
    setClock(Date.now() + 61_000);
    await service(mail.vars).post("/api/auth/password/forgot", { email });
    expect((await reset(token)).status).toBe(204);
    expectProblem(await reset(mail.token()), 422, "invalid_token");
  });

  it("is kept only as a hash", async () => {
    const { token } = await resetToken();
    expect(await countRows("mail_tokens", "token_hash = ?", token)).toBe(0);
  });

  it("is not spent on a password that breaks the rules", async () => {
    const { token } = await resetToken();
    expectProblem(await reset(token, "short"), 422, "validation_failed");
    expect((await reset(token)).status).toBe(204);
  });
});

describe("mail that is not set up", () => {
  it("is 501 in production, and changes nothing", async () => {
    const vars = { ALLOW_PRIVATE_HOSTS: "false", EMAIL: undefined };
    const answer = await service(vars).post("/api/auth/password/forgot", { email: newEmail() });
    expectProblem(answer, 501, "mail_not_configured");
    const noSender = await service({ ALLOW_PRIVATE_HOSTS: "false" }).post("/api/auth/password/forgot", {
      email: newEmail(),
    });
    expectProblem(noSender, 501, "mail_not_configured");
  });
});
