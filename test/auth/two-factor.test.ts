import { env } from "cloudflare:workers";
import { generate } from "otplib";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  disableTwoFactor,
  enableTwoFactor,
  replaceBackupCodes,
  setUpTwoFactor,
} from "../../src/features/auth/two-factor/service.ts";
import { expectProblem, service } from "../harness.ts";
import { interruptBatch } from "../measured.ts";
import { auditActions, contextFor, countRows, PASSWORD, type Person, setClock, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const codeAt = (secret: string, time: number) => generate({ secret, epoch: Math.floor(time / 1000) });

/** A person with two-factor on; the clock stands a minute after the code that turned it on. */
async function guardedPerson() {
  const person = await signedInPerson();
  const start = Date.now();
  setClock(start);
  const { secret, otpauthUri } = await setUpTwoFactor(await contextFor(person.token));
  const { backupCodes } = await enableTwoFactor(await contextFor(person.token), await codeAt(secret, start));
  const now = start + 60_000;
  setClock(now);
  return { person, secret, otpauthUri, backupCodes, now };
}

async function challengeFor(person: Person): Promise<string> {
  const { body } = await service().post("/api/auth/login", { email: person.email, password: PASSWORD });
  expect(body).toEqual({ twoFactorRequired: true, challengeToken: expect.any(String), expiresIn: 300 });
  return body.challengeToken;
}

const complete = (challengeToken: string, factor: { code?: string; backupCode?: string }) =>
  service().post("/api/auth/login/2fa", { challengeToken, ...factor });

describe("signing in with two factors", () => {
  it("asks for a code after the password, and gives tokens for both", async () => {
    const { person, secret, now } = await guardedPerson();
    const { status, body } = await complete(await challengeFor(person), { code: await codeAt(secret, now) });
    expect(status).toBe(200);
    expect(body.user.id).toBe(person.id);
    const me = await service().get("/api/auth/me", { token: body.token });
    expect(me.body.user.twoFactorEnabled).toBe(true);
    expect(await auditActions(person.id)).toEqual([
      "two_factor.setup_started",
      "two_factor.enabled",
      "login.challenged",
      "login.succeeded",
    ]);
  });

  it("accepts the step before and after the current one, and none further", async () => {
    const { person, secret, now } = await guardedPerson();
    const challenge = await challengeFor(person);
    for (const drift of [-60_000, 60_000]) {
      expectProblem(await complete(challenge, { code: await codeAt(secret, now + drift) }), 401, "invalid_code");
    }
    expect((await complete(challenge, { code: await codeAt(secret, now - 30_000) })).status).toBe(200);
    const next = await complete(await challengeFor(person), { code: await codeAt(secret, now + 30_000) });
    expect(next.status).toBe(200);
  });

  it("accepts each time step once, whichever challenge it comes with", async () => {
    const { person, secret, now } = await guardedPerson();
    const code = await codeAt(secret, now);
    const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeFor(person)));
    const answers = await Promise.all(challenges.map((challenge) => complete(challenge, { code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
    expectProblem(
      await complete(await challengeFor(person), { code: await codeAt(secret, now - 30_000) }),
      401,
      "invalid_code",
    );
  });

  it("does not take the code again that turned two-factor on", async () => {
    const { person, secret, now } = await guardedPerson();
    setClock(now - 60_000);
    const code = await codeAt(secret, now - 60_000);
    expectProblem(await complete(await challengeFor(person), { code }), 401, "invalid_code");
  });

  it("lets a challenge be used once, also in a race of two right factors", async () => {
    const { person, secret, now, backupCodes } = await guardedPerson();
    const challenge = await challengeFor(person);
    const answers = await Promise.all([
      complete(challenge, { code: await codeAt(secret, now) }),
      complete(challenge, { backupCode: backupCodes[0] }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expectProblem(await complete(challenge, { code: await codeAt(secret, now + 30_000) }), 401, "challenge_expired");
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(2);
  });

  it("gives a challenge five attempts, then no right code helps it", async () => {
    const { person, secret, now } = await guardedPerson();
    const challenge = await challengeFor(person);
    const wrong = await Promise.all(Array.from({ length: 8 }, () => complete(challenge, { code: "000000" })));
    expect(wrong.filter(({ body }) => body.code === "invalid_code")).toHaveLength(5);
    expectProblem(await complete(challenge, { code: await codeAt(secret, now) }), 401, "challenge_expired");
  });

  it("locks the account after ten wrong codes over several challenges, the right password notwithstanding", async () => {
    const { person } = await guardedPerson();
    const guesser = service();
    for (let round = 0; round < 2; round++) {
      const challengeToken = await challengeFor(person);
      for (let guess = 0; guess < 5; guess++) {
        expectProblem(
          await guesser.post("/api/auth/login/2fa", { challengeToken, code: "000000" }),
          401,
          "invalid_code",
        );
      }
    }
    const refused = await guesser.post("/api/auth/login", { email: person.email, password: PASSWORD });
    expectProblem(refused, 429, "account_locked");
  });

  it("does not let a right code in once parallel guesses have locked the account", async () => {
    const { person, secret, now } = await guardedPerson();
    const challengeToken = await challengeFor(person);
    const lock = env.DB.prepare(
      "INSERT INTO login_failures (email, network, count, since, locked_until, expires_at) VALUES (?, ?, 10, ?, ?, ?)",
    ).bind(person.email, "192.0.2.0/24", now, now + 900_000, now + 900_000);
    const DB = interruptBatch(env.DB, 2, () => lock.run());
    const answer = await service({ DB }).post(
      "/api/auth/login/2fa",
      { challengeToken, code: await codeAt(secret, now) },
      { headers: { "cf-connecting-ip": "192.0.2.7" } },
    );
    expectProblem(answer, 429, "account_locked");
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(1);
  });

  it("lets a challenge live five minutes", async () => {
    const { person, secret, now } = await guardedPerson();
    const challenge = await challengeFor(person);
    setClock(now + 301_000);
    expectProblem(await complete(challenge, { code: await codeAt(secret, now + 301_000) }), 401, "challenge_expired");
  });

  it("opens nothing else with a challenge", async () => {
    const { person } = await guardedPerson();
    const challenge = await challengeFor(person);
    expectProblem(await service().get("/api/auth/me", { token: challenge }), 401, "unauthenticated");
    expectProblem(await service().post("/api/auth/refresh", { refreshToken: challenge }), 401, "unauthenticated");
    expectProblem(
      await service().post("/api/auth/password/reset", { token: challenge, password: PASSWORD }),
      422,
      "invalid_token",
    );
  });

  it("wants exactly one factor, of the right form", async () => {
    const challengeToken = "x";
    for (const body of [
      { challengeToken },
      { challengeToken, code: "123456", backupCode: "A" },
      { challengeToken, code: "12345" },
    ]) {
      expectProblem(await service().post("/api/auth/login/2fa", body), 422, "validation_failed");
    }
  });
});

describe("backup codes", () => {
  it("are ten of at least 112 bits, kept only as hashes", async () => {
    const { backupCodes, person } = await guardedPerson();
    expect(new Set(backupCodes).size).toBe(10);
    for (const code of backupCodes) expect(code).toMatch(/^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    const { results } = await env.DB.prepare("SELECT code_hash AS hash FROM backup_codes WHERE user_id = ?")
      .bind(person.id)
      .all();
    for (const { hash } of results) expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it("work once each, typed in any way, even in a race", async () => {
    const { person, backupCodes } = await guardedPerson();
    const typed = backupCodes[3]?.toLowerCase().replaceAll("-", " ") ?? "";
    const challenges = await Promise.all(Array.from({ length: 4 }, () => challengeFor(person)));
    const answers = await Promise.all(challenges.map((challenge) => complete(challenge, { backupCode: typed })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it("of one person are worthless to another", async () => {
    const [one, other] = [await guardedPerson(), await guardedPerson()];
    expectProblem(
      await complete(await challengeFor(one.person), { backupCode: other.backupCodes[0] }),
      401,
      "invalid_code",
    );
  });

  it("are all worthless once new ones are made", async () => {
    const { person, backupCodes } = await guardedPerson();
    const { backupCodes: fresh } = await replaceBackupCodes(await contextFor(person.token));
    const challenge = await challengeFor(person);
    expectProblem(await complete(challenge, { backupCode: backupCodes[0] }), 401, "invalid_code");
    expect((await complete(challenge, { backupCode: fresh[0] })).status).toBe(200);
  });
});

describe("turning two-factor on and off", () => {
  it("keeps the secret sealed at rest and names it in a URI for the app", async () => {
    const { person, secret, otpauthUri } = await guardedPerson();
    expect(otpauthUri).toMatch(/^otpauth:\/\/totp\//);
    expect(otpauthUri).toContain(`secret=${secret}`);
    const row = await env.DB.prepare("SELECT totp_secret AS sealed FROM users WHERE id = ?")
      .bind(person.id)
      .first<{ sealed: string }>();
    expect(row?.sealed).toMatch(/^v2\./);
    expect(row?.sealed).not.toContain(secret);
  });

  it("asks for nothing at sign-in until a code has been confirmed", async () => {
    const person = await signedInPerson();
    await setUpTwoFactor(await contextFor(person.token));
    const { body } = await service().post("/api/auth/login", { email: person.email, password: PASSWORD });
    expect(body.token).toBeTruthy();
  });

  it("gives backup codes to one of two parallel confirmations", async () => {
    const person = await signedInPerson();
    const { secret } = await setUpTwoFactor(await contextFor(person.token));
    const ctx = await contextFor(person.token);
    const code = await codeAt(secret, ctx.now.getTime());
    const results = await Promise.allSettled([enableTwoFactor(ctx, code), enableTwoFactor(ctx, code)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await countRows("backup_codes", "user_id = ?", person.id)).toBe(10);
  });

  it("cannot be set up again while it is on, nor switched off while it is off", async () => {
    const { person } = await guardedPerson();
    await expect(setUpTwoFactor(await contextFor(person.token))).rejects.toMatchObject({
      code: "two_factor_already_enabled",
    });
    await disableTwoFactor(await contextFor(person.token));
    await expect(disableTwoFactor(await contextFor(person.token))).rejects.toMatchObject({
      code: "two_factor_not_enabled",
    });
    expect(await countRows("backup_codes", "user_id = ?", person.id)).toBe(0);
    const { body } = await service().post("/api/auth/login", { email: person.email, password: PASSWORD });
    expect(body.token).toBeTruthy();
  });

  it("counts wrong codes as a sign-in does, also when many are tried at once, and then takes not even the right one", async () => {
    const person = await signedInPerson();
    const { secret } = await setUpTwoFactor(await contextFor(person.token));
    const { token } = person;
    const verify = (code: string) => service().post("/api/settings/security/2fa/verify", { code }, { token });
    const now = Date.now();
    const right = await Promise.all([-1, 0, 1, 2].map((step) => codeAt(secret, now + step * 30_000)));
    const wrong = Array.from({ length: 18 }, (_, n) => String(100_000 + n)).filter((code) => !right.includes(code));
    const answers = (await Promise.all(wrong.slice(0, 14).map(verify))).map(
      ({ status, body }) => `${status} ${body.code}`,
    );
    expect(answers.filter((answer) => answer === "403 wrong_code")).toHaveLength(10);
    expect(answers.filter((answer) => answer === "429 account_locked")).toHaveLength(4);
    expectProblem(await verify(await codeAt(secret, Date.now())), 429, "account_locked");
    expect(await countRows("users", "id = ? AND totp_enabled_at IS NULL", person.id)).toBe(1);
    expect(await countRows("backup_codes", "user_id = ?", person.id)).toBe(0);
    // A session counts for itself, so the person gets in elsewhere, and in this session after the lock.
    const own = "email = ? AND network = 'session:' || (SELECT id FROM sessions WHERE user_id = ?)";
    await env.DB.prepare(`DELETE FROM login_failures WHERE ${own}`).bind(person.email, person.id).run();
    expect((await verify(await codeAt(secret, Date.now()))).status).toBe(200);
  });

  it("refuses a wrong code and stays off", async () => {
    const person = await signedInPerson();
    await setUpTwoFactor(await contextFor(person.token));
    await expect(enableTwoFactor(await contextFor(person.token), "000000")).rejects.toMatchObject({
      code: "wrong_code",
    });
  });
});
