import { sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../context.ts";
import { outbox } from "./schema/webhooks.ts";

/** Statements of a batch that raise no outbound events: an import must not send thousands of them. */
export function raisingNoEvents(
  { db, now }: Context,
  statements: readonly BatchItem<"sqlite">[],
): BatchItem<"sqlite">[] {
  const mark = crypto.randomUUID();
  return [
    db.insert(outbox).values({ type: "none", recordId: mark, at: now }),
    ...statements,
    // Within the transaction: nobody has seen what triggers wrote after the mark.
    db.delete(outbox).where(sql`id >= (SELECT max(id) FROM outbox WHERE record_id = ${mark})`),
  ];
}
