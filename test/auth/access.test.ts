import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/features/auth/api-keys.ts";
import { SCOPES, type Scope } from "../../src/lib/scopes.ts";
import { declarationsOf } from "../declared.ts";
import { service } from "../harness.ts";
import { contextFor, openSession, type Person, signedInPerson } from "./people.ts";

/*
 * That every route has the guard it declares. What a guard makes of each kind of credential is told in
 * http/guards.test.ts; here each route meets nobody, one caller it must refuse and one it must let in.
 */

const routes = declarationsOf(createApp());
const guarded = routes.filter((route) => route["x-guard"] !== "public");
const dataScopes = (Object.keys(SCOPES) as Scope[]).filter((scope) => scope !== "admin");

let owner: Person;
let member: Person;
let adminKey: string;
/** The member's keys: for one scope, and for every scope of data but that one. */
const keysFor = new Map<string, string>();
const keysForOthers = new Map<string, string>();

beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  owner = await signedInPerson("owner");
  member = await signedInPerson();
  const newKey = async (person: Person, scopes: Scope[]) =>
    (await createApiKey(await contextFor(person.token), { name: "key", scopes, expiresAt: null })).key;
  adminKey = await newKey(owner, ["admin"]);
  for (const scope of dataScopes) {
    keysFor.set(scope, await newKey(member, [scope]));
    const others = dataScopes.filter((other) => other !== scope);
    keysForOthers.set(scope, await newKey(member, others));
  }
});

type Route = (typeof routes)[number];

/** What the guard made of the call: `in`, or the status; past the guard an empty request may fail in any other way. */
async function guardVerdict(route: Route, mode: "open" | "private", token: string | null): Promise<"in" | number> {
  const path = route.path.replaceAll(/\{\w+\}/g, "999999999");
  const answer = await service({ ACCESS_MODE: mode }).call(route.method.toUpperCase(), path, { token });
  const isGuard = ["unauthenticated", "session_revoked", "token_expired", "forbidden", "insufficient_scope"].includes(
    answer.body?.code,
  );
  if (answer.status === 401) expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
  return isGuard ? answer.status : "in";
}

/** One caller to refuse and one to let in, such that a route with another guard or scope would answer otherwise. */
async function callersOf(route: Route): Promise<{ wrong: string; right: string }> {
  // A session for each call, since the call before may have ended it.
  const session = async ({ id }: Person) => (await openSession(id)).token;
  switch (route["x-guard"]) {
    case "data": {
      const scope = route["x-scope"] ?? "";
      return { wrong: keysForOthers.get(scope) ?? "", right: keysFor.get(scope) ?? "" };
    }
    case "user":
      return { wrong: adminKey, right: await session(member) };
    default:
      return { wrong: await session(member), right: await session(owner) };
  }
}

describe.each(["open", "private"] as const)("every route in ACCESS_MODE=%s", (mode) => {
  it.each(guarded.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    "%s lets in whom its guard names, and nobody else",
    async (_, route) => {
      const { wrong, right } = await callersOf(route);
      const isOpen = route["x-guard"] === "data" && mode === "open";
      expect({
        nobody: await guardVerdict(route, mode, null),
        wrong: await guardVerdict(route, mode, wrong),
        right: await guardVerdict(route, mode, right),
      }).toEqual(isOpen ? { nobody: "in", wrong: "in", right: "in" } : { nobody: 401, wrong: 403, right: "in" });
    },
  );
});

describe("what anyone may call", () => {
  /** By hand, so that nothing becomes public by a slip: what asks for a proof of its own, and what shows nothing of anybody. */
  const PUBLIC = {
    "POST /api/auth/register": "starts an account",
    "POST /api/auth/login": "password",
    "POST /api/auth/login/2fa": "challenge and code",
    "POST /api/auth/refresh": "refresh token",
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

  // The billing provider's signature has a test of its own, which loads that provider's library.
  it.each(["open", "private"] as const)("and in %s mode lets nobody in without its proof", async (mode) => {
    const client = service({ ACCESS_MODE: mode });
    const { token } = await openSession(owner.id);
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
