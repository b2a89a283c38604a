import type { Context as HonoContext, MiddlewareHandler } from "hono";
import { type Actor, type Context, type Credential, requireScope } from "../context.ts";
import { failedAssertion } from "../db/assert.ts";
import type { Rider } from "../db/riders.ts";
import { allows, type DataScope } from "../lib/api-key-scopes.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { words } from "../lib/words.ts";
import { Admission } from "./admission/admission.ts";
import { actorBehind, IS_VALID } from "./admission/check.ts";
import { type AppEnv, type CredentialSource, contextOf } from "./app-env.ts";
import { bearerOf } from "./bearer.ts";
import { isSameOrigin } from "./same-origin.ts";
import { sessionCookieOf } from "./session-cookie.ts";

/** Who may call an endpoint. */
export type Guard =
  | { kind: "public" }
  | { kind: "data"; scopes: readonly DataScope[]; takesCookie?: true }
  | { kind: "user" }
  | { kind: "owner" };

export const anyone: Guard = { kind: "public" };
/**
 * A session, or an API key with one of the scopes; while `ACCESS_MODE` is `open`, also anyone without a credential. A
 * valid API key has only its scopes in both modes.
 */
export const data = (...scopes: readonly [DataScope, ...DataScope[]]): Guard => ({ kind: "data", scopes });
/** The same for a document that the console shows in a frame: a frame can send no header, only the session's cookie. */
export const dataInFrame = (...scopes: readonly [DataScope, ...DataScope[]]): Guard => ({
  kind: "data",
  scopes,
  takesCookie: true,
});
/** A signed-in person; never an API key. */
export const user: Guard = { kind: "user" };
/** The owner's session, or an owner's API key with the `admin` scope. */
export const owner: Guard = { kind: "owner" };

const CREDENTIAL_ERRORS = words("unauthenticated session_revoked token_expired misconfigured");

export const GUARD_ERRORS: Record<Guard["kind"], readonly ErrorCode[]> = {
  public: CREDENTIAL_ERRORS,
  data: [...CREDENTIAL_ERRORS, "insufficient_scope"],
  user: CREDENTIAL_ERRORS,
  owner: [...CREDENTIAL_ERRORS, "insufficient_scope"],
};

/**
 * `rides`: the credential may be checked together with the first statement of the request. A credential that is sent is
 * checked in every mode, also where none is needed: a session that has ended must not go on as nobody.
 */
export function enforce(guard: Guard, rides: boolean): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { credential: given, source } = credentialOf(c, guard);
    const ctx = contextOf(c);
    if (given === null && mayBeNobody(guard, ctx)) return next();
    if (!given) {
      throw new AppError("unauthenticated", "Send `Authorization: Bearer <token>` with a session token or an API key.");
    }
    if (guard.kind !== "data" || !rides) {
      const actor = await authenticate(c, guard, given, source);
      // Public endpoints run without an actor.
      if (guard.kind !== "public") ctx.actor = actor;
      return next();
    }
    const credential = await c.get("readCredential")(ctx, given, source);
    const admission = new Admission(ctx, credential, guard.scopes, { isReplica: c.get("readsReplica") === true });
    c.set("admission", admission);
    try {
      await next();
      // A request that is refused for another reason, or needs no database, has not been checked yet.
      await admission.settle();
    } finally {
      admission.fixActorOf(contextOf(c));
    }
  };
}

function mayBeNobody({ kind }: Guard, { config }: Context): boolean {
  return kind === "public" || (kind === "data" && config.ACCESS_MODE === "open");
}

/** The credential of the request. A header comes first, because a program chose to send it. */
function credentialOf(c: HonoContext<AppEnv>, guard: Guard): { credential: string | null; source: CredentialSource } {
  const credential = bearerOf(c.req.header("authorization"));
  if (credential !== null || guard.kind !== "data" || !guard.takesCookie) return { credential, source: "header" };
  return { credential: (isSameOrigin(c) && sessionCookieOf(c)) || null, source: "cookie" };
}

/** The actor behind a credential, if it may pass the guard. */
async function authenticate(
  c: HonoContext<AppEnv>,
  guard: Guard,
  given: string,
  source: CredentialSource,
): Promise<Actor> {
  const ctx = contextOf(c);
  const credential = await c.get("readCredential")(ctx, given, source);
  const actor = await actorBehind(ctx, credential);
  check(guard, actor);
  c.set("credential", credential);
  if (guard.kind !== "public") c.set("riders", [whileValid(ctx, guard, credential)]);
  return actor;
}

/** On every write of the handler: a credential that was checked first may be revoked before the write. */
function whileValid(ctx: Context, guard: Guard, credential: Credential): Rider {
  const scopes = guard.kind === "data" ? guard.scopes : [];
  return {
    assertion: () => ({ name: IS_VALID, ...credential.isValid(scopes, undefined) }),
    async refusal(error) {
      if (failedAssertion(error)?.assertion !== IS_VALID) return null;
      // Says what has become of the credential.
      check(guard, await actorBehind(ctx, credential));
      return new AppError("unavailable", "The session changed meanwhile. Try again.");
    },
  };
}

function check(guard: Guard, actor: Actor): void {
  if (guard.kind === "public") return;
  if (actor.kind !== "session" && actor.kind !== "api_key") throw new AppError("unauthenticated");
  if (guard.kind === "user" && actor.kind !== "session") {
    throw new AppError("forbidden", "API keys cannot use account endpoints. Sign in and use the session token.");
  }
  if (guard.kind === "data") requireScope(actor, guard.scopes);
  if (guard.kind === "owner") {
    if (actor.user.role !== "owner") throw new AppError("forbidden", "Only the owner may do this.");
    if (actor.kind === "api_key" && !allows(actor.key.scopes, "admin")) {
      throw new AppError("insufficient_scope", "The API key needs the scope `admin`.");
    }
  }
}
