import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/config.ts";
import { auditActions, countRows, newEmail, PASSWORD, setClock } from "../auth/people.ts";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { mailbox, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const PATH = "/api/settings/profile/email";

describe("a change of address", () => {
  it("happens when the new address has proved itself, and the old one is told", async () => {
    const { token, email, id } = await signedInPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    const next = newEmail("moved");
    const asked = await client.post(PATH, { email: next.toUpperCase(), currentPassword: PASSWORD }, { token });
    expect(asked.status).toBe(202);
    expect(asked.body.email).toBe(next);
    const profile = async () => (await client.get("/api/settings/profile", { token })).body.email;
    expect(await profile()).toMatchObject({ address: email, verified: false, pending: { address: next } });
    expect(mail.subjectsTo(next)).toEqual(["Confirm your new address"]);
    // What can still be sent to the old address must not open the account later.
    await client.post("/api/auth/password/forgot", { email });
    expect(await countRows("mail_tokens", "user_id = ? AND purpose = 'reset_password'", id)).toBe(1);

    const confirmed = await client.post(`${PATH}/confirm`, { token: mail.token() }, { token });
    expect(confirmed.body).toEqual({ email: next, emailVerified: true });
    expect(await profile()).toEqual({ address: next, verified: true, pending: null });
    expect(await countRows("mail_tokens", "user_id = ?", id)).toBe(0);
    expect(mail.subjectsTo(email)).toEqual([
      "A change of your email address was requested",
      "Reset your password",
      "Your email address was changed",
    ]);
    expect((await client.post("/api/auth/login", { email: next, password: PASSWORD })).status).toBe(200);
    expectProblem(await client.post("/api/auth/login", { email, password: PASSWORD }), 401, "invalid_credentials");
    expect(await auditActions(id)).toEqual(expect.arrayContaining(["email.change_requested", "email.changed"]));
    expectProblem(await client.post(`${PATH}/confirm`, { token: mail.token() }, { token }), 422, "invalid_token");
  });

  it("is refused for an address that is taken, also when it was taken meanwhile", async () => {
    const [ann, bob] = [await signedInPerson(), await signedInPerson()];
    const mail = mailbox();
    const client = service(mail.vars);
    expectProblem(
      await client.post(PATH, { email: bob.email, currentPassword: PASSWORD }, { token: ann.token }),
      409,
      "email_taken",
    );
    expectProblem(
      await client.post(PATH, { email: ann.email, currentPassword: PASSWORD }, { token: ann.token }),
      422,
      "validation_failed",
    );
    const next = newEmail("wanted");
    await client.post(PATH, { email: next, currentPassword: PASSWORD }, { token: ann.token });
    await env.DB.prepare("UPDATE users SET email = ? WHERE id = ?").bind(next, bob.id).run();
    const late = await client.post(`${PATH}/confirm`, { token: mail.token() }, { token: ann.token });
    expectProblem(late, 409, "email_taken");
    expect((await client.get("/api/auth/me", { token: ann.token })).body.user.email).toBe(ann.email);
  });

  it("can be taken back, and its token is then worth nothing", async () => {
    const { token } = await signedInPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    await client.post(PATH, { email: newEmail("regretted"), currentPassword: PASSWORD }, { token });
    expect((await client.delete(PATH, { token })).status).toBe(204);
    expectProblem(await client.delete(PATH, { token }), 404, "not_found");
    expectProblem(await client.post(`${PATH}/confirm`, { token: mail.token() }, { token }), 422, "invalid_token");
  });

  it("cannot be confirmed from another account", async () => {
    const [ann, eve] = [await signedInPerson(), await signedInPerson()];
    const mail = mailbox();
    const client = service(mail.vars);
    await client.post(PATH, { email: newEmail("anns"), currentPassword: PASSWORD }, { token: ann.token });
    const stolen = await client.post(`${PATH}/confirm`, { token: mail.token() }, { token: eve.token });
    expectProblem(stolen, 422, "invalid_token");
  });

  it("happens once when it is confirmed twice at the same time", async () => {
    const { token } = await signedInPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    await client.post(PATH, { email: newEmail("once"), currentPassword: PASSWORD }, { token });
    const confirm = () => client.post(`${PATH}/confirm`, { token: mail.token() }, { token });
    const answers = await Promise.all([confirm(), confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });

  it("needs outgoing mail, and sends one message a minute", async () => {
    const { token, id } = await signedInPerson();
    const strict = service({ ALLOW_PRIVATE_HOSTS: "false" });
    expectProblem(
      await strict.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token }),
      501,
      "mail_not_configured",
    );
    const client = service(mailbox().vars);
    await client.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token });
    const soon = await client.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token });
    expectProblem(soon, 429, "rate_limited");
    expect(Number(soon.headers.get("retry-after"))).toBeGreaterThan(0);
    setClock(Date.now() + 61_000);
    expect((await client.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token })).status).toBe(202);
    expect(await countRows("mail_tokens", "user_id = ? AND expires_at > ?", id, Date.now())).toBe(1);
  });

  it("that was taken back does not let the next message leave sooner, nor more of them", async () => {
    const { token, id } = await signedInPerson();
    const client = service(mailbox().vars);
    const ask = () => client.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token });
    const start = Date.now();
    for (let minute = 0; minute < 3; minute++) {
      setClock(start + minute * 61_000);
      expect((await ask()).status).toBe(202);
      expect((await client.delete(PATH, { token })).status).toBe(204);
      expectProblem(await ask(), 429, "rate_limited");
    }
    setClock(start + 4 * 61_000);
    const many = await ask();
    expectProblem(many, 429, "rate_limited");
    expect(Number(many.headers.get("retry-after"))).toBeGreaterThan(20 * 60);
    await env.DB.prepare("UPDATE mail_tokens SET created_at = created_at - 30 * 60000 WHERE user_id = ?")
      .bind(id)
      .run();
    expect((await ask()).status).toBe(202);
  });

  it("asked for three times at once sends one message", async () => {
    const { token } = await signedInPerson();
    const mail = mailbox();
    const ask = () => service(mail.vars).post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token });
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 429, 429]);
    expect(mail.sent.filter(({ subject }) => subject === "Confirm your new address")).toHaveLength(1);
  });
});

describe("a mail that does not leave", () => {
  it("leaves nothing pending, and the next try need not wait", async () => {
    expectErrorLog("mail_not_sent");
    const { token, id } = await signedInPerson();
    const refusal = Object.assign(new Error("slow down"), { code: "E_RATE_LIMIT_EXCEEDED" });
    const down = { send: () => Promise.reject(refusal) } as unknown as NonNullable<Env["EMAIL"]>;
    const broken = service({ EMAIL: down, MAIL_FROM: "assistant@example.org" });
    const order = { email: newEmail(), currentPassword: PASSWORD };
    const options = { token, headers: { "idempotency-key": crypto.randomUUID() } };
    expectProblem(await broken.post(PATH, order, options), 502, "provider_error");
    expectProblem(await broken.post(`${PATH}/verify`, undefined, { token }), 502, "provider_error");
    expect(await countRows("mail_tokens", "user_id = ?", id)).toBe(0);
    expect((await service(mailbox().vars).post(PATH, order, options)).status).toBe(202);
  });
});

describe("proving the current address", () => {
  it("takes the token that was mailed to it", async () => {
    const { token, email, id } = await signedInPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    expect((await client.post(`${PATH}/verify`, undefined, { token })).body.email).toBe(email);
    expect(mail.subjectsTo(email)).toEqual(["Confirm your address"]);
    expect((await client.post(`${PATH}/confirm`, { token: mail.token() }, { token })).status).toBe(200);
    expect((await client.get("/api/auth/me", { token })).body.user.emailVerified).toBe(true);
    expectProblem(await client.post(`${PATH}/verify`, undefined, { token }), 409, "email_already_verified");
    expect(await auditActions(id)).toEqual(["email.verification_requested", "email.verified"]);
  });

  it("is over when the token has expired", async () => {
    const { token, id } = await signedInPerson();
    const mail = mailbox();
    const client = service(mail.vars);
    await client.post(`${PATH}/verify`, undefined, { token });
    await env.DB.prepare("UPDATE mail_tokens SET expires_at = 1 WHERE user_id = ?").bind(id).run();
    expectProblem(await client.post(`${PATH}/confirm`, { token: mail.token() }, { token }), 422, "invalid_token");
  });
});

describe("the emails with a token", () => {
  it("link to a page that takes the token, in text and HTML, and to nothing else", async () => {
    const { token, email } = await signedInPerson();
    const mail = mailbox();
    const client = service({ ...mail.vars, PUBLIC_URL: "https://poa.example" });
    await client.post("/api/auth/password/forgot", { email });
    await client.post(`${PATH}/verify`, undefined, { token });
    await client.post(PATH, { email: newEmail(), currentPassword: PASSWORD }, { token });
    const links = mail.sent.map(({ text }) => /https:\S+(?=#token=[\w-]{43}$)/m.exec(text)?.[0]);
    expect(links).toEqual([
      "https://poa.example/app/reset",
      "https://poa.example/app/verify",
      "https://poa.example/app/verify",
      undefined,
    ]);
    for (const { text, html } of mail.sent) {
      const [url] = /https:\S+\/app\/\S+/.exec(text) ?? [];
      expect(html).toContain(`<a href="${url}"`);
      expect(text).not.toMatch(/\bPOST\b|\/api\//);
    }
  });
});
