import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { guessNetwork } from "../../src/lib/client-network.ts";
import { sha256Hex } from "../../src/lib/crypto.ts";
import { expectProblem, service } from "../harness.ts";
import { countStatements, interruptBatch } from "../measured.ts";
import { countRows, insertCheapPerson, newEmail, PASSWORD, setClock, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;
const ATTACKER = "203.0.113.5";
const OWNER = "198.51.100.7";

interface Attempt {
  password?: string;
  from?: string;
  deviceToken?: string;
  vars?: object;
}

const attempt = (email: string, { password = "a wrong guess", from = ATTACKER, deviceToken, vars }: Attempt = {}) =>
  service(vars).post("/api/auth/login", { email, password, deviceToken }, { headers: { "cf-connecting-ip": from } });
const right = (email: string, rest: Attempt = {}) => attempt(email, { password: PASSWORD, from: OWNER, ...rest });

/** As if so many wrong guesses had come from many networks, the last of them before any wait. */
async function guessedFromEverywhere(email: string, count: number): Promise<void> {
  await env.DB.prepare(
    "INSERT INTO login_failures (email, network, count, since, expires_at) VALUES (?, '', ?, ?, ?) " +
      "ON CONFLICT DO UPDATE SET count = excluded.count, expires_at = excluded.expires_at, locked_until = null",
  )
    .bind(email, count, Date.now(), Date.now() + 86_400_000)
    .run();
}

describe("wrong guesses from one network", () => {
  it("lock the account for that network only: the owner still gets in from another", async () => {
    const { email } = await insertCheapPerson();
    for (let n = 0; n < 10; n++) expectProblem(await attempt(email), 401, "invalid_credentials");
    expectProblem(await attempt(email), 429, "account_locked");
    expectProblem(await attempt(email, { password: PASSWORD }), 429, "account_locked");
    // Another address of the same /24.
    expectProblem(await attempt(email, { password: PASSWORD, from: "203.0.113.250" }), 429, "account_locked");
    expect((await right(email)).status).toBe(200);
    // Which did not open the lock of the attacker.
    expectProblem(await attempt(email, { password: PASSWORD }), 429, "account_locked");
  });

  it("count an IPv4 /24 and an IPv6 /64 as one network, however an address is written", () => {
    expect(guessNetwork("203.0.113.5")).toBe("203.0.113.0/24");
    expect(guessNetwork("::ffff:203.0.113.5")).toBe("203.0.113.0/24");
    expect(guessNetwork("2001:DB8:0:1::5")).toBe(guessNetwork("2001:db8::1:abcd:0:0:9"));
    expect(guessNetwork("2001:db8:0:2::5")).not.toBe(guessNetwork("2001:db8:0:1::5"));
  });

  it("do not keep out a device behind the same address that has signed in before", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { deviceToken } = (await right(email)).body;
    for (let n = 0; n < 11; n++) await attempt(email, { from: OWNER });
    expectProblem(await right(email), 429, "account_locked");
    expect((await right(email, { deviceToken })).status).toBe(200);
  });

  it("do not keep a signed-in person behind the same address from proving who they are", async () => {
    const { token, email } = await signedInPerson();
    for (let n = 0; n < 11; n++) await attempt(email, { from: OWNER });
    await guessedFromEverywhere(email, 200);
    await attempt(email, { from: "192.0.2.99" });
    const setup = await service().post(
      "/api/settings/security/2fa/setup",
      { currentPassword: PASSWORD },
      { token, headers: { "cf-connecting-ip": OWNER } },
    );
    expect(setup.status).toBe(200);
  });
});

describe("wrong guesses from many networks", () => {
  it("lock nobody out: after a hundred, an unknown device has to wait, and then gets in", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const start = Date.now();
    setClock(start);
    await guessedFromEverywhere(email, 99);
    expect((await right(email)).status).toBe(200);
    expectProblem(await attempt(email), 401, "invalid_credentials");
    const refused = await right(email);
    expectProblem(refused, 429, "account_locked");
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBe(1);
    setClock(start + wait * 1000 + 1);
    expect((await right(email)).status).toBe(200);
  });

  it("make the wait longer, up to about two minutes", async () => {
    const { email } = await insertCheapPerson();
    const start = Date.now();
    setClock(start);
    const waits: number[] = [];
    for (const [n, count] of [100, 110, 150, 1000, 100_000].entries()) {
      await guessedFromEverywhere(email, count);
      expectProblem(await attempt(email, { from: `192.0.${n}.1` }), 401, "invalid_credentials");
      waits.push(Number((await right(email)).headers.get("retry-after")));
    }
    expect(waits).toEqual([1, 2, 32, 128, 128]);
  });

  it("teach at most one of a parallel volley anything while unknown devices have to wait", async () => {
    const { email, id } = await insertCheapPerson();
    await guessedFromEverywhere(email, 500);
    const volley = Array.from({ length: 20 }, (_, n) => attempt(email, { from: `192.0.${n}.1` }));
    const answers = await Promise.all(volley);
    expect(answers.filter(({ body }) => body.code === "invalid_credentials")).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === "account_locked")).toHaveLength(19);
    expect(await countRows("sessions", "user_id = ?", id)).toBe(0);
  });

  it("refuse a right guess of an unknown device that a wrong one overtakes, and not that of a known one", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { deviceToken } = (await right(email)).body;
    const overtaken = () =>
      interruptBatch(env.DB, 2, async () => {
        await guessedFromEverywhere(email, 500);
        await attempt(email);
      });
    expectProblem(await right(email, { vars: { DB: overtaken() } }), 429, "account_locked");
    expect((await right(email, { deviceToken, vars: { DB: overtaken() } })).status).toBe(200);
  });

  it("cannot all come from one network: there, one wrong guess is enough for a lock once others have to wait", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const start = Date.now();
    setClock(start);
    await guessedFromEverywhere(email, 1000);
    await attempt(email);
    // The attacker waits for the next turn, as the owner does, but gets it only after 15 minutes.
    setClock(start + 3 * MINUTE);
    expectProblem(await attempt(email), 429, "account_locked");
    expect((await right(email)).status).toBe(200);
    setClock(start + 16 * MINUTE);
    expectProblem(await attempt(email), 401, "invalid_credentials");
  });

  it("are not forgotten when the owner signs in, and are after a day without any", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const start = Date.now();
    setClock(start);
    await guessedFromEverywhere(email, 150);
    expect((await right(email)).status).toBe(200);
    await attempt(email);
    expectProblem(await right(email), 429, "account_locked");
    setClock(start + 25 * 60 * MINUTE);
    expectProblem(await attempt(email), 401, "invalid_credentials");
    expect((await right(email)).status).toBe(200);
  });

  it("are forgotten when the password is reset", async () => {
    const { email, id } = await insertCheapPerson(PASSWORD, 10);
    await guessedFromEverywhere(email, 1000);
    await attempt(email);
    await env.DB.prepare("INSERT INTO mail_tokens VALUES (?, ?, 'reset_password', ?, ?, ?)")
      .bind(sha256Hex("emailed"), id, email, Date.now(), Date.now() + MINUTE)
      .run();
    const password = "another passphrase entirely";
    expect((await service().post("/api/auth/password/reset", { token: "emailed", password })).status).toBe(204);
    expect((await attempt(email, { password, from: OWNER })).status).toBe(200);
  });
});

describe("a device that has signed in before", () => {
  it("passes the wait of the whole account, and so does the token that this sign-in returns", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { deviceToken } = (await right(email)).body;
    await guessedFromEverywhere(email, 1000);
    await attempt(email);
    expectProblem(await right(email), 429, "account_locked");
    const again = await right(email, { deviceToken });
    expect(again.status).toBe(200);
    expect((await right(email, { deviceToken: again.body.deviceToken })).status).toBe(200);
  });

  it("has ten guesses of its own, so that a stolen token does not help to guess", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { deviceToken } = (await right(email)).body;
    const stolen = Array.from({ length: 15 }, (_, n) => attempt(email, { deviceToken, from: `192.0.${n}.1` }));
    const answers = await Promise.all(stolen);
    expect(answers.filter(({ body }) => body.code === "invalid_credentials")).toHaveLength(10);
    expectProblem(await right(email, { deviceToken }), 429, "account_locked");
    expect((await right(email)).status).toBe(200);
  });

  it("is known to its own account only, until the password changes or 400 days have passed, and by no forged token", async () => {
    const { email, id } = await insertCheapPerson(PASSWORD, 10);
    const other = await insertCheapPerson(PASSWORD, 10);
    const start = Date.now();
    setClock(start);
    const { deviceToken } = (await right(email)).body;
    const [device, account, time, signature] = deviceToken.split(".");
    const forged = [
      [device, other.id, time, signature],
      [device, account, Number(time) + 1, signature],
      ["A".repeat(22), account, time, signature],
      [device, account, time, "A".repeat(43)],
    ].map((parts) => parts.join("."));
    for (const { address, tokens } of [
      { address: other.email, tokens: [deviceToken, forged[0]] },
      { address: email, tokens: [...forged.slice(1), "", "x", `${deviceToken} `] },
    ]) {
      await guessedFromEverywhere(address, 1000);
      await attempt(address);
      for (const token of tokens) {
        expectProblem(await right(address, { deviceToken: token }), 429, "account_locked");
      }
    }
    expect((await right(email, { deviceToken })).status).toBe(200);
    await env.DB.prepare("UPDATE users SET password_changed_at = ? WHERE id = ?").bind(start, id).run();
    expect((await right(email, { deviceToken })).status).toBe(200);
    await env.DB.prepare("UPDATE users SET password_changed_at = ? WHERE id = ?")
      .bind(start + 1, id)
      .run();
    expectProblem(await right(email, { deviceToken }), 429, "account_locked");
    await env.DB.prepare("UPDATE users SET password_changed_at = null WHERE id = ?").bind(id).run();
    setClock(start + 400 * 24 * 60 * MINUTE + 1);
    await guessedFromEverywhere(email, 1000);
    await attempt(email);
    expectProblem(await right(email, { deviceToken }), 429, "account_locked");
  });

  it("cannot do anything else with its token", async () => {
    const { email } = await insertCheapPerson(PASSWORD, 10);
    const { deviceToken } = (await right(email)).body;
    expectProblem(await attempt(email, { deviceToken, from: OWNER }), 401, "invalid_credentials");
    expectProblem(await service().get("/api/auth/me", { token: deviceToken }), 401, "unauthenticated");
    expectProblem(await service().post("/api/auth/refresh", { refreshToken: deviceToken }), 401, "unauthenticated");
  });
});

describe("an address without an account", () => {
  it("behaves as one with an account: in its answers, its locks, its rows and its round trips", async () => {
    const traces = [];
    for (const email of [(await insertCheapPerson()).email, newEmail("nobody")]) {
      const { db, taken } = countStatements(env.DB);
      const answers = [];
      for (let n = 0; n < 11; n++) answers.push(await attempt(email, { vars: { DB: db } }));
      await guessedFromEverywhere(email, 300);
      for (let n = 0; n < 2; n++) answers.push(await attempt(email, { from: OWNER, vars: { DB: db } }));
      answers.push(await attempt(email, { from: "192.0.2.200", vars: { DB: db } }));
      const rows = await env.DB.prepare(
        "SELECT network, count, locked_until IS NULL AS is_open FROM login_failures WHERE email = ? ORDER BY network",
      )
        .bind(email)
        .all();
      traces.push({
        answers: answers.map(({ status, body }) => [status, body.code, body.title]),
        rows: rows.results,
        cost: taken(),
      });
    }
    expect(traces[1]).toEqual(traces[0]);
  });
});

describe("counted guesses", () => {
  it("are purged, also between two nightly jobs: every guess removes some that have expired", async () => {
    await env.DB.prepare("INSERT INTO login_failures SELECT 'flood-' || value, '', 1, 0, null, 1 FROM json_each(?)")
      .bind(JSON.stringify(Array.from({ length: 12 }, (_, n) => n)))
      .run();
    for (let n = 0; n < 3; n++) await attempt(newEmail("flood"), { from: `192.0.2.${n}` });
    expect(await countRows("login_failures", "email LIKE 'flood-%' AND expires_at = 1")).toBe(0);
  });
});
