import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { mailbox } from "../settings/people.ts";
import { auditActions, countRows, newEmail, PASSWORD, registerPerson } from "./people.ts";

const registration = (email: string, password = PASSWORD) => ({ email, password, name: "Ada Lovelace" });

describe("POST /api/auth/register", () => {
  it("creates the account and signs it in", async () => {
    const email = newEmail();
    const { status, body } = await service().post("/api/auth/register", registration(`  ${email.toUpperCase()} `));
    expect(status).toBe(201);
    expect(body.user).toEqual({ id: expect.any(Number), email, name: "Ada Lovelace" });
    const me = await service().get("/api/auth/me", { token: body.token });
    expect(me.body.user).toMatchObject({ id: body.user.id, email, emailVerified: false, twoFactorEnabled: false });
    expect(await auditActions(body.user.id)).toEqual(["account.registered"]);
  });

  it("stores a bcrypt hash of cost 10, never the password", async () => {
    const { id } = await registerPerson();
    const row = await env.DB.prepare("SELECT password_hash FROM users WHERE id = ?")
      .bind(id)
      .first<{ password_hash: string }>();
    expect(row?.password_hash).toMatch(/^\$2b\$10\$[./A-Za-z0-9]{53}$/);
  });

  it("refuses an email that is taken, in any case", async () => {
    const { email } = await registerPerson();
    const again = await service().post("/api/auth/register", registration(email.toUpperCase()));
    expectProblem(again, 409, "email_taken");
  });

  it("makes one account of parallel registrations with one email", async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => service().post("/api/auth/register", registration(email))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(await countRows("users", "email = ?", email)).toBe(1);
    expect(await countRows("sessions", "user_id = (SELECT id FROM users WHERE email = ?)", email)).toBe(1);
  });

  it.each([
    ["no email", { password: PASSWORD, name: "A" }, "email"],
    ["a broken email", { email: "not an address", password: PASSWORD, name: "A" }, "email"],
    ["a password of seven characters", { ...registration("a@example.com", "1234567") }, "password"],
    ["a password of 257 characters", { ...registration("a@example.com", "x".repeat(257)) }, "password"],
    ["a blank name", { email: "a@example.com", password: PASSWORD, name: "   " }, "name"],
    ["a name of two lines", { email: "a@example.com", password: PASSWORD, name: "Ada\nClick here" }, "name"],
    ["a name with a control character", { email: "a@example.com", password: PASSWORD, name: "Ada\u0085" }, "name"],
    ["a name of 101 characters", { email: "a@example.com", password: PASSWORD, name: "n".repeat(101) }, "name"],
  ])("refuses %s and says where", async (_, body, path) => {
    const answer = await service().post("/api/auth/register", body);
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors.map((error: { path: string }) => error.path)).toContain(path);
  });

  it("refuses a role, an id and anything else the body has no business to say", async () => {
    const email = newEmail();
    const answer = await service().post("/api/auth/register", {
      ...registration(email),
      role: "owner",
      id: 1,
      emailVerified: true,
    });
    expectProblem(answer, 422, "validation_failed");
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["role", "id", "emailVerified"]);
    const login = await service().post("/api/auth/login", { email, password: PASSWORD });
    expectProblem(login, 401, "invalid_credentials");
  });

  it("says misconfigured, and creates nothing, while a secret is missing", async () => {
    for (const missing of ["JWT_SECRET", "PASSWORD_PEPPER"] as const) {
      const email = newEmail();
      const answer = await service({ [missing]: undefined }).post("/api/auth/register", registration(email));
      expectProblem(answer, 503, "misconfigured");
      expect(answer.body.detail).toContain(missing);
      expect(await countRows("users", "email = ?", email)).toBe(0);
    }
  });
});

describe("who becomes the owner", () => {
  beforeEach(async () => {
    await env.DB.exec("DELETE FROM users");
  });

  const roleOf = async (token: string, vars = {}) =>
    (await service(vars).get("/api/auth/me", { token })).body.user.role;

  it("is the first account, and only one even when the first ones arrive together", async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => registerPerson()));
    const roles = await Promise.all(people.map(({ token }) => roleOf(token)));
    expect(roles.sort()).toEqual(["member", "member", "member", "owner"]);
  });

  it("is only the address in OWNER_EMAIL when that is set, also for accounts that were there before", async () => {
    const first = await registerPerson();
    const second = await registerPerson();
    const vars = { OWNER_EMAIL: second.email.toUpperCase() };
    expect(await roleOf(first.token, vars)).toBe("member");
    expect(await roleOf(second.token, vars)).toBe("owner");
  });

  it("is the address in OWNER_EMAIL only once it was proved, where mail really leaves", async () => {
    const squatter = await registerPerson();
    const mail = mailbox();
    const vars = { ...mail.vars, OWNER_EMAIL: squatter.email, ALLOW_PRIVATE_HOSTS: "false" };
    const client = service(vars);
    expect(await roleOf(squatter.token, vars)).toBe("member");
    expectProblem(await client.get("/api/api-keys", { token: squatter.token }), 403, "forbidden");
    const key = { name: "later", scopes: ["admin"], currentPassword: PASSWORD };
    const { body } = await client.post("/api/settings/security/api-keys", key, { token: squatter.token });

    await client.post("/api/auth/password/forgot", { email: squatter.email });
    const [, token] = /#token=(\S+)/.exec(mail.sent.at(-1)?.text ?? "") ?? [];
    await client.post("/api/auth/password/reset", { token, password: "the true owner's own" });
    const login = await client.post("/api/auth/login", { email: squatter.email, password: "the true owner's own" });
    expect(await roleOf(login.body.token, vars)).toBe("owner");
    expect((await client.get("/api/api-keys", { token: login.body.token })).status).toBe(200);
    expectProblem(await client.get("/api/api-keys", { token: squatter.token }), 401, "session_revoked");
    expectProblem(await client.get("/api/api-keys", { token: body.key }), 401, "unauthenticated");
  });

  it("is nobody while OWNER_EMAIL is not an address", async () => {
    const first = await registerPerson();
    expect(await roleOf(first.token, { OWNER_EMAIL: "not an address" })).toBe("member");
  });
});

describe("REGISTRATION=closed", () => {
  beforeEach(async () => {
    await env.DB.exec("DELETE FROM users");
  });

  const closed = { REGISTRATION: "closed" };

  it("lets the first account in and nobody after it, also when they arrive together", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => service(closed).post("/api/auth/register", registration(newEmail()))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403]);
    expect(await countRows("users", "1")).toBe(1);
    expectProblem(
      await service(closed).post("/api/auth/register", registration(newEmail())),
      403,
      "registration_closed",
    );
  });

  it("does not tell who has an account, and does not work for strangers", async () => {
    const { email } = await registerPerson();
    // Without its secret a password cannot be hashed, so that none was.
    const client = service({ ...closed, PASSWORD_PEPPER: undefined });
    for (const address of [email, newEmail()]) {
      expectProblem(await client.post("/api/auth/register", registration(address)), 403, "registration_closed");
    }
  });

  it("is what the losers of parallel registrations with one email are told", async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => service(closed).post("/api/auth/register", registration(email))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  it("keeps the first place for OWNER_EMAIL when that is set", async () => {
    const owner = newEmail("owner");
    const client = service({ ...closed, OWNER_EMAIL: owner });
    expectProblem(await client.post("/api/auth/register", registration(newEmail())), 403, "registration_closed");
    expect((await client.post("/api/auth/register", registration(owner))).status).toBe(201);
  });

  it("is also what an invalid value means", async () => {
    await registerPerson();
    const answer = await service({ REGISTRATION: "clsoed" }).post("/api/auth/register", registration(newEmail()));
    expectProblem(answer, 403, "registration_closed");
  });
});
