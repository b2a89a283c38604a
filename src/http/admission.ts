import type { Actor, Context, Credential, Identity } from "../context.ts";
import { requireScope } from "../context.ts";
import { failedAssertion } from "../db/assert.ts";
import { openDatabase } from "../db/client.ts";
import { type RiddenDatabase, type Rider, withRiders } from "../db/riders.ts";
import { hasWrite, intercept } from "../db/statement.ts";
import type { DataScope } from "../lib/api-key-scopes.ts";
import { assertType } from "../lib/cast.ts";
import { AppError } from "../lib/errors.ts";
import { type KnownIdentities, knownTo } from "./known-identities.ts";

/** The handler took its actor for somebody else, or knew too little about it. Nothing was written or released. */
class WrongActor extends Error {}

export const IS_VALID = "credential_is_valid";

/** One run of the handler. Once it is abandoned, nothing it still does reaches the database. */
interface Attempt {
  isAbandoned: boolean;
  /** Waits for the writes that are under way. True if one was made. */
  hasWritten(): Promise<boolean>;
}

/** What the statements of a handle are for. */
interface Use {
  isBookkeeping: boolean;
}

type Origin = Pick<Context, "config" | "requestId">;
type Handle = Pick<RiddenDatabase, "db" | "hasWritten">;

/**
 * Checks a credential together with the request's own statements: a read and the check are one round trip, and so are
 * a write and the check. Until the credential is known to be valid, no result is released and nothing is written.
 *
 * Until then the actor is presumed to be what the last request with this credential found out, and nothing made from
 * that is released or written before the check has confirmed it. If it is no longer true, or if nothing is known and
 * the handler needs to know, the handler runs once more with the actor that the check has found.
 *
 * When the handler is done, the check is over: what the service does on its own afterwards, such as delivering
 * webhooks, does not depend on the session any more. Bookkeeping depends on it only once: what a request has cost or
 * sent is recorded even if the session ends meanwhile.
 */
export class Admission {
  private readonly credential: Credential;
  private readonly scopes: readonly DataScope[];
  private readonly origin: Origin;
  private readonly known: KnownIdentities;
  private readonly presumed: Identity | undefined;
  /** The account behind the credential was read so recently that a write need only confirm it. */
  private readonly isFresh: boolean;
  private readonly base: Pick<Context, "db" | "irreversibly">;
  private readonly isReplica: boolean;
  private attempt: Attempt;
  private hasUsedPresumed = false;
  private found: Identity | undefined;
  private failure: Error | undefined;
  private asking: Promise<void> | undefined;
  /** The credential was valid at some time of this request. */
  private isAdmitted = false;
  private isOver = false;

  /** Makes the request's database carry the check, and its actor depend on it. */
  constructor(
    ctx: Context,
    credential: Credential,
    scopes: readonly DataScope[],
    { isReplica }: { isReplica: boolean },
  ) {
    this.credential = credential;
    this.scopes = scopes;
    this.origin = { config: ctx.config, requestId: ctx.requestId };
    this.known = knownTo(ctx.config);
    const last = this.known.get(credential.id);
    this.presumed = last?.identity;
    this.isFresh = last?.isFresh === true;
    this.base = { db: ctx.db, irreversibly: ctx.irreversibly };
    this.isReplica = isReplica;
    this.attempt = this.attachTo(ctx);
  }

  private attachTo(ctx: Context): Attempt {
    const attempt: Attempt = { isAbandoned: false, hasWritten: async () => false };
    const own = this.handleOf(attempt, { isBookkeeping: false });
    let books: Handle | undefined;
    const openBooks = () => {
      books ??= this.handleOf(attempt, { isBookkeeping: true });
      return books.db;
    };
    attempt.hasWritten = async () => (await own.hasWritten()) || (await books?.hasWritten()) === true;
    ctx.db = own.db;
    ctx.irreversibly = async (act) => {
      if (this.isChecking(attempt)) await this.settle();
      return this.base.irreversibly(act);
    };
    Object.defineProperties(ctx, {
      // Few requests need it.
      bookkeeping: { get: openBooks, enumerable: true, configurable: true },
      actor: { get: () => this.actor, enumerable: true, configurable: true },
    });
    return attempt;
  }

  private handleOf(attempt: Attempt, use: Use): Handle {
    const { db } = this.base;
    if (!this.isReplica) return withRiders(db, [this.riderOf(attempt, use)]);
    // A replica may not know yet that a credential was revoked, so the primary is asked at the same time.
    return {
      db: intercept(db, (statements, send) => this.beside(attempt, use, hasWrite(statements), send)),
      hasWritten: async () => false,
    };
  }

  /** When the request is over: whoever it was, or nobody if it was refused. */
  fixActorOf(ctx: Context): void {
    const value: Actor = this.found && !this.failure ? this.found.actor : { kind: "anonymous" };
    Object.defineProperty(ctx, "actor", { value, enumerable: true, configurable: true, writable: true });
  }

  /** Runs the handler, and once more if it began with the wrong actor: in a context that `again` takes. */
  async run<Response>(
    ctx: Context,
    handler: () => Promise<Response> | Response,
    again: (ctx: Context) => void,
  ): Promise<Response> {
    try {
      try {
        return await this.checked(handler);
      } catch (error) {
        if (!(this.failure instanceof WrongActor)) throw error;
      }
      again(await this.beginAgain(ctx));
      return await this.checked(handler);
    } finally {
      this.isOver = true;
    }
  }

  /** The handler's outcome, even if it is an error, once the credential is known to be valid. */
  private async checked<Response>(handler: () => Promise<Response> | Response): Promise<Response> {
    let response: Response;
    try {
      response = await handler();
    } catch (error) {
      await this.settle();
      throw error;
    }
    await this.settle();
    return response;
  }

  private async beginAgain(ctx: Context): Promise<Context> {
    this.attempt.isAbandoned = true;
    if (await this.attempt.hasWritten()) {
      const detail =
        "The account changed while the request ran, and a part of the request is done. Check what is there.";
      throw this.fail(new AppError("conflict", detail));
    }
    this.failure = undefined;
    await this.settle();
    // A context of its own: parts of the first run that have not ended yet keep the one that leads nowhere.
    const fresh = { ...ctx };
    this.attempt = this.attachTo(fresh);
    return fresh;
  }

  /** Throws unless the credential is valid and the actor was not taken for somebody else. */
  async settle(): Promise<void> {
    if (this.failure) throw this.failure;
    if (this.found) return;
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    await this.asking;
  }

  private async ask(): Promise<void> {
    this.identify(await rowOf(this.origin, this.credential));
  }

  /** Whether a statement of this attempt still has to prove the credential. Throws when it may not be sent at all. */
  private isChecking(attempt: Attempt, { isBookkeeping }: Use = { isBookkeeping: false }): boolean {
    if (attempt.isAbandoned) throw new WrongActor();
    if (isBookkeeping && this.isAdmitted && !(this.failure instanceof WrongActor)) return false;
    // Also after the response: parts of a refused handler may still be under way.
    if (this.failure) throw this.failure;
    return !(this.isOver && this.isAdmitted);
  }

  /** Releases the results of a call once the primary has confirmed the credential. A write waits for that. */
  private async beside<Result>(
    attempt: Attempt,
    use: Use,
    isWrite: boolean,
    send: () => Promise<Result>,
  ): Promise<Result> {
    if (!this.isChecking(attempt, use)) return send();
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

  /** Of a credential that nothing is known about, only the kind can be told before the database has answered. */
  private unknownActor(): Actor {
    const { kind } = this.credential;
    const member = (name: string) => ({
      get: () => {
        if (!this.found) throw this.fail(new WrongActor());
        return assertType<Record<string, unknown>>(this.found.actor)[name];
      },
      enumerable: true,
    });
    const detail = { session: "session", api_key: "key", grant: "grant" }[kind];
    return Object.defineProperties(assertType<Actor>({ kind }), { user: member("user"), [detail]: member(detail) });
  }

  private riderOf(attempt: Attempt, use: Use): Rider {
    return {
      statements: (db, { isWrite }) => {
        if (!this.isChecking(attempt, use)) return [];
        const isKnown = this.found !== undefined || (isWrite && this.isFresh);
        return isKnown ? [] : [this.credential.select(db)];
      },
      assertion: () => (this.isChecking(attempt, use) ? this.assertion() : null),
      inspect: ([row], { isWrite }) => {
        if (this.found) return;
        if (row) this.identify(row.results[0]);
        // The assertion has held, and it says that the account is the presumed one.
        else if (isWrite && this.presumed) this.admit(this.presumed);
      },
      refusal: (error) => this.refusal(error),
    };
  }

  /** On every write of the handler: the credential may be revoked between two of them. */
  private assertion() {
    // Of a credential that was checked already, the account may change: the request began with what was true then.
    return { name: IS_VALID, ...this.credential.isValid(this.scopes, this.found ? undefined : this.presumed) };
  }

  /** After an undone write: either the credential is no longer valid, or the presumed actor has changed. */
  private async refusal(error: unknown): Promise<Error | null> {
    if (failedAssertion(error)?.assertion !== IS_VALID) return null;
    if (this.failure) return this.failure;
    const wasFound = this.found !== undefined;
    await this.ask();
    return this.fail(
      wasFound ? new AppError("unavailable", "The session changed meanwhile. Try again.") : new WrongActor(),
    );
  }

  private identify(row: Record<string, unknown> | undefined): void {
    const identity = this.identityOf(row);
    this.known.set(this.credential.id, identity);
    const isWrong = !this.isAdmitted && this.hasUsedPresumed && !isSame(identity, this.presumed);
    this.admit(identity);
    if (isWrong) throw this.fail(new WrongActor());
  }

  private admit(identity: Identity): void {
    this.found = identity;
    this.isAdmitted = true;
  }

  private identityOf(row: Record<string, unknown> | undefined): Identity {
    try {
      const identity = this.credential.identify(row);
      requireScope(identity.actor, this.scopes);
      return identity;
    } catch (error) {
      this.known.delete(this.credential.id);
      throw error instanceof Error ? this.fail(error) : error;
    }
  }

  /** Fails the request, unless its outcome is already decided. */
  private fail<Failure extends Error>(error: Failure): Failure {
    if (!this.isOver) this.failure = error;
    return error;
  }
}

/** Always from the primary database: only that knows about a revocation at once. */
async function rowOf(origin: Origin, credential: Credential): Promise<Record<string, unknown> | undefined> {
  const { results } = await credential.select(openDatabase(origin)).all<Record<string, unknown>>();
  return results[0];
}

/** The actor behind a credential. Throws a 401 `AppError` if it is not valid. */
export async function actorBehind(ctx: Context, credential: Credential): Promise<Actor> {
  return credential.identify(await rowOf(ctx, credential)).actor;
}

function isSame(a: Identity, b: Identity | undefined): boolean {
  return a.facts.every((fact, index) => fact === b?.facts[index]);
}
