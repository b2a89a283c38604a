import type { Context as HonoContext } from "hono";
import type { Env } from "../config.ts";
import type { Actor, Context } from "../context.ts";

/** Resolves a credential to its actor, or throws a 401 `AppError`. */
export type Authenticate = (ctx: Context, credential: string) => Promise<Actor>;

/** The body members that confirm who sends a sensitive request. */
export interface Reauthentication {
  currentPassword?: string;
  code?: string;
}

/**
 * Throws an `AppError` when a credential is wrong, or when one is missing that is needed: `always`, or because the
 * session was not reauthenticated recently.
 */
export type Reauthenticate = (ctx: Context, credentials: Reauthentication, when: { always: boolean }) => Promise<void>;

export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: Context;
    authenticate: Authenticate;
    reauthenticate: Reauthenticate;
    /** Set by a GET that may write. */
    writes?: true;
  };
}

export function contextOf(c: HonoContext<AppEnv>): Context {
  return c.get("context");
}
