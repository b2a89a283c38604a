import { and, eq, isNull } from "drizzle-orm";
import { assertExists } from "./assert.ts";
import type { Database } from "./client.ts";
import { events } from "./schema/calendar.ts";

/*
 * Links to the records of other features, for the batch that writes a link or its target. Here, because a feature reads
 * only its own tables.
 */

/** An event that is only marked as deleted does not exist. */
export function assertEventExists(db: Database, id: number, refusal: () => Error) {
  return assertExists(db, events, and(eq(events.id, id), isNull(events.deletedAt)), refusal);
}
