import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/features/api-keys/service.ts";
import { SCOPES, type Scope } from "../../src/lib/api-key-scopes.ts";
import { declarationsOf } from "../declared.ts";
import { expectProblem, service } from "../harness.ts";
import { countStatements } from "../measured.ts";
import { contextFor, openSession, signedInPerson } from "./people.ts";

const routes = declarationsOf(await createApp());
const guarded = routes.filter((route) => route["x-guard"] !== "public");
const scopes = Object.keys(SCOPES) as Scope[];
const dataScopes = scopes.filter((scope) => scope !== "admin");

let ownerId: number;
let memberId: number;
/** By what they may do: `tasks:read`, or with a `!` everything that reads or writes data but that. */
const ownerKeys = new Map<string, string>();
const memberKeys = new Map<string, string>();

beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  const owner = await signedInPerson("owner");
  const member = await signedInPerson();
  ownerId = owner.id;
  memberId = member.id;
  for (const [person, keys] of [
    [owner, ownerKeys],
    [member, memberKeys],
  ] as const) {
    const ctx = await contextFor(person.token);
    for (const scope of scopes) {
      const others = dataScopes.filter((other) => other !== scope);
      keys.set(scope, (await createApiKey(ctx, { name: scope, scopes: [scope], expiresAt: null })).key);
      keys.set(`!${scope}`, (await createApiKey(ctx, { name: `not ${scope}`, scopes: others, expiresAt: null })).key);
    }
  }
});

type Route = (typeof routes)[number];
type Verdict = "in" | 401 | 403;

/** What the guard made of the call; past the guard an empty request may fail in any other way. */
async function guardVerdict(route: Route, mode: "open" | "private", token: string | null): Promise<Verdict> {
  const path = route.path.replaceAll(/\{\w+\}/g, "999999999");
  const answer = await service({ ACCESS_MODE: mode }).call(route.method.toUpperCase(), path, { token });
  const isGuard = ["unauthenticated", "session_revoked", "token_expired", "forbidden", "insufficient_scope"].includes(
    answer.body?.code,
  );
  return isGuard && (answer.status === 401 || answer.status === 403) ? answer.status : "in";
}

/** Behind the guard of their scope, these refuse API keys. */
const PERSON_ONLY = ["post /api/ai/chat/proposals/{id}"];

/** Behind the guard of a person, these refuse everybody but the owner. Others do so only after the body was read. */
const OWNER_ONLY = ["post /api/settings/data/uploads"];

/** Of the key for everything but a scope: whether that leaves it one that the route names. */
function isNamed(route: Route, scope: string): boolean {
  const named = route["x-scopes"] ?? [];
  return scope.startsWith("!") ? named.some((each) => `!${each}` !== scope) : named.includes(scope);
}

function expected(route: Route, mode: "open" | "private", who: string, scope?: string): Verdict {
  const guard = route["x-guard"];
  if (guard === "public") return "in";
  const isPersonOnly = PERSON_ONLY.includes(`${route.method} ${route.path}`);
  if (who === "garbage") return 401;
  if (who === "nobody") return guard === "data" && mode === "open" ? "in" : 401;
  if (isPersonOnly && scope !== undefined) return 403;
  const isKey = scope !== undefined;
  if (guard === "data") return !isKey || scope === "admin" || isNamed(route, scope) ? "in" : 403;
  const isOwnerOnly = OWNER_ONLY.includes(`${route.method} ${route.path}`);
  if (guard === "user") return isKey || (isOwnerOnly && who !== "owner") ? 403 : "in";
  return who === "owner" && (!isKey || scope === "admin") ? "in" : 403;
}

describe.each(["open", "private"] as const)("every route in ACCESS_MODE=%s", (mode) => {
  it.each(guarded.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    "%s lets in whom its guard names, and nobody else",
    async (_, route) => {
      const verdicts: Record<string, Verdict> = {};
      const wanted: Record<string, Verdict> = {};
      const ask = async (name: string, who: string, token: string | null, scope?: string) => {
        verdicts[name] = await guardVerdict(route, mode, token);
        // What they derive from, these ask for only once they know what a request wants: see test/http/scopes.test.ts.
        const asksLater = scope !== undefined && scope !== "admin" && route["x-derives-from"] !== undefined;
        wanted[name] = asksLater && verdicts[name] === 403 ? 403 : expected(route, mode, who, scope);
      };
      await ask("nobody", "nobody", null);
      await ask("garbage", "garbage", "garbage");
      await ask("a member", "member", (await openSession(memberId)).token);
      await ask("the owner", "owner", (await openSession(ownerId)).token);
      // The key for everything but the route's own scope proves of each other scope that it opens nothing here. A route
      // that names several is asked with each scope on its own.
      const own = route["x-scopes"] ?? ["admin"];
      const asked = own.length === 1 ? [...own, `!${own[0]}`] : dataScopes;
      for (const scope of new Set([...asked, "admin"])) {
        await ask(`a member's key for ${scope}`, "member", memberKeys.get(scope) ?? "", scope);
        await ask(`the owner's key for ${scope}`, "owner", ownerKeys.get(scope) ?? "", scope);
      }
      expect(verdicts).toEqual(wanted);
    },
  );
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
