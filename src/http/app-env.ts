import type { z } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Env } from "../config.ts";
import type { Context, Credential } from "../context.ts";
import type { Rider } from "../db/riders.ts";
import type { Admission } from "./admission/admission.ts";

/** The `Authorization` header, or the cookie of the console's session. */
export type CredentialSource = "header" | "cookie";

/** Reads a credential, or throws a 401 `AppError` if its form or signature is wrong. Default source: the header. */
export type ReadCredential = (ctx: Context, credential: string, source?: CredentialSource) => Promise<Credential>;

/** The body members that confirm who sends a sensitive request. */
export interface Reauthentication {
  currentPassword?: string;
  code?: string;
}

/**
 * Throws an `AppError` when a credential is wrong, or when one is missing that is needed: `always`, or because the
 * session was not reauthenticated recently. Returns what makes the writes of the request depend on it.
 */
export type Reauthenticate = (
  ctx: Context,
  credentials: Reauthentication,
  /** `action` says what the person is asked to confirm. */
  when: { always: boolean; action?: string },
) => Promise<Rider>;

export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: Context;
    readCredential: ReadCredential;
    /** The check of the credential, while it may travel with the first statement of the request. */
    admission?: Admission;
    /** The credential of a request that was checked before its handler began. */
    credential?: Credential;
    /** The condition of the handler's writes, where the credential was checked first. */
    riders?: readonly Rider[];
    reauthenticate: Reauthenticate;
    /** Finds members and parameters that the route does not declare, for checks that run before the input is validated. */
    unknownIn?: (query: unknown, body: unknown) => z.core.$ZodIssue[];
    /** Whether the request's database may be a replica. */
    readsReplica?: true;
    /** No endpoint has this path, so the request is not logged. */
    isUnknownPath?: true;
    /** Security headers of a page that differ from the usual ones. */
    securityHeaders?: Readonly<Record<string, string>>;
    /** Set by a GET that may write. */
    writes?: true;
  };
}

export function contextOf(c: HonoContext<AppEnv>): Context {
  return c.get("context");
}
