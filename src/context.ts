import type { Config } from "./config.ts";
import { type Database, openDatabase } from "./db/client.ts";
import { hubBell, withHints } from "./db/hints.ts";
import type { ProposalRule } from "./lib/agent-rules.ts";
import { allows, type DataScope } from "./lib/api-key-scopes.ts";
import { clientNetwork } from "./lib/client-network.ts";
import { AppError } from "./lib/errors.ts";
import type { Lane, QueueMessage, SendOptions } from "./lib/queue-messages.ts";
import { errorFields, log } from "./log.ts";

export type Role = "owner" | "member";

/** The account a credential belongs to. */
export interface Account {
  id: number;
  email: string;
  name: string;
  role: Role;
  emailVerified: boolean;
  twoFactorEnabled: boolean;
  timeZone: string;
  /** Locale, clock and week start of the person, as JSON: `readingFor` reads it. */
  habits: string | null;
  createdAt: Date;
}

/** Who makes the request: resolved from the credential by the route's guard, never from the body. */
export type Actor =
  | { kind: "anonymous" }
  | { kind: "system" }
  | { kind: "session"; user: Account; session: { id: string; createdAt: Date; expiresAt: Date; provedAt: Date | null } }
  | { kind: "api_key"; user: Account; key: { id: number; scopes: readonly string[]; connection?: Connection } }
  /** An agent that the person has connected. */
  | { kind: "grant"; user: Account; grant: { id: string; scopes: readonly string[]; connection: Connection } };

/** An agent's connection, by a grant or an API key. */
export interface Connection {
  /** The client's name, or that of the key. */
  name: string;
  rule: ProposalRule;
  /** When text by other people was last handed out. */
  outsideAt: Date | null;
}

/** A condition in SQL, with the values of its `?`. */
export interface Condition {
  sql: string;
  values: readonly unknown[];
}

/** The stored state of a credential. */
export interface Identity {
  actor: Actor;
  /** The columns that the actor is made from. */
  facts: readonly unknown[];
}

/** A credential whose form and signature are right. Whether it is valid, only the database knows. */
export interface Credential {
  kind: "session" | "api_key" | "grant";
  /** The same for every request with this credential. */
  id: string;
  /** Selects the row behind it, if it is valid at that time. Default: when the request began. */
  select(db: Database, at?: Date): D1PreparedStatement;
  /** Reads that row. Throws a 401 `AppError` if it is missing. */
  identify(row: Record<string, unknown> | undefined): Identity;
  /** Holds while the credential is valid, allows one of the scopes and, if one is given, has this identity. */
  isValid(scopes: readonly DataScope[], identity: Identity | undefined): Condition;
}

/** The context of every service function. */
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
  /** The address of this service, for links in emails and feeds. */
  baseUrl: string;
  client: { ip: string; userAgent: string | null };
  /** Set while a proposal is applied: a person agreed to the change, but did not choose its words. */
  relaysOutsideWords?: true;
  /** Set where a person reads or exports their own emails: everywhere else sign-in codes and links are withheld. */
  showsSignIn?: true;
  /** Set where a person searches without a model: such emails are found, and their text is withheld as ever. */
  findsSignIn?: true;
  /** Aborts when the client disconnects; null where there is no client. */
  signal: AbortSignal | null;
  /**
   * Does what the database cannot undo, such as sending an email. With an `Idempotency-Key`, that it may have been done
   * is recorded first, so that no repeated request does it again. `act` must have done nothing when it throws.
   */
  irreversibly<Result>(act: () => Promise<Result>): Promise<Result>;
  /**
   * Tells live clients that there may be something new, and returns at once. Every write through `db` does that by
   * itself: only work that writes around it has to call this.
   */
  wakeLive(): void;
  /** Work that may finish after the response is sent. */
  defer(work: Promise<unknown>): void;
  /** Work that starts when all other deferred work has finished or failed. */
  deferLast(work: () => Promise<unknown>): void;
  /**
   * Hands work to the queue. Call it after the commit of what the work is about, and do not wait for it in a request.
   * Resolves to false if a message could not be sent; never rejects. Then the cron must find the work in the database.
   */
  enqueue(messages: readonly QueueMessage[], options?: SendOptions): Promise<boolean>;
}

/** The signed-in person's time zone: the default for reading times and counting days. */
export function timeZoneOf({ actor }: Pick<Context, "actor">): string {
  return "user" in actor ? actor.user.timeZone : "UTC";
}

/** The session of the request, for functions that only a signed-in person can call. */
export function signedInSession(ctx: Context) {
  if (ctx.actor.kind !== "session") throw new AppError("forbidden", "Sign in to do this.");
  return ctx.actor;
}

export function signedInUser(ctx: Context): Account {
  return signedInSession(ctx).user;
}

/** The signed-in owner, for decisions that no API key may make. */
export function signedInOwner(ctx: Context): Account {
  const user = signedInUser(ctx);
  if (user.role !== "owner") throw new AppError("forbidden", "Only the owner may do this.");
  return user;
}

/** The scopes of a program's credential. Null: everything that the person may do. */
export function scopesOf(actor: Actor): readonly string[] | null {
  if (actor.kind === "api_key") return actor.key.scopes;
  return actor.kind === "grant" ? actor.grant.scopes : null;
}

function credentialName({ kind }: Actor): string {
  return kind === "grant" ? "The connection" : "The API key";
}

/** Whether the credential allows one of the scopes. */
export function hasScope(actor: Actor, scopes: readonly DataScope[]): boolean {
  const granted = scopesOf(actor);
  return !granted || scopes.some((scope) => allows(granted, scope));
}

/** A program needs one of the scopes. */
export function requireScope(actor: Actor, scopes: readonly DataScope[]): void {
  if (hasScope(actor, scopes)) return;
  const names = scopes.map((scope) => `\`${scope}\``).join(", ");
  const needed = scopes.length === 1 ? `the scope ${names}` : `one of the scopes ${names}`;
  throw new AppError("insufficient_scope", `${credentialName(actor)} needs ${needed}.`);
}

/**
 * Every function that reads a stored record to show it, quote it, send it on or make another of it checks the scope of
 * its kind here, so that no endpoint is a way around another. After the read, which has also identified the caller.
 */
export function requireScopes({ actor }: Context, scopes: readonly DataScope[]): void {
  const granted = scopesOf(actor);
  const missing = granted && scopes.find((scope) => !allows(granted, scope));
  if (missing) throw lacksScope(actor, missing);
}

/** The refusal of a program that needs another scope. */
export function lacksScope(actor: Actor, scope: DataScope): AppError {
  return new AppError("insufficient_scope", `${credentialName(actor)} may not do that: it needs the scope ${scope}.`);
}

/** Whether a person makes the request: signed in or, in open mode, without a credential. API keys and jobs are not. */
export function isPerson({ actor, config }: Pick<Context, "actor" | "config">): boolean {
  if (actor.kind === "anonymous") return config.ACCESS_MODE === "open";
  return actor.kind === "session";
}

/** Whether the words that this request writes are a person's own. Records with any other words are marked `outside`. */
export function hasOwnWords(ctx: Context): boolean {
  return isPerson(ctx) && !ctx.relaysOutsideWords;
}

/** The same context for a change whose words a person confirmed or passed on, but did not write. */
export function relayingOutsideWords(ctx: Context): Context {
  return { ...ctx, relaysOutsideWords: true };
}

/**
 * The same context for a record that is made of words of others: it takes over their mark. Whatever copies words from
 * one record into another writes with this one.
 */
export function copying(ctx: Context, ...sources: readonly { outside: boolean }[]): Context {
  return sources.some(({ outside }) => outside) ? relayingOutsideWords(ctx) : ctx;
}

/**
 * The same context for a person who reads their own emails. A copy, because what the service does after the request,
 * such as rendering webhooks, must not have it. Its members are not read: the actor may not be known yet.
 */
export function showingSignIn(ctx: Context): Context {
  return marked(ctx, "showsSignIn");
}

/** The same context for a person whose words the built-in assistant looks for. */
export function findingSignIn(ctx: Context): Context {
  return isPerson(ctx) ? marked(ctx, "findsSignIn") : ctx;
}

function marked(ctx: Context, name: "showsSignIn" | "findsSignIn"): Context {
  const members = Object.getOwnPropertyDescriptors(ctx);
  return Object.create(null, { ...members, [name]: { value: true, enumerable: true } });
}

/** The same context with `bookkeeping` as its database, for verbs that do nothing else. */
export function forBookkeeping(ctx: Context): Context {
  return { ...ctx, db: ctx.bookkeeping };
}

const RATE_LIMITERS = {
  /** Sign-in endpoints. */
  auth: "RATE_LIMITER_AUTH",
  /** Endpoints that cost money or much work. */
  expensive: "RATE_LIMITER_EXPENSIVE",
  /** For calls without an account: incoming webhooks and the calendar feed. */
  public: "RATE_LIMITER_PUBLIC",
} as const;

export type RateLimitName = keyof typeof RATE_LIMITERS;

/** Counts a request of this client. False when it exceeds the rate limit; always true where no limiter is bound. */
export async function withinRate({ config, client }: Context, name: RateLimitName): Promise<boolean> {
  const limiter = config.bindings[RATE_LIMITERS[name]];
  return !limiter || (await limiter.limit({ key: clientNetwork(client.ip) })).success;
}

/** The parts of a context that work after the response needs. */
export function background(
  config: Config,
  execution: Pick<ExecutionContext, "waitUntil">,
  requestId: string,
): Pick<Context, "defer" | "deferLast" | "enqueue"> {
  const running: Promise<unknown>[] = [];
  const guard = (work: Promise<unknown>) =>
    work.catch((error) => log("error", "deferred_work_failed", { requestId, ...errorFields(error) }));
  const lastly = async (work: () => Promise<unknown>) => {
    // A deferred task may itself defer another one.
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
    enqueue(messages, options) {
      const sending = send(config, requestId, messages, options);
      execution.waitUntil(sending);
      return sending;
    },
  };
}

const LANES = { jobs: "JOBS", retries: "RETRIES" } as const satisfies Record<Lane, string>;
/** Limits of the platform. */
const MESSAGES_A_SEND = 100;
const MAX_DELAY_SECONDS = 24 * 60 * 60;

async function send(
  { bindings }: Config,
  requestId: string,
  messages: readonly QueueMessage[],
  { lane = "jobs", delaySeconds = 0 }: SendOptions = {},
): Promise<boolean> {
  const queue = bindings[LANES[lane]];
  if (!queue) return false;
  const delay = Math.min(Math.max(0, Math.ceil(delaySeconds)), MAX_DELAY_SECONDS);
  for (let at = 0; at < messages.length; at += MESSAGES_A_SEND) {
    const part = messages.slice(at, at + MESSAGES_A_SEND).map((body) => ({ body, contentType: "json" as const }));
    try {
      await queue.sendBatch(part, { delaySeconds: delay });
    } catch (error) {
      log("warn", "queue_send_failed", { lane, unsent: messages.length - at, requestId, ...errorFields(error) });
      return false;
    }
  }
  return true;
}

/** The context of work without a request: cron jobs, queue messages and inbound email. */
export function systemContext(config: Config, execution: Pick<ExecutionContext, "waitUntil">): Context {
  const requestId = crypto.randomUUID();
  const wakeLive = hubBell(config, execution);
  const db = withHints(openDatabase({ config, requestId }), wakeLive);
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
    wakeLive,
    ...background(config, execution, requestId),
  };
}
