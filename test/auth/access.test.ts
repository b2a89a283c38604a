import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { declarationsOf } from "../declared.ts";
import { expectProblem, service, sharedApp } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { openSession, signedInPerson } from "./people.ts";

const routes = declarationsOf(sharedApp);

let ownerId: number;
beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  ownerId = (await signedInPerson("owner")).id;
});

describe("the scopes of what writes", () => {
  /** What is sent as a POST and reads only. */
  const READS = ["previewEmailRule", "detectMeetings"];

  it("do not include one for reading", () => {
    const named = routes.filter(({ method, operationId }) => method !== "get" && !READS.includes(operationId));
    const reading = named.filter((route) => route["x-scopes"]?.some((scope) => scope.endsWith(":read")));
    expect(reading.map(({ operationId }) => operationId)).toEqual([]);
  });
});

describe("what anyone may call", () => {
  /** By hand, so that nothing becomes public by a slip: what asks for a proof of its own, and what shows nothing of anybody. */
  const PUBLIC = {
    "POST /api/auth/register": "starts an account",
    "GET /api/auth/registration": "says how to get an account",
    "POST /api/auth/login": "password",
    "POST /api/auth/login/2fa": "challenge and code",
    "POST /api/auth/refresh": "refresh token",
    "POST /api/auth/session": "password, from a page of the console",
    "POST /api/auth/session/2fa": "challenge and code, from a page of the console",
    "POST /api/auth/session/refresh": "cookie, from a page of the console",
    "DELETE /api/auth/session": "cookie, from a page of the console",
    "GET /api/emails/{id}/frame/{n}": "signature in the address",
    "GET /.well-known/oauth-authorization-server": "shows nothing of anybody",
    "GET /.well-known/oauth-protected-resource/mcp": "shows nothing of anybody",
    "POST /oauth/register": "registers an agent, which may do nothing yet",
    "GET /oauth/authorize": "asks to sign in",
    "POST /oauth/authorize": "password and second factor, or the console's cookie",
    "POST /oauth/token": "code or refresh token",
    "POST /oauth/revoke": "the token itself",
    "POST /api/auth/password/forgot": "says nothing",
    "POST /api/auth/password/reset": "token from the mail",
    "GET /api/calendar/feed.ics": "token in the link",
    "POST /api/billing/webhook": "the provider's signature",
    "POST /api/bookingsvc/webhook": "the provider's signature",
    "GET /api/health": "shows nothing of anybody",
  };

  it("is exactly this", () => {
    const names = routes
      .filter((route) => route["x-guard"] === "public")
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(names.sort()).toEqual(Object.keys(PUBLIC).sort());
  });

  /** Cheap, and asked often by whoever watches the service. */
  /**
   * The signature of a picture is checked before anything is read, and an email may have a hundred of them. OAuth has its
   * own error for too many requests (test/mcp), and its metadata is a constant.
   */
  const UNLIMITED = ["GET /api/emails/{id}/frame/{n}", "GET /api/health"];
  const isOAuth = (name: string) => / \/(?:oauth|\.well-known)\//.test(name);

  it("has a rate limit for each client address, except the health check and pictures", () => {
    const names = routes
      .filter((route) => route["x-guard"] === "public" && !route["x-error-codes"].includes("rate_limited"))
      .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    expect(names.filter((name) => !isOAuth(name))).toEqual(UNLIMITED);
  });

  it.each([
    ["POST", "/api/billing/webhook"],
    ["POST", "/api/bookingsvc/webhook"],
    ["GET", "/api/calendar/feed.ics?token=x"],
  ])("%s %s over the limit is 429 with Retry-After, before any work", async (method, path) => {
    const asked: string[] = [];
    const limit = async ({ key }: { key: string }) => ({ success: asked.push(key) <= 2 });
    const { db, taken } = countStatements(env.DB);
    const client = service({ RATE_LIMITER_PUBLIC: { limit }, DB: db });
    const ask = (ip: string) => client.call(method, path, { headers: { "cf-connecting-ip": ip } });
    for (const _ of [1, 2]) expect((await ask("2001:db8::1")).status).not.toBe(429);
    taken();
    const refused = await ask("2001:db8::2");
    expectProblem(refused, 429, "rate_limited");
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(taken().statements).toBe(0);
    // A /64 is one client.
    expect(new Set(asked).size).toBe(1);
  });

  // The billing provider's signature has a test of its own, which loads that provider's library.
  it.each(["open", "private"] as const)("and in %s mode lets nobody in without its proof", async (mode) => {
    const client = service({ ACCESS_MODE: mode });
    const { token } = await openSession(ownerId);
    const refused = [
      await client.get("/api/calendar/feed.ics?token=forged", { token }),
      await client.post("/api/bookingsvc/webhook", {}, { token, headers: { "x-cal-signature-256": "00" } }),
      await client.post("/api/auth/refresh", { refreshToken: "forged.1.aa" }, { token }),
      await client.post("/api/auth/login/2fa", { challengeToken: "forged", code: "123456" }, { token }),
      await client.post("/api/auth/password/reset", { token: "forged", password: "correct horse battery" }, { token }),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual([
      "not_found",
      "invalid_signature",
      "unauthenticated",
      "challenge_expired",
      "invalid_token",
    ]);
  });
});
