import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { expectErrorLog, expectProblem, service } from "../harness.ts";
import { interruptBatch, watchDatabase } from "../measured.ts";
import { codeAt, expireReauthentication, turnOnTwoFactor } from "../settings/people.ts";
import { countRows, PASSWORD, type Person, setClock, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const CODES = "/api/settings/security/2fa/backup-codes";

async function guarded() {
  const person = await signedInPerson();
  return { person, ...(await turnOnTwoFactor(person)) };
}

async function challengeFor({ email }: Person, more: object = {}): Promise<string> {
  const { body } = await service().post("/api/auth/login", { email, password: PASSWORD, ...more });
  return body.challengeToken;
}

/** A database that is lost at the batch of this number, and at those after it. */
function lostAt(number: number): D1Database {
  let batches = 0;
  return watchDatabase(env.DB, {
    statement: (statement, method, args) => Reflect.apply(Reflect.get(statement, method), statement, args),
    async batch(statements, send) {
      batches += 1;
      if (batches >= number) throw new Error("the database is gone");
      return send(statements);
    },
  });
}

describe("a second factor is spent in the same batch that makes the session", () => {
  it("so a sign-in that the database loses burns neither a code nor a backup code", async () => {
    const { person, secret, backupCodes } = await guarded();
    const code = await codeAt(secret);
    for (const factor of [{ backupCode: backupCodes[0] }, { code }]) {
      const challengeToken = await challengeFor(person);
      expectErrorLog("request_failed");
      const lost = await service({ DB: lostAt(2) }).post("/api/auth/login/2fa", { challengeToken, ...factor });
      expect(lost.status).toBe(500);
      const again = await service().post("/api/auth/login/2fa", { challengeToken, ...factor });
      expect(again.status, JSON.stringify(factor)).toBe(200);
    }
  });

  it("so two sign-ins that race with one factor make one session, and the other counts as a wrong guess", async () => {
    const { person, secret, backupCodes } = await guarded();
    const sessions = () => countRows("sessions", "user_id = ?", person.id);
    for (const factor of [{ code: await codeAt(secret) }, { backupCode: backupCodes[1] }]) {
      const before = await sessions();
      const [first, second] = [await challengeFor(person), await challengeFor(person)];
      const complete = (challengeToken: string, vars = {}) =>
        service(vars).post("/api/auth/login/2fa", { challengeToken, ...factor });
      // The second has checked its factor, and is about to make its session.
      const DB = interruptBatch(env.DB, 2, async () => {
        expect((await complete(first)).status).toBe(200);
      });
      expectProblem(await complete(second, { DB }), 401, "invalid_code");
      expect(await sessions()).toBe(before + 1);
    }
    expect(await countRows("audit_log", "user_id = ? AND action = 'two_factor.failed'", person.id)).toBe(2);
  });

  it("and so is the code of a proof in the batch that records it", async () => {
    const { person, secret } = await guarded();
    await expireReauthentication(person.id);
    const proof = { currentPassword: PASSWORD, code: await codeAt(secret) };
    const { token } = person;
    expectErrorLog("request_failed");
    expect((await service({ DB: lostAt(2) }).post(CODES, proof, { token })).status).toBe(500);
    expect((await service().post(CODES, proof, { token })).status).toBe(200);
    await expireReauthentication(person.id);
    expectProblem(await service().post(CODES, proof, { token }), 403, "reauthentication_required");
  });

  it("and two proofs that race with one code do one thing", async () => {
    const { person, secret } = await guarded();
    await expireReauthentication(person.id);
    const proof = { currentPassword: PASSWORD, code: await codeAt(secret) };
    const order = { name: "robot", scopes: ["tasks:read"], ...proof };
    const create = () => service().post("/api/settings/security/api-keys", order, { token: person.token });
    const answers = await Promise.all([create(), create(), create()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect(await countRows("api_keys", "user_id = ?", person.id)).toBe(1);
  });

  it("and a code that two-factor authentication was turned off and on for does not work with the old secret", async () => {
    const { person, secret } = await guarded();
    const challengeToken = await challengeFor(person);
    const DB = interruptBatch(env.DB, 2, () =>
      env.DB.prepare("UPDATE users SET totp_enabled_at = totp_enabled_at + 1 WHERE id = ?").bind(person.id).run(),
    );
    const answer = await service({ DB }).post("/api/auth/login/2fa", { challengeToken, code: await codeAt(secret) });
    expectProblem(answer, 401, "invalid_code");
  });
});

describe("a known device with two factors", () => {
  it("passes the wait of the whole account at both steps", async () => {
    const { person, secret, backupCodes } = await guarded();
    const now = Date.now();
    setClock(now);
    const first = await service().post("/api/auth/login/2fa", {
      challengeToken: await challengeFor(person),
      backupCode: backupCodes[0],
    });
    const { deviceToken } = first.body;
    await env.DB.prepare("INSERT OR REPLACE INTO login_failures VALUES (?, '', 500, ?, ?, ?)")
      .bind(person.email, now, now + 60_000, now + 86_400_000)
      .run();
    const challengeToken = await challengeFor(person, { deviceToken });
    const answer = { challengeToken, code: await codeAt(secret, now) };
    expectProblem(await service().post("/api/auth/login/2fa", answer), 429, "account_locked");
    expect((await service().post("/api/auth/login/2fa", { ...answer, deviceToken })).status).toBe(200);
  });
});

describe("codes of the authenticator app", () => {
  it.each([
    ["a space", " "],
    ["a no-break space", "\u00a0"],
    ["a narrow no-break space", "\u202f"],
    ["a dash", "-"],
    ["a zero-width space", "\u200b"],
  ])("are accepted with %s, as the app shows them, wherever one is taken", async (_, separator) => {
    const person = await signedInPerson();
    const { token } = person;
    const now = Date.now();
    setClock(now);
    const shown = async (steps: number) => {
      const time = now + steps * 30_000;
      setClock(time);
      const code = await codeAt(secret, time);
      return ` ${code.slice(0, 3)}${separator}${code.slice(3)} `;
    };
    const client = service();
    const { secret } = (await client.post("/api/settings/security/2fa/setup", undefined, { token })).body;
    const verified = await client.post("/api/settings/security/2fa/verify", { code: await shown(0) }, { token });
    expect(verified.status).toBe(200);
    const proof = { currentPassword: PASSWORD, code: await shown(2) };
    expect((await client.post(CODES, proof, { token })).status).toBe(200);
    const signIn = { challengeToken: await challengeFor(person), code: await shown(4) };
    expect((await client.post("/api/auth/login/2fa", signIn)).status).toBe(200);
    const code = await shown(6);
    expect((await client.post("/api/settings/security/2fa/disable", { code }, { token })).status).toBe(204);
  });

  it.each(["12345", "1234567", "12345a", "", "      ", "123 45", "-".repeat(50)])(
    "must be six digits: %j",
    async (code) => {
      const answer = await service().post("/api/auth/login/2fa", { challengeToken: "x", code });
      expectProblem(answer, 422, "validation_failed");
    },
  );
});
