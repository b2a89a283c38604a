import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { clientNetwork } from "./lib/client-network.ts";
import { AppError } from "./lib/errors.ts";
import { allows, type DataScope } from "./lib/scopes.ts";
import { errorFields, log } from "./log.ts";

export type Role = "owner" | "member";

/** The person behind a credential, as the session check reads them. */
export interface Account {
  id: number;
  email: string;
  name: string;
  role: Role;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
  timeZone: string;
  createdAt: Date;
}

/** Who asks. Resolved from the credential by the route's guard, never from the body. */
export type Actor =
  | { kind: "anonymous" }
  | { kind: "system" }
  | { kind: "session"; user: Account; session: { id: string; createdAt: Date; expiresAt: Date; provedAt: Date } }
  | { kind: "api_key"; user: Account; key: { id: number; scopes: readonly string[] } };

/** Everything a service may know of the world. */
export interface Context {
  db: Database;
  /**
   * For writes that are not what the request is for and stay when it fails: what a model call cost, a wrong password.
   * With an `Idempotency-Key`, a write through `db` uses the key up; one through this handle does not.
   */
  bookkeeping: Database;
  config: Config;
  actor: Actor;
  now: Date;
  requestId: string;
  /** Where this service is reached, for links in mail and feeds. */
  baseUrl: string;
  client: { ip: string; userAgent: string | null };
  /** Aborts when whoever asked goes away; null when nobody waits. */
  signal: AbortSignal | null;
  /**
   * Does what the database cannot undo, such as sending an email. With an `Idempotency-Key`, that it may have been done
   * is recorded first, so that no repeated request does it again. `act` must have done nothing when it throws.
   */
  irreversibly<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Work that may finish after the answer has left. */
  defer(work: Promise<unknown>): void;
  /** Work that begins when all other deferred work is done, whatever came of that. */
  deferLast(work: () => Promise<unknown>): void;
}

/** The zone a signed-in person lives by: what times are read and days are counted in, unless a request says otherwise. */
export function timeZoneOf({ actor }: Pick<Context, "actor">): string {
  return actor.kind === "session" || actor.kind === "api_key" ? actor.user.timeZone : "UTC";
}

/** The session that asks, and whose it is; for verbs that only a signed-in person can call. */
export function signedInSession(ctx: Context) {
  if (ctx.actor.kind !== "session") throw new AppError("forbidden", "Sign in to do this.");
  return ctx.actor;
}

export function signedInUser(ctx: Context): Account {
  return signedInSession(ctx).user;
}

/** The owner whose session asks; for what only the owner may decide, and no API key. */
export function signedInOwner(ctx: Context): Account {
  const user = signedInUser(ctx);
  if (user.role !== "owner") throw new AppError("forbidden", "Only the owner may do this.");
  return user;
}

/** What one endpoint refuses an API key, no other gives it: chat and whatever reads a stored mail ask here. */
export function requireScopes({ config, actor }: Context, scopes: readonly DataScope[]): void {
  if (config.ACCESS_MODE === "open" || actor.kind !== "api_key") return;
  const missing = scopes.find((scope) => !allows(actor.key.scopes, scope));
  if (missing) throw new AppError("insufficient_scope", `The API key may not do that: it needs the scope ${missing}.`);
}

/** The same context with `bookkeeping` as its database, for verbs that do nothing else. */
export function forBookkeeping(ctx: Context): Context {
  return { ...ctx, db: ctx.bookkeeping };
}

/** `auth`: sign-in endpoints. `expensive`: open endpoints that cost money or much work. */
export type RateLimitName = "auth" | "expensive";

const RATE_LIMITERS = { auth: "RATE_LIMITER_AUTH", expensive: "RATE_LIMITER_EXPENSIVE" } as const;

/** Counts a call of this client against a rate limit. True while it is below, or where no limiter is bound. */
export async function withinRate({ config, client }: Context, name: RateLimitName): Promise<boolean> {
  const limiter = config.bindings[RATE_LIMITERS[name]];
  return !limiter || (await limiter.limit({ key: clientNetwork(client.ip) })).success;
}

/** Lets work go on after the answer. Its failure is logged without the values that database errors carry. */
export function deferrer(
  execution: Pick<ExecutionContext, "waitUntil">,
  requestId: string,
): Pick<Context, "defer" | "deferLast"> {
  const running: Promise<unknown>[] = [];
  const guard = (work: Promise<unknown>) =>
    work.catch((error) => log("error", "deferred_work_failed", { requestId, ...errorFields(error) }));
  const lastly = async (work: () => Promise<unknown>) => {
    // Deferred work may defer more.
    for (let next = running.shift(); next; next = running.shift()) await next;
    await work();
  };
  return {
    defer(work) {
      const guarded = guard(work);
      running.push(guarded);
      execution.waitUntil(guarded);
    },
    deferLast: (work) => execution.waitUntil(guard(lastly(work))),
  };
}

/** The context of work that no request asked for: cron jobs and inbound mail. */
export function systemContext(config: Config, execution: Pick<ExecutionContext, "waitUntil">): Context {
  const requestId = crypto.randomUUID();
  const db = openDatabase(config);
  return {
    db,
    bookkeeping: db,
    config,
    actor: { kind: "system" },
    now: new Date(),
    requestId,
    baseUrl: config.PUBLIC_URL ?? "http://localhost:8787",
    client: { ip: "system", userAgent: null },
    signal: null,
    irreversibly: (act) => act(),
    ...deferrer(execution, requestId),
  };
}
