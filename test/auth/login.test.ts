import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectProblem, service } from "../harness.ts";
import { countStatements, interruptBatch } from "../measured.ts";
import { auditActions, countRows, insertCheapPerson, newEmail, PASSWORD, registerPerson, setClock } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const from = (address: string) => ({ headers: { "cf-connecting-ip": address } });
const HOME = from("192.0.2.10");

/** All of these come from one network. */
const login = (email: string, password = PASSWORD, vars = {}, more = {}, place = HOME) =>
  service(vars).post("/api/auth/login", { email, password, ...more }, place);

describe("POST /api/auth/login", () => {
  it("gives a token, a refresh token and the user, however the email is written", async () => {
    const person = await registerPerson();
    const { status, body } = await login(`  ${person.email.toUpperCase()}`);
    expect(status).toBe(200);
    expect(body.user).toEqual({ id: person.id, email: person.email, name: "Ada Lovelace" });
    expect((await service().get("/api/auth/me", { token: body.token })).status).toBe(200);
    expect(await auditActions(person.id)).toEqual(["account.registered", "login.succeeded"]);
  });

  it("opens a session of its own each time", async () => {
    const person = await insertCheapPerson(PASSWORD, 10);
    const answers = await Promise.all(Array.from({ length: 12 }, () => login(person.email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(12);
  });

  it("says the same of a wrong password and of an unknown email", async () => {
    const person = await insertCheapPerson();
    const wrong = await login(person.email, "not the password");
    const unknown = await login(newEmail("unknown"), "not the password");
    expectProblem(wrong, 401, "invalid_credentials");
    expectProblem(unknown, 401, "invalid_credentials");
    expect({ ...wrong.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
    expect(wrong.headers.get("www-authenticate")).toBe('Bearer realm="poa"');
  });

  it.each([
    ["that differ after byte 72", `${"a".repeat(72)}one`, `${"a".repeat(72)}two`],
    ["that differ after a NUL", "before\0after", "before\0other"],
    ["of emoji", "🔑🔑🔑🔑🔑🔑🔑🔑", "🔑🔑🔑🔑🔑🔑🔑🔓"],
  ])("tells passwords apart %s", async (_, right, wrong) => {
    const { email } = await insertCheapPerson(right, 10);
    expectProblem(await login(email, wrong), 401, "invalid_credentials");
    expect((await login(email, right)).status).toBe(200);
  });

  it("lets parallel logins in while one of them renews the hash", async () => {
    const { email } = await insertCheapPerson();
    const logins = Array.from({ length: 3 }, () => service().post("/api/auth/login", { email, password: PASSWORD }));
    expect((await Promise.all(logins)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("makes a new hash at login when the stored one has an older cost", async () => {
    const { id, email } = await insertCheapPerson(PASSWORD, 4);
    expect((await login(email)).status).toBe(200);
    const row = await env.DB.prepare("SELECT password_hash AS hash FROM users WHERE id = ?")
      .bind(id)
      .first<{ hash: string }>();
    expect(row?.hash).toMatch(/^\$2b\$10\$/);
    expect((await login(email)).status).toBe(200);
  });

  it("costs two round trips beside the hashing", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { db, taken } = countStatements(env.DB);
    // One more after the response: the email about a new device is written by the settings of the person.
    await login(email, PASSWORD, { DB: db });
    expect(taken().roundTrips).toBe(3);
    await login(email, "wrong password", { DB: db });
    expect(taken().roundTrips).toBe(2);
    await login(newEmail(), "wrong password", { DB: db });
    expect(taken().roundTrips).toBe(2);
  });

  it("refuses, without a trace, when a secret is missing", async () => {
    const { email } = await insertCheapPerson();
    expectProblem(await login(email, PASSWORD, { PASSWORD_PEPPER: undefined }), 503, "misconfigured");
    expectProblem(await login(email, PASSWORD, { JWT_SECRET: undefined }), 503, "misconfigured");
    expect(await countRows("sessions", "user_id = (SELECT id FROM users WHERE email = ?)", email)).toBe(0);
  });
});

/** As if nine wrong guesses had been made. */
async function failNineTimes(email: string): Promise<void> {
  await env.DB.prepare(
    "INSERT INTO login_failures (email, network, count, since, expires_at) VALUES (?, '192.0.2.0/24', 9, ?, ?)",
  )
    .bind(email, Date.now(), Date.now() + 900_000)
    .run();
}

describe("the lock on an account", () => {
  it("closes after ten wrong guesses, to the right password too, and opens after 15 minutes", async () => {
    const { email, id } = await insertCheapPerson();
    const start = Date.now();
    setClock(start);
    for (let guess = 0; guess < 10; guess++)
      expectProblem(await login(email, `guess ${guess}`), 401, "invalid_credentials");
    const refused = await login(email);
    expectProblem(refused, 429, "account_locked");
    expect(Number(refused.headers.get("retry-after"))).toBe(900);
    setClock(start + 15 * 60_000 - 1000);
    expectProblem(await login(email), 429, "account_locked");
    setClock(start + 15 * 60_000 + 1000);
    expect((await login(email)).status).toBe(200);
    expect((await auditActions(id)).filter((action) => action === "login.failed")).toHaveLength(10);
  });

  it("counts only the last 15 minutes, and a right password starts the count again", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 4);
    const start = Date.now();
    setClock(start);
    for (let guess = 0; guess < 9; guess++) await login(email, "wrong");
    setClock(start + 16 * 60_000);
    for (let guess = 0; guess < 9; guess++) expectProblem(await login(email, "wrong"), 401, "invalid_credentials");
    expect((await login(email)).status).toBe(200);
    expectProblem(await login(email, "wrong"), 401, "invalid_credentials");
  });

  it("lets no more than ten of thirty parallel guesses learn anything", async () => {
    const { email } = await insertCheapPerson();
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => login(email, `guess ${n}`)));
    const told = answers.filter(({ body }) => body.code === "invalid_credentials");
    expect(told).toHaveLength(10);
    expect(answers.filter(({ body }) => body.code === "account_locked")).toHaveLength(20);
  });

  it("tells at most ten of a parallel volley that they were wrong, and opens a session only for whom it lets in", async () => {
    const { email, id } = await insertCheapPerson(PASSWORD, 4);
    const volley = [...Array.from({ length: 29 }, (_, n) => `guess ${n}`), PASSWORD];
    const answers = await Promise.all(volley.map((password) => login(email, password)));
    expect(answers.filter(({ body }) => body.code === "invalid_credentials").length).toBeLessThanOrEqual(10);
    const entered = answers.filter(({ status }) => status === 200).length;
    expect(entered).toBe(await countRows("sessions", "user_id = ?", id));
  });

  it("refuses a right guess that the tenth wrong one overtakes", async () => {
    const { email, id } = await insertCheapPerson(PASSWORD, 10);
    await failNineTimes(email);
    // The right one has been checked, and is about to open its session.
    const DB = interruptBatch(env.DB, 2, async () => {
      expectProblem(await login(email, "the tenth wrong guess"), 401, "invalid_credentials");
    });
    expectProblem(await login(email, PASSWORD, { DB }), 429, "account_locked");
    expect(await countRows("sessions", "user_id = ?", id)).toBe(0);
  });

  it("closes just the same for an email that has no account", async () => {
    const email = newEmail("nobody");
    await failNineTimes(email);
    expectProblem(await login(email, "guess"), 401, "invalid_credentials");
    expectProblem(await login(email, "guess"), 429, "account_locked");
  });
});
