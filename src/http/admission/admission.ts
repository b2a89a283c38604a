import type { Actor, Context, Credential } from "../../context.ts";
import { hasWrite, intercept } from "../../db/client.ts";
import { type RiddenDatabase, type Rider, withRiders } from "../../db/riders.ts";
import type { DataScope } from "../../lib/api-key-scopes.ts";
import { AppError } from "../../lib/errors.ts";
import { Check, WrongActor } from "./check.ts";
import { Presumption } from "./presume.ts";

/*
 * Checks a credential together with the request's own statements: a read and the check are one round trip, and so are
 * a write and the check. Until the credential is known to be valid, no result is released and nothing is written.
 *
 *   presume.ts   who the actor is taken for until the check: whoever the last request with this credential has found
 *   check.ts     asks the database who it is, and decides what becomes of the request
 *   here         runs the handler, each time with statements that carry the check, and again if its actor was wrong
 *
 *   unchecked ──┬─ valid, and nobody else was presumed ──────────────▶ admitted
 *               ├─ valid, but the handler has used another actor ────▶ wrong actor
 *               ├─ the handler needs an actor that is not known ─────▶ wrong actor
 *               └─ not valid, or a scope is missing ─────────────────▶ refused (401, 403)
 *
 *   wrong actor ┬─ the run has written nothing: it is abandoned, and ▶ unchecked, with the actor that was found
 *               └─ a part of it has written ─────────────────────────▶ refused (409)
 *
 *   admitted ───┬─ each write asserts that the credential is valid; if it no longer is, nothing is written
 *               │                                                   ─▶ refused (401, 403, 503)
 *               └─ the handler has ended ────────────────────────────▶ over: its statements go without a check
 *
 * What the service does on its own afterwards, such as delivering webhooks, does not depend on the session any more.
 * Bookkeeping depends on it only once: what a request has cost or sent is recorded even if the session ends meanwhile.
 */
export class Admission {
  private readonly check: Check;
  private readonly start: Start;
  private attempt: Attempt;

  /** Makes the request's database carry the check, and its actor depend on it. */
  constructor(
    ctx: Context,
    credential: Credential,
    scopes: readonly DataScope[],
    { isReplica }: { isReplica: boolean },
  ) {
    const presumption = new Presumption(ctx.config, credential);
    this.check = new Check(ctx, credential, scopes, presumption);
    const base = { db: ctx.db, irreversibly: ctx.irreversibly };
    this.start = { check: this.check, presumption, base, isReplica };
    this.attempt = new Attempt(ctx, this.start);
  }

  /** Throws unless the credential is valid and the actor was not taken for somebody else. */
  settle(): Promise<void> {
    return this.check.settle();
  }

  /** When the request is over: whoever it was, or nobody if it was refused. */
  fixActorOf(ctx: Context): void {
    const { found, failure } = this.check;
    const value: Actor = found && !failure ? found.actor : { kind: "anonymous" };
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
        if (!(this.check.failure instanceof WrongActor)) throw error;
      }
      again(await this.beginAgain(ctx));
      return await this.checked(handler);
    } finally {
      this.check.close();
    }
  }

  /** The handler's outcome, even if it is an error, once the credential is known to be valid. */
  private async checked<Response>(handler: () => Promise<Response> | Response): Promise<Response> {
    let response: Response;
    try {
      response = await handler();
    } catch (error) {
      await this.check.settle();
      throw error;
    }
    await this.check.settle();
    return response;
  }

  private async beginAgain(ctx: Context): Promise<Context> {
    if (await this.attempt.abandon()) {
      const detail =
        "The account changed while the request ran, and a part of the request is done. Check what is there.";
      throw this.check.fail(new AppError("conflict", detail));
    }
    this.check.failure = undefined;
    await this.check.settle();
    // A context of its own: parts of the first run that have not ended yet keep the one that leads nowhere.
    const fresh = { ...ctx };
    this.attempt = new Attempt(fresh, this.start);
    return fresh;
  }
}

/** What every run of the handler begins with. */
interface Start {
  check: Check;
  presumption: Presumption;
  base: Pick<Context, "db" | "irreversibly">;
  isReplica: boolean;
}

/** What the statements of a handle are for. */
interface Use {
  isBookkeeping: boolean;
}

type Handle = Pick<RiddenDatabase, "db" | "hasWritten">;

/**
 * One run of the handler, in a context whose statements carry the check and whose actor depends on it. Once the run is
 * abandoned, nothing it still does reaches the database.
 */
class Attempt {
  private readonly start: Start;
  private readonly own: Handle;
  private books: Handle | undefined;
  private isAbandoned = false;

  constructor(ctx: Context, start: Start) {
    this.start = start;
    const { check, presumption, base } = start;
    this.own = this.handle({ isBookkeeping: false });
    ctx.db = this.own.db;
    ctx.irreversibly = async (act) => {
      if (this.isChecking({ isBookkeeping: false })) await check.settle();
      return base.irreversibly(act);
    };
    const actor = () =>
      presumption.actor(
        () => check.found,
        () => check.fail(new WrongActor()),
      );
    Object.defineProperties(ctx, {
      // Few requests need it.
      bookkeeping: { get: () => this.openBooks(), enumerable: true, configurable: true },
      actor: { get: actor, enumerable: true, configurable: true },
    });
  }

  /** Resolves to true if it has written, once the writes that are under way have ended. */
  async abandon(): Promise<boolean> {
    this.isAbandoned = true;
    return (await this.own.hasWritten()) || (await this.books?.hasWritten()) === true;
  }

  private openBooks(): Context["db"] {
    this.books ??= this.handle({ isBookkeeping: true });
    return this.books.db;
  }

  private handle(use: Use): Handle {
    const { base, isReplica } = this.start;
    if (!isReplica) return withRiders(base.db, [this.rider(use)]);
    // A replica may not know yet that a credential was revoked, so the primary is asked at the same time.
    const db = intercept(base.db, async (statements, send) => {
      if (!this.isChecking(use)) return send();
      const { check } = this.start;
      if (hasWrite(statements)) await check.settle();
      const [results] = await Promise.all([send(), check.settle()]);
      return results;
    });
    return { db, hasWritten: async () => false };
  }

  private rider(use: Use): Rider {
    const { check } = this.start;
    return {
      statements: (db, { isWrite }) => (this.isChecking(use) ? check.statements(db, isWrite) : []),
      assertion: () => (this.isChecking(use) ? check.assertion() : null),
      inspect: ([result], { isWrite }) => check.read(result ? result.results[0] : null, isWrite),
      refusal: (error) => check.refusal(error),
    };
  }

  private isChecking(use: Use): boolean {
    if (this.isAbandoned) throw new WrongActor();
    return this.start.check.isNeeded(use);
  }
}
