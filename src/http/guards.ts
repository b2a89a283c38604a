import type { MiddlewareHandler } from "hono";
import type { Actor, Context } from "../context.ts";
import { allows, type DataScope } from "../lib/api-key-scopes.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { words } from "../lib/words.ts";
import { type AppEnv, type Authenticate, contextOf } from "./app-env.ts";
import { bearerOf } from "./bearer.ts";

/** Who may call an endpoint. */
export type Guard = { kind: "public" } | { kind: "data"; scope: DataScope } | { kind: "user" } | { kind: "owner" };

export const anyone: Guard = { kind: "public" };
/**
 * A session or an API key with the scope; while `ACCESS_MODE` is `open`, also anyone without a credential. A valid API
 * key has only its scopes in both modes.
 */
export const data = (scope: DataScope): Guard => ({ kind: "data", scope });
/** A signed-in person; never an API key. */
export const user: Guard = { kind: "user" };
/** The owner's session, or an owner's API key with the `admin` scope. */
export const owner: Guard = { kind: "owner" };

const CREDENTIAL_ERRORS = words("unauthenticated session_revoked token_expired misconfigured");

export const GUARD_ERRORS: Record<Guard["kind"], readonly ErrorCode[]> = {
  public: [],
  data: [...CREDENTIAL_ERRORS, "insufficient_scope"],
  user: [...CREDENTIAL_ERRORS, "forbidden"],
  owner: [...CREDENTIAL_ERRORS, "forbidden", "insufficient_scope"],
};

export function enforce(guard: Guard): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const ctx = contextOf(c);
    const credential = bearerOf(c.req.header("authorization"));
    ctx.actor = await admit(guard, ctx, credential, c.get("authenticate"));
    await next();
  };
}

async function admit(
  guard: Guard,
  ctx: Context,
  credential: string | null,
  authenticate: Authenticate,
): Promise<Actor> {
  if (guard.kind === "public") return ctx.actor;
  if (guard.kind === "data" && ctx.config.ACCESS_MODE === "open") {
    const actor = credential ? await actorOrAnonymous(ctx, credential, authenticate) : ctx.actor;
    if (actor.kind !== "anonymous") check(guard, actor);
    return actor;
  }
  if (!credential) {
    throw new AppError("unauthenticated", "Send `Authorization: Bearer <token>` with a session token or an API key.");
  }
  const actor = await authenticate(ctx, credential);
  check(guard, actor);
  return actor;
}

/** In open mode no credential is needed, so an invalid or expired one locks nobody out. */
async function actorOrAnonymous(ctx: Context, credential: string, authenticate: Authenticate): Promise<Actor> {
  try {
    return await authenticate(ctx, credential);
  } catch (error) {
    if (error instanceof AppError) return { kind: "anonymous", hasInvalidCredential: true };
    throw error;
  }
}

function check(guard: Exclude<Guard, { kind: "public" }>, actor: Actor): void {
  if (actor.kind !== "session" && actor.kind !== "api_key") throw new AppError("unauthenticated");
  if (guard.kind === "user" && actor.kind !== "session") {
    throw new AppError("forbidden", "API keys cannot use account endpoints. Sign in and use the session token.");
  }
  if (guard.kind === "data" && actor.kind === "api_key" && !allows(actor.key.scopes, guard.scope)) {
    throw new AppError("insufficient_scope", `The API key needs the scope \`${guard.scope}\`.`);
  }
  if (guard.kind === "owner") {
    if (actor.user.role !== "owner") throw new AppError("forbidden", "Only the owner may do this.");
    if (actor.kind === "api_key" && !allows(actor.key.scopes, "admin")) {
      throw new AppError("insufficient_scope", "The API key needs the scope `admin`.");
    }
  }
}
