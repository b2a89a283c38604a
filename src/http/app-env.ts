import type { Context as HonoContext } from "hono";
import type { Env } from "../config.ts";
import type { Actor, Context } from "../context.ts";

/** Turns the credential of a request into the actor behind it, or throws a 401 `AppError`. */
export type Authenticate = (ctx: Context, credential: string) => Promise<Actor>;

/** What a person can prove themselves with, in the body of a request that asks for it. */
export interface Proof {
  currentPassword?: string;
  code?: string;
}

/** Passes when the session has proved its person of late or the proof is right, or throws an `AppError`. */
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
