import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { deliver } from "../emails/deliver.ts";
import { expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { countRows, insertCheapPerson, newEmail, PASSWORD, registerPerson } from "./people.ts";

const SETUP_TOKEN = "a setup token that nobody can guess";
const production = { ALLOW_PRIVATE_HOSTS: "false", ACCESS_MODE: "private", REGISTRATION: "closed" };
const ready = { ...production, SETUP_TOKEN };

const register = (vars: object, more: object = {}) =>
  service(vars).post("/api/auth/register", { email: newEmail(), password: PASSWORD, name: "Ada", ...more });
const roleOf = async (vars: object, token: string) =>
  (await service(vars).get("/api/auth/me", { token })).body.user.role;

beforeEach(async () => {
  await env.DB.exec("DELETE FROM users");
});

describe("the first account in production", () => {
  it("needs the setup token, and then owns the service", async () => {
    for (const setupToken of [undefined, "", "wrong", `${SETUP_TOKEN}x`, SETUP_TOKEN.slice(0, -1)]) {
      expectProblem(await register(ready, { setupToken }), 403, "setup_token_required");
    }
    expect(await countRows("users", "1")).toBe(0);
    const first = await register(ready, { setupToken: SETUP_TOKEN });
    expect(first.status).toBe(201);
    expect(await roleOf(ready, first.body.token)).toBe("owner");
  });

  it("needs it also after the last account was deleted", async () => {
    const { body } = await register(ready, { setupToken: SETUP_TOKEN });
    const deletion = { confirm: body.user.email, currentPassword: PASSWORD };
    const gone = await service(ready).call("DELETE", "/api/settings/account", { body: deletion, token: body.token });
    expect(gone.status).toBe(204);
    expectProblem(await register(ready), 403, "setup_token_required");
    expect((await register(ready, { setupToken: SETUP_TOKEN })).status).toBe(201);
  });

  it("needs it when the last account is deleted while a stranger registers", async () => {
    const { id } = await insertCheapPerson();
    const open = { ...ready, REGISTRATION: "open" };
    const DB = interruptBatch(env.DB, 1, () => env.DB.prepare("DELETE FROM users WHERE id = ?").bind(id).run());
    expectProblem(await register({ ...open, DB }), 403, "setup_token_required");
    expect(await countRows("users", "1")).toBe(0);
  });

  it.each([
    ["registration is open", { REGISTRATION: "open" }],
    ["OWNER_EMAIL names its address", { OWNER_EMAIL: "boss@example.com" }],
  ])("needs it even if %s", async (_, vars) => {
    const email = "boss@example.com";
    expectProblem(await register({ ...ready, ...vars }, { email }), 403, "setup_token_required");
    expect((await register({ ...ready, ...vars }, { email, setupToken: SETUP_TOKEN })).status).toBe(201);
  });

  it("cannot be registered while no token is set or a weak one, and the response and health say which", async () => {
    for (const [token, problem] of [
      [undefined, /SETUP_TOKEN is missing/],
      ["", /SETUP_TOKEN is missing/],
      ["short", /SETUP_TOKEN is too weak/],
      ["aaaaaaaaaaaaaaaaaaaaaaaa", /SETUP_TOKEN is too weak/],
    ] as const) {
      const vars = { ...production, SETUP_TOKEN: token };
      const refused = await register(vars, { setupToken: token });
      expectProblem(refused, 503, "misconfigured");
      expect(refused.body.detail).toMatch(problem);
      expect((await service(vars).get("/api/health")).body.status).toBe("degraded");
    }
    expect(await countRows("users", "1")).toBe(0);
  });

  it("is created once of several with the token that arrive together", async () => {
    const answers = await Promise.all(Array.from({ length: 3 }, () => register(ready, { setupToken: SETUP_TOKEN })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  });

  it("is the only one that needs it, apart from the address in OWNER_EMAIL", async () => {
    await insertCheapPerson();
    const open = { ...ready, REGISTRATION: "open" };
    expect((await register(open)).status).toBe(201);
    expectProblem(await register(ready), 403, "registration_closed");
    // Where no email is sent, that address would own the service without being verified.
    const named = { ...open, OWNER_EMAIL: "boss@example.com" };
    expectProblem(await register(named, { email: "boss@example.com" }), 403, "setup_token_required");
  });
});

describe("the first account of a local service", () => {
  it("needs no setup token, unless one is set", async () => {
    expectProblem(await register({ SETUP_TOKEN }), 403, "setup_token_required");
    expect((await register({ SETUP_TOKEN }, { setupToken: SETUP_TOKEN })).status).toBe(201);
    await env.DB.exec("DELETE FROM users");
    expect((await register({})).status).toBe(201);
  });
});

describe("inbound email while the service has no owner", () => {
  const EMAIL = "From: ann@example.com\nTo: me@example.com\nSubject: Too early\n\nHello";
  const stored = () => countRows("emails", "subject = 'Too early'");

  it("is refused with a temporary failure: the handler throws and rejects nothing, so the sender tries again", async () => {
    await expect(deliver(EMAIL, { vars: production })).rejects.toThrow("no owner yet");
    expect(await stored()).toBe(0);
    await insertCheapPerson();
    await expect(deliver(EMAIL, { vars: production })).rejects.toThrow("no owner yet");
    await env.DB.exec("UPDATE users SET role = 'owner'");
    await expect(deliver(EMAIL, { vars: production })).resolves.toBeNull();
    expect(await stored()).toBe(1);
  });

  it("is refused in a private local service, too, and accepted in an open one, which needs no owner", async () => {
    await env.DB.exec("DELETE FROM emails");
    await expect(deliver(EMAIL, { vars: { ACCESS_MODE: "private" } })).rejects.toThrow("no owner yet");
    await expect(deliver(EMAIL)).resolves.toBeNull();
    await registerPerson();
    await expect(deliver(EMAIL, { vars: { ACCESS_MODE: "private" } })).resolves.toBeNull();
  });
});

describe("what is said before anybody signs in", () => {
  const entry = async (vars: object) => (await service(vars).get("/api/auth/registration")).body;

  it("names the first account, the setup token and closed doors", async () => {
    expect(await entry(ready)).toEqual({
      accessMode: "private",
      registrationOpen: true,
      firstAccount: true,
      setupTokenRequired: true,
      aiProvider: null,
    });
    expect(await entry({ ...ready, OWNER_EMAIL: "ada@example.com" })).toMatchObject({ registrationOpen: false });
    expect(await entry({ ACCESS_MODE: "open", REGISTRATION: "open" })).toEqual({
      accessMode: "open",
      registrationOpen: true,
      firstAccount: true,
      setupTokenRequired: false,
      aiProvider: null,
    });
    await registerPerson();
    expect(await entry(ready)).toMatchObject({
      registrationOpen: false,
      firstAccount: false,
      setupTokenRequired: false,
    });
    expect(await entry({ REGISTRATION: "open" })).toMatchObject({ registrationOpen: true, firstAccount: false });
  });

  it("names the provider of a model to the first account, unless models are switched off, and to nobody later", async () => {
    const bound = { ...ready, AI: { run: () => Promise.reject(new Error("not asked")) } };
    expect(await entry(bound)).toMatchObject({ aiProvider: "workers-ai" });
    await env.DB.exec("UPDATE model_state SET model = 'builtin', updated_at = 1");
    expect(await entry(bound)).toMatchObject({ aiProvider: null });
    await env.DB.exec("UPDATE model_state SET model = 'model_a', updated_at = NULL");
    await registerPerson();
    expect(await entry(bound)).toMatchObject({ firstAccount: false, aiProvider: null });
  });
});
