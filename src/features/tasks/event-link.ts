import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat } from "../../db/assert.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { AppError } from "../../lib/errors.ts";

/** For the batch that creates an event: the statements that link a task to it, if the task is still this version. */
export function linkNewEvent({ db, now }: Context, { id, version }: { id: number; version: number }) {
  const isThis = and(eq(tasks.id, id), eq(tasks.version, version));
  const changed = () => new AppError("version_conflict", `The task ${id} has changed. Read it again.`);
  return [
    assertThat(db, "task_is_unchanged", sql`EXISTS (SELECT 1 FROM tasks WHERE ${isThis})`, changed),
    db
      .update(tasks)
      .set({
        eventId: sql`(SELECT last_event_id FROM calendar_state)`,
        lostEventId: null,
        version: version + 1,
        updatedAt: now,
      })
      .where(isThis),
  ];
}
