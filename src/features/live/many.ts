import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { changes } from "../../db/schema/live.ts";

/** A statement names at most 200 changes (triggers/live.sql), and a batch that imports has a few statements. */
const MOST_CHANGES = 20_000;

/**
 * Statements of a batch whose changes clients are not told one by one: they leave a single `reset`, which has them read
 * everything again.
 */
export function asOneChange({ db }: Context, statements: readonly BatchItem<"sqlite">[]): BatchItem<"sqlite">[] {
  const name = crypto.randomUUID();
  const mark = sql`(SELECT id FROM changes WHERE id > (SELECT max(id) FROM changes) - ${MOST_CHANGES}
    AND record_id = ${name})`;
  return [
    db.insert(changes).values({ type: "reset", recordId: name }),
    ...statements,
    // Within the transaction: nobody has seen these, so their ids may be used again.
    db.delete(changes).where(sql`id > ${mark}`),
    db.update(changes).set({ recordId: null }).where(sql`id = ${mark}`),
  ];
}
