import type { Config } from "../config.ts";
import type { Actor, Context, Credential, Identity } from "../context.ts";
import { requireScope } from "../context.ts";
import { failedAssertion } from "../db/assert.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { type Call, intercept } from "../db/intercept.ts";
import { type Result, type Rider, withRiders } from "../db/riders.ts";
import type { DataScope } from "../lib/api-key-scopes.ts";
import { assertType } from "../lib/cast.ts";

/** Begin the request again: it took its actor for somebody else. Nothing was written or released. */
class WrongActor extends Error {}

const MAX_ATTEMPTS = 3;
const IS_VALID = "credential_is_valid";

/**
 * Checks a credential together with the request's own statements: a read and the check are one round trip, and so are
 * a write and the check. Until the credential is known to be valid, no result is released and nothing is written.
 *
 * Until then the actor is taken to be what the last request with this credential found out. The check covers that, too:
 * if it is no longer true, the request begins again with the actor as it is.
 */
export class Admission implements Rider {
  private readonly credential: Credential;
  private readonly scope: DataScope;
  private readonly config: Config;
  private readonly known: Map<string, Identity>;
  private readonly presumed: Identity | undefined;
  private hasUsedPresumed = false;
  private found: Identity | undefined;
  private failure: Error | undefined;

  constructor(config: Config, credential: Credential, scope: DataScope) {
    this.credential = credential;
    this.scope = scope;
    this.config = config;
    this.known = knownTo(config);
    this.presumed = this.known.get(credential.id);
  }

  /** Makes the request's database carry the check, and its actor depend on it. */
  attachTo(ctx: Context, { isReplica }: { isReplica: boolean }): void {
    const { db } = ctx;
    // A replica may not know yet that a credential was revoked, so the primary is asked at the same time.
    ctx.db = isReplica ? intercept(db, (call, send) => this.beside(call, send)) : withRiders(db, [this]).db;
    ctx.bookkeeping = ctx.db;
    Object.defineProperty(ctx, "actor", { get: () => this.actor, enumerable: true, configurable: true });
  }

  /** When the request is over: whoever it was, or nobody if it was refused. */
  fixActorOf(ctx: Context): void {
    const value: Actor = this.found && !this.failure ? this.found.actor : { kind: "anonymous" };
    Object.defineProperty(ctx, "actor", { value, enumerable: true, configurable: true, writable: true });
  }

  /** Runs the handler, and again if it began with the wrong actor. */
  async run<Response>(handler: () => Promise<Response> | Response): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await handler();
        await this.settle();
        return response;
      } catch (error) {
        if (!(this.failure instanceof WrongActor) || attempt === MAX_ATTEMPTS) throw error;
      }
      this.failure = undefined;
      this.hasUsedPresumed = false;
      await this.settle();
    }
  }

  /** Throws unless the credential is valid and the actor was not taken for somebody else. */
  async settle(): Promise<void> {
    if (this.failure) throw this.failure;
    if (!this.found) this.identify(await rowOf(this.config, this.credential));
  }

  /** Releases the results of a call once the primary has confirmed the credential. A write waits for that. */
  private async beside<Result>({ isWrite }: Call, send: () => Promise<Result>): Promise<Result> {
    if (isWrite) await this.settle();
    const [result] = await Promise.all([send(), this.settle()]);
    return result;
  }

  private get actor(): Actor {
    if (this.found) return this.found.actor;
    if (!this.presumed) return this.unknownActor();
    this.hasUsedPresumed = true;
    return this.presumed.actor;
  }

  /** Of a credential that nothing is known about, only the kind can be told without the database. */
  private unknownActor(): Actor {
    const refuse = () => {
      throw this.fail(new WrongActor());
    };
    const unknown = { get: refuse, enumerable: true };
    return Object.defineProperties(assertType<Actor>({ kind: this.credential.kind }), {
      user: unknown,
      [this.credential.kind === "session" ? "session" : "key"]: unknown,
    });
  }

  statements(db: Database, { isWrite }: { isWrite: boolean }): D1PreparedStatement[] {
    const check = this.found ? [] : [this.credential.select(db)];
    return isWrite ? [...check, this.assertion(db)] : check;
  }

  /** On every write of the request: the credential may be revoked between two of them. */
  private assertion({ $client }: Database): D1PreparedStatement {
    const identity = this.found ?? (this.hasUsedPresumed ? this.presumed : undefined);
    const { sql, values } = this.credential.isValid(this.scope, identity);
    return $client.prepare(`INSERT INTO assertions (name) SELECT '${IS_VALID}' WHERE NOT (${sql})`).bind(...values);
  }

  inspect([check]: readonly Result[]): void {
    if (!this.found && check) this.identify(check.results[0]);
  }

  /** After an undone write: either the credential is no longer valid, or the actor has changed. */
  async refusal(error: unknown): Promise<Error | null> {
    if (failedAssertion(error)?.assertion !== IS_VALID) return null;
    this.found = undefined;
    this.failure = undefined;
    await this.settle();
    return this.fail(new WrongActor());
  }

  private identify(row: Record<string, unknown> | undefined): void {
    const identity = this.identityOf(row);
    this.found = identity;
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(this.credential.id, identity);
    if (this.hasUsedPresumed && !isSame(identity, this.presumed)) throw this.fail(new WrongActor());
  }

  private identityOf(row: Record<string, unknown> | undefined): Identity {
    try {
      const identity = this.credential.identify(row);
      requireScope(identity.actor, this.scope);
      return identity;
    } catch (error) {
      throw error instanceof Error ? this.fail(error) : error;
    }
  }

  private fail(error: Error): Error {
    this.failure = error;
    return error;
  }
}

/** Always from the primary database: only that knows about a revocation at once. */
async function rowOf(config: Config, credential: Credential): Promise<Record<string, unknown> | undefined> {
  const { results } = await credential.select(openDatabase(config)).all<Record<string, unknown>>();
  return results[0];
}

/** The actor behind a credential. Throws a 401 `AppError` if it is not valid. */
export async function actorBehind({ config }: Context, credential: Credential): Promise<Actor> {
  return credential.identify(await rowOf(config, credential)).actor;
}

function isSame(a: Identity, b: Identity | undefined): boolean {
  return JSON.stringify(a.facts) === JSON.stringify(b?.facts);
}

const MAX_KNOWN = 1000;
const identities = new WeakMap<Config, Map<string, Identity>>();

/** What this isolate has found out about credentials. No request relies on it without checking it. */
function knownTo(config: Config): Map<string, Identity> {
  let known = identities.get(config);
  if (!known) {
    known = new Map();
    identities.set(config, known);
  }
  return known;
}
