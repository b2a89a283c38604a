import { and, eq, isNull, sql } from "drizzle-orm";
import { assertExists } from "./assert.ts";
import { isOneOf } from "./bulk.ts";
import type { Database } from "./client.ts";
import { deletedEvents, events } from "./schema/calendar.ts";
import { tasks } from "./schema/tasks.ts";

/*
 * Links to the records of other features, for the batch that writes a link or its target. Here, because a feature reads
 * only its own tables.
 */

/** An event that is only marked as deleted does not exist. */
export function assertEventExists(db: Database, id: number, refusal: () => Error) {
  return assertExists(db, events, and(eq(events.id, id), isNull(events.deletedAt)), refusal);
}

/** In a statement about `events`: the ids of the tasks that are linked to the event. */
export const TASKS_OF_EVENT = sql`(SELECT json_group_array(tasks.id) FROM tasks WHERE tasks.event_id = events.id)`;

/** Links the tasks again that lost their link when these events were deleted, unless they have another one by now. */
export function relinkTasks(db: Database, keys: readonly string[]) {
  const kept = sql`(SELECT ${deletedEvents.id}, value AS task FROM ${deletedEvents}, json_each(task_ids)
    WHERE ${isOneOf(deletedEvents.key, keys)}) AS kept`;
  return db
    .update(tasks)
    .set({ eventId: sql`kept.id` })
    .from(kept)
    .where(sql`${tasks.id} = kept.task AND ${tasks.eventId} IS NULL`);
}
