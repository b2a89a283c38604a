import { afterEach, describe, expect, it, vi } from "vitest";
import { type Answer, expectProblem, service } from "../harness.ts";
import { auditActions, countRows, insertCheapPerson, PASSWORD, setClock, signedInPerson } from "./people.ts";

afterEach(() => void vi.useRealTimers());

const CONSOLE = { "sec-fetch-site": "same-origin", "x-poa-console": "1" };
const NAME = "__Host-Http-poa";

function cookiesOf(answer: Answer): Map<string, string> {
  return new Map(answer.headers.getSetCookie().map((line) => [line.split("=")[0] ?? "", line]));
}

function cookieValue(answer: Answer, name = NAME): string {
  return /^[^=]+=([^;]*)/.exec(cookiesOf(answer).get(name) ?? "")?.[1] ?? "";
}

const withCookie = (value: string) => ({ headers: { ...CONSOLE, cookie: `${NAME}=${value}` } });
const refresh = (value: string) => service().post("/api/auth/session/refresh", undefined, withCookie(value));
const statusOfMe = async (token: string) => (await service().get("/api/auth/me", { token })).status;

async function signIn(email: string, headers: Record<string, string> = CONSOLE) {
  return service().post("/api/auth/session", { email, password: PASSWORD }, { headers });
}

describe("POST /api/auth/session", () => {
  it("returns an access token and puts the refresh token where no script can read it", async () => {
    const person = await insertCheapPerson();
    const answer = await signIn(person.email);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(["token", "user"]);
    expect(answer.body.user).toMatchObject({ id: person.id, email: person.email });
    expect(await statusOfMe(answer.body.token)).toBe(200);
    const cookie = cookiesOf(answer).get(NAME) ?? "";
    for (const attribute of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"]) expect(cookie).toContain(attribute);
    expect(cookie).not.toContain("Domain");
    expect(answer.text).not.toContain(cookieValue(answer));
  });

  it("accepts an equal Origin where the browser does not send Sec-Fetch-Site", async () => {
    const person = await insertCheapPerson();
    expect((await signIn(person.email, { origin: "http://poa.test", "x-poa-console": "1" })).status).toBe(200);
  });

  it.each([
    ["another site", { "sec-fetch-site": "cross-site", "x-poa-console": "1" }],
    ["a sibling domain", { "sec-fetch-site": "same-site", "x-poa-console": "1" }],
    ["no page at all", { "x-poa-console": "1" }],
    ["another origin", { origin: "https://evil.example", "x-poa-console": "1" }],
    ["a form", { "sec-fetch-site": "same-origin" }],
    ["another value of the header", { "sec-fetch-site": "same-origin", "x-poa-console": "yes" }],
  ])("refuses requests of %s before it looks at the password", async (_who, headers) => {
    const person = await insertCheapPerson();
    const answer = await signIn(person.email, headers as unknown as Record<string, string>);
    expectProblem(answer, 403, "forbidden");
    expect(cookiesOf(answer).size).toBe(0);
    expect(await auditActions(person.id)).toEqual([]);
  });

  it("has no CORS headers, not even for a preflight", async () => {
    const person = await insertCheapPerson();
    const answer = await signIn(person.email, { ...CONSOLE, origin: "https://other.example" });
    const preflight = await service().call("OPTIONS", "/api/auth/session", {
      headers: { origin: "https://other.example", "access-control-request-method": "POST" },
    });
    for (const { headers } of [answer, preflight]) {
      expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    }
  });

  it("answers a wrong password as the login does, without a cookie", async () => {
    const person = await insertCheapPerson();
    const wrong = { email: person.email, password: "wrong wrong wrong" };
    const answer = await service().post("/api/auth/session", wrong, { headers: CONSOLE });
    expectProblem(answer, 401, "invalid_credentials");
    expect(cookiesOf(answer).size).toBe(0);
  });

  it("remembers the device in a cookie, which keeps it from being locked out by others", async () => {
    const person = await insertCheapPerson();
    const first = await signIn(person.email);
    const device = cookieValue(first, `${NAME}-device`);
    expect(device).not.toBe("");
    const stranger = service();
    for (let guess = 0; guess < 11; guess++) {
      const wrong = { email: person.email, password: "wrong wrong wrong" };
      await stranger.post("/api/auth/session", wrong, { headers: CONSOLE });
    }
    const right = { email: person.email, password: PASSWORD };
    expectProblem(await stranger.post("/api/auth/session", right, { headers: CONSOLE }), 429, "account_locked");
    const known = await stranger.post("/api/auth/session", right, {
      headers: { ...CONSOLE, cookie: `${NAME}-device=${device}` },
    });
    expect(known.status).toBe(200);
  });
});

describe("POST /api/auth/session/refresh", () => {
  it("rotates the cookie and returns a token and the account", async () => {
    const person = await signedInPerson();
    const first = await refresh(person.refreshToken);
    expect(first.status).toBe(200);
    expect(first.body.user.email).toBe(person.email);
    expect(await statusOfMe(first.body.token)).toBe(200);
    expect(cookieValue(first)).not.toBe(person.refreshToken);
    expect((await refresh(cookieValue(first))).status).toBe(200);
  });

  it("gives ten tabs that refresh at once the same next cookie", async () => {
    const person = await signedInPerson();
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(person.refreshToken)));
    expect(new Set(answers.map((answer) => `${answer.status} ${cookieValue(answer)}`)).size).toBe(1);
  });

  it("ends the session when an old cookie comes back, and removes the cookie", async () => {
    const person = await signedInPerson();
    const start = Date.now();
    setClock(start);
    await refresh(person.refreshToken);
    setClock(start + 11_000);
    const reused = await refresh(person.refreshToken);
    expectProblem(reused, 401, "refresh_reused");
    expect(cookiesOf(reused).get(NAME)).toMatch(/Max-Age=0/);
    expect(await countRows("sessions", "user_id = ?", person.id)).toBe(0);
  });

  it.each(["", "garbage", "a.0.b"])("answers 401 to the cookie %j", async (value) => {
    expectProblem(await refresh(value), 401, "unauthenticated");
  });

  it("does not take the token from a header or the body", async () => {
    const { refreshToken } = await signedInPerson();
    const headers = { ...CONSOLE, authorization: `Bearer ${refreshToken}` };
    expectProblem(await service().post("/api/auth/session/refresh", undefined, { headers }), 401, "unauthenticated");
  });
});

describe("DELETE /api/auth/session", () => {
  it("ends the session, removes the cookie and can be repeated", async () => {
    const person = await signedInPerson();
    for (let round = 0; round < 2; round++) {
      const answer = await service().delete("/api/auth/session", withCookie(person.refreshToken));
      expect(answer.status).toBe(204);
      expect(cookiesOf(answer).get(NAME)).toMatch(/Max-Age=0/);
    }
    expect(await statusOfMe(person.token)).toBe(401);
    expect(await auditActions(person.id)).toEqual(["session.ended"]);
  });

  it("cannot be called from another site", async () => {
    const person = await signedInPerson();
    const headers = { cookie: `${NAME}=${person.refreshToken}`, "sec-fetch-site": "cross-site", "x-poa-console": "1" };
    expectProblem(await service().delete("/api/auth/session", { headers }), 403, "forbidden");
    expect(await statusOfMe(person.token)).toBe(200);
  });
});

it("no other endpoint takes the cookie", async () => {
  const person = await signedInPerson();
  const client = service({ ACCESS_MODE: "private" });
  for (const path of ["/api/auth/me", "/api/emails", "/api/settings/profile"]) {
    expectProblem(await client.get(path, withCookie(person.refreshToken)), 401, "unauthenticated");
  }
});
