import type { Context } from "../../context.ts";
import { hasWrite, intercept } from "../../db/client.ts";
import { type RiddenDatabase, type Rider, withRiders } from "../../db/riders.ts";
import { type Check, WrongActor } from "./check.ts";
import type { Presumption } from "./presume.ts";

/** What every run of the handler begins with. */
export interface Start {
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
export class Attempt {
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
