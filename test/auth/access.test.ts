import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../src/app.ts";
import { createApiKey } from "../../src/features/auth/api-keys.ts";
import { SCOPES, type Scope } from "../../src/lib/scopes.ts";
import { declarationsOf } from "../declared.ts";
import { service } from "../harness.ts";
import { contextFor, openSession, registerPerson } from "./people.ts";

const routes = declarationsOf(createApp());
const scopes = Object.keys(SCOPES) as Scope[];

let ownerId: number;
let memberId: number;
const ownerKeys = new Map<Scope, string>();
const memberKeys = new Map<Scope, string>();

beforeAll(async () => {
  await env.DB.exec("DELETE FROM users");
  const owner = await registerPerson();
  const member = await registerPerson();
  ownerId = owner.id;
  memberId = member.id;
  for (const [person, keys] of [
    [owner, ownerKeys],
    [member, memberKeys],
  ] as const) {
    const ctx = await contextFor(person.token);
    for (const scope of scopes) {
      keys.set(scope, (await createApiKey(ctx, { name: scope, scopes: [scope], expiresAt: null })).key);
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

function expected(route: Route, mode: "open" | "private", who: string, scope?: Scope): Verdict {
  const guard = route["x-guard"];
  if (guard === "public" || (guard === "data" && mode === "open")) return "in";
  if (who === "nobody") return 401;
  const isKey = scope !== undefined;
  if (guard === "data") return !isKey || scope === "admin" || scope === route["x-scope"] ? "in" : 403;
  if (guard === "user") return isKey ? 403 : "in";
  return who === "owner" && (!isKey || scope === "admin") ? "in" : 403;
}

describe.each(["open", "private"] as const)("every route in ACCESS_MODE=%s", (mode) => {
  it.each(routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const))(
    "%s lets in whom its guard names, and nobody else",
    async (_, route) => {
      // A public route that fails for want of a credential of its own says so with the same codes.
      if (route["x-guard"] === "public") return void expect(route["x-guard"]).toBe("public");
      const verdicts: Record<string, Verdict> = {};
      const wanted: Record<string, Verdict> = {};
      const ask = async (name: string, who: string, token: string | null, scope?: Scope) => {
        verdicts[name] = await guardVerdict(route, mode, token);
        wanted[name] = expected(route, mode, who, scope);
      };
      await ask("nobody", "nobody", null);
      await ask("garbage", "nobody", "garbage");
      await ask("a member", "member", (await openSession(memberId)).token);
      await ask("the owner", "owner", (await openSession(ownerId)).token);
      for (const scope of scopes) {
        await ask(`a member's key for ${scope}`, "member", memberKeys.get(scope) ?? "", scope);
        await ask(`the owner's key for ${scope}`, "owner", ownerKeys.get(scope) ?? "", scope);
      }
      expect(verdicts).toEqual(wanted);
    },
  );
});
