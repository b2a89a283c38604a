import type { Context as HonoContext } from "hono";
import type { Env } from "../config.ts";
import type { Actor, Context } from "../context.ts";

/** Resolves a credential to its actor, or throws a 401 `AppError`. */
export type Authenticate = (ctx: Context, credential: string) => Promise<Actor>;

/** Re-authentication in the body of a request. */
export interface Proof {
  currentPassword?: string;
  code?: string;
}

/** Throws an `AppError` unless the session was authenticated recently or the proof is right. */
export type Reauthenticate = (ctx: Context, proof: Proof) => Promise<void>;

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
