import type { Actor, Context, Credential, Identity } from "../../context.ts";
import { requireScope } from "../../context.ts";
import { failedAssertion } from "../../db/assert.ts";
import { openDatabase } from "../../db/client.ts";
import type { DataScope } from "../../lib/api-key-scopes.ts";
import { AppError } from "../../lib/errors.ts";
import type { Presumption } from "./presume.ts";

/** The handler took its actor for somebody else, or knew too little about it. Nothing was written or released. */
export class WrongActor extends Error {}

export const IS_VALID = "credential_is_valid";

type Row = Record<string, unknown> | undefined;
type Origin = Pick<Context, "config" | "requestId">;

/** What the database says about the credential of a request, and what becomes of the request because of it. */
export class Check {
  private readonly origin: Origin;
  private readonly credential: Credential;
  private readonly scopes: readonly DataScope[];
  private readonly presumption: Presumption;
  private asking: Promise<void> | undefined;
  private isOver = false;
  /** Who is behind the credential. */
  found: Identity | undefined;
  /** Why nothing of the handler is sent or released any more. */
  failure: Error | undefined;
  /** The credential was valid at some time of this request. */
  isAdmitted = false;

  constructor(ctx: Context, credential: Credential, scopes: readonly DataScope[], presumption: Presumption) {
    this.origin = { config: ctx.config, requestId: ctx.requestId };
    this.credential = credential;
    this.scopes = scopes;
    this.presumption = presumption;
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

  /** The outcome of the request is decided: nothing that fails later changes it. */
  close(): void {
    this.isOver = true;
  }

  /** Whether a statement still has to prove the credential. Throws when it may not be sent at all. */
  isNeeded({ isBookkeeping }: { isBookkeeping: boolean }): boolean {
    if (isBookkeeping && this.isAdmitted && !(this.failure instanceof WrongActor)) return false;
    // Also after the response: parts of a refused handler may still be under way.
    if (this.failure) throw this.failure;
    return !(this.isOver && this.isAdmitted);
  }

  /** The statements that find out who is behind the credential. None where that is known, or a write need only confirm it. */
  statements(db: Context["db"], isWrite: boolean): D1PreparedStatement[] {
    const isKnown = this.found !== undefined || (isWrite && this.presumption.isFresh);
    return isKnown ? [] : [this.credential.select(db)];
  }

  /** On every write of the handler: the credential may be revoked between two of them. */
  assertion() {
    // Of a credential that was checked already, the account may change: the request began with what was true then.
    const presumed = this.found ? undefined : this.presumption.identity;
    return { name: IS_VALID, ...this.credential.isValid(this.scopes, presumed) };
  }

  /** Reads what a batch has returned for `statements`. Throws to withhold the rest. */
  read(row: Row | null, isWrite: boolean): void {
    if (this.found) return;
    if (row !== null) this.identify(row);
    // The assertion has held, and it says that the account is the presumed one.
    else if (isWrite && this.presumption.identity) this.admit(this.presumption.identity);
  }

  /** After an undone write: either the credential is no longer valid, or the presumed actor has changed. */
  async refusal(error: unknown): Promise<Error | null> {
    if (failedAssertion(error)?.assertion !== IS_VALID) return null;
    if (this.failure) return this.failure;
    const wasFound = this.found !== undefined;
    await this.ask();
    return this.fail(
      wasFound ? new AppError("unavailable", "The session changed meanwhile. Try again.") : new WrongActor(),
    );
  }

  /** Fails the request, unless its outcome is already decided. */
  fail<Failure extends Error>(error: Failure): Failure {
    if (!this.isOver) this.failure = error;
    return error;
  }

  private async ask(): Promise<void> {
    this.identify(await rowOf(this.origin, this.credential));
  }

  private identify(row: Row): void {
    const identity = this.identityOf(row);
    this.presumption.learn(identity);
    const isWrong = !this.isAdmitted && this.presumption.isRefutedBy(identity);
    this.admit(identity);
    if (isWrong) throw this.fail(new WrongActor());
  }

  private identityOf(row: Row): Identity {
    try {
      const identity = this.credential.identify(row);
      requireScope(identity.actor, this.scopes);
      return identity;
    } catch (error) {
      this.presumption.forget();
      throw error instanceof Error ? this.fail(error) : error;
    }
  }

  private admit(identity: Identity): void {
    this.found = identity;
    this.isAdmitted = true;
  }
}

/** Always from the primary database: only that knows about a revocation at once. */
async function rowOf(origin: Origin, credential: Credential): Promise<Row> {
  const { results } = await credential.select(openDatabase(origin)).all<Record<string, unknown>>();
  return results[0];
}

/** The actor behind a credential. Throws a 401 `AppError` if it is not valid. */
export async function actorBehind(ctx: Context, credential: Credential): Promise<Actor> {
  return credential.identify(await rowOf(ctx, credential)).actor;
}
