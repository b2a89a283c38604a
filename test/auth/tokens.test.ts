import { env } from "cloudflare:workers";
import { EncryptJWT, SignJWT, UnsecuredJWT } from "jose";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { expectProblem, service, systemCtx } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { countRows, type Person, setClock, signedInPerson } from "./people.ts";

let person: Person;
let sessionId: string;

beforeAll(async () => {
  person = await signedInPerson();
  sessionId = (await service().get("/api/auth/me", { token: person.token })).body.session.id;
});
afterEach(() => void vi.useRealTimers());

const me = (authorization: string) => service().get("/api/auth/me", { headers: { authorization } });
const secret = new TextEncoder().encode(env.JWT_SECRET);
const [{ id: kid }] = systemCtx().config.secrets("JWT_SECRET");
const NAME = "personal-operations-assistant";

/** A token that is right in everything the test does not change. */
function forge(
  change: (jwt: SignJWT) => SignJWT = (jwt) => jwt,
  header: Record<string, string | undefined> = {},
  claims = {},
) {
  const now = Math.floor(Date.now() / 1000);
  const jwt = new SignJWT({
    sid: sessionId,
    iss: NAME,
    aud: NAME,
    sub: String(person.id),
    iat: now,
    exp: now + 60,
    jti: "j",
    ...claims,
  });
  return change(jwt.setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid, ...header })).sign(secret);
}

describe("an access token", () => {
  it("works when everything about it is right", async () => {
    expect((await me(`Bearer ${await forge()}`)).status).toBe(200);
    expect((await me(`bearer ${await forge()}`)).status).toBe(200);
  });

  it.each([
    ["algorithm HS512", () => forge(undefined, { alg: "HS512" })],
    ["the name of another secret", () => forge(undefined, { kid: "AAAAAAAAAAA" })],
    ["no name of a secret", () => forge(undefined, { kid: undefined })],
    ["another type", () => forge(undefined, { typ: "JWT" })],
    ["another audience", () => forge(undefined, {}, { aud: "someone else" })],
    ["no audience", () => forge(undefined, {}, { aud: undefined })],
    ["another issuer", () => forge(undefined, {}, { iss: "someone else" })],
    ["no expiry", () => forge(undefined, {}, { exp: undefined })],
    ["an expiry as text", () => forge(undefined, {}, { exp: String(Math.floor(Date.now() / 1000) + 60) })],
    ["no session", () => forge(undefined, {}, { sid: undefined })],
    ["a session that is not text", () => forge(undefined, {}, { sid: { $ne: null } })],
    ["no id of its own", () => forge(undefined, {}, { jti: undefined })],
    ["a start in the future", () => forge((jwt) => jwt.setNotBefore("1h"))],
    ["another secret", async () => `${(await forge()).slice(0, -6)}AAAAAA`],
    [
      "no signature (alg none)",
      () =>
        new UnsecuredJWT({ sid: sessionId, sub: String(person.id) })
          .setIssuer(NAME)
          .setAudience(NAME)
          .setExpirationTime("1h")
          .encode(),
    ],
    [
      "encryption (JWE)",
      () =>
        new EncryptJWT({ sid: sessionId, sub: String(person.id) })
          .setProtectedHeader({ alg: "dir", enc: "A128CBC-HS256" })
          .setExpirationTime("1h")
          .encrypt(secret.slice(0, 32)),
    ],
    ["an empty value", () => ""],
    ["three dots", () => "..."],
  ])("with %s is refused", async (_, make) => {
    expectProblem(await me(`Bearer ${await make()}`), 401, "unauthenticated");
  });

  it("with an expiry of zero, or past, has expired", async () => {
    expectProblem(await me(`Bearer ${await forge(undefined, {}, { exp: 0 })}`), 401, "token_expired");
    setClock(Date.now() + 16 * 60_000);
    expectProblem(await me(`Bearer ${person.token}`), 401, "token_expired");
  });

  it("that was accepted before is refused when it expires, with another byte and with other secrets", async () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const token = await forge(undefined, {}, { exp });
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    const changed = `${token.slice(0, -2)}${token.endsWith("AA") ? "BA" : "AA"}`;
    expectProblem(await me(`Bearer ${changed}`), 401, "unauthenticated");
    const elsewhere = service({ JWT_SECRET: "another-secret-of-enough-length-0123456789" });
    expectProblem(await elsewhere.get("/api/auth/me", { token }), 401, "unauthenticated");
    setClock(exp * 1000 - 1);
    expect((await me(`Bearer ${token}`)).status).toBe(200);
    setClock(exp * 1000);
    expectProblem(await me(`Bearer ${token}`), 401, "token_expired");
  });

  it("of one user does not open another's session", async () => {
    const other = await signedInPerson();
    expectProblem(await me(`Bearer ${await forge(undefined, {}, { sub: String(other.id) })}`), 401, "session_revoked");
  });

  it("is refused in every scheme but Bearer", async () => {
    for (const header of [
      `Basic ${person.token}`,
      `Token ${person.token}`,
      person.token,
      `Bearer ${person.token} extra`,
    ]) {
      expectProblem(await me(header), 401, "unauthenticated");
    }
  });

  it("cannot be replaced by a refresh token", async () => {
    expectProblem(await me(`Bearer ${person.refreshToken}`), 401, "unauthenticated");
  });

  it("does not open a guarded path that is written another way", async () => {
    for (const path of [
      "//api/auth/me",
      "/api//auth/me",
      "/api/auth/me/",
      "/api/auth/%6de",
      "/api/auth/me%2f",
      "/API/auth/me",
    ]) {
      const { status } = await service().get(path);
      expect([401, 404], path).toContain(status);
    }
  });
});

describe("the session check", () => {
  it("is one statement that brings session and user", async () => {
    const { db, taken } = countStatements(env.DB);
    await service({ DB: db }).get("/api/auth/me", { token: person.token });
    expect(taken()).toEqual({ roundTrips: 1, statements: 1 });
  });

  it("notes that a session was seen at most every five minutes, after the answer", async () => {
    const seen = () =>
      env.DB.prepare("SELECT last_seen_at AS at FROM sessions WHERE id = ?").bind(sessionId).first<{ at: number }>();
    const before = await seen();
    await service().get("/api/auth/me", { token: person.token });
    expect(await seen()).toEqual(before);
    const later = Date.now() + 6 * 60_000;
    setClock(later);
    await service().get("/api/auth/me", { token: person.token });
    expect(await seen()).toEqual({ at: later });
  });

  it("refuses a session whose time is over, even with a fresh token", async () => {
    const { token, id } = await signedInPerson();
    await env.DB.prepare("UPDATE sessions SET expires_at = ? WHERE user_id = ?")
      .bind(Date.now() - 1, id)
      .run();
    expectProblem(await service().get("/api/auth/me", { token }), 401, "session_revoked");
  });
});

describe("POST /api/auth/logout", () => {
  it("ends the session: neither token works a moment later", async () => {
    const { token, refreshToken, id } = await signedInPerson();
    expect((await service().post("/api/auth/logout", undefined, { token })).status).toBe(204);
    expectProblem(await service().get("/api/auth/me", { token }), 401, "session_revoked");
    expectProblem(await service().post("/api/auth/refresh", { refreshToken }), 401, "session_revoked");
    expectProblem(await service().post("/api/auth/logout", undefined, { token }), 401, "session_revoked");
    expect(await countRows("sessions", "user_id = ?", id)).toBe(0);
  });

  it("leaves the person's other sessions alone", async () => {
    const first = await signedInPerson();
    const second = await service().post("/api/auth/refresh", { refreshToken: first.refreshToken });
    const other = await signedInPerson();
    await service().post("/api/auth/logout", undefined, { token: second.body.token });
    expect((await service().get("/api/auth/me", { token: other.token })).status).toBe(200);
  });
});
