import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat } from "../../db/assert.ts";
import { type Also, outdated, type PutBack, putRowBack, type Replaced, type Row } from "../../db/put-back.ts";
import { taskColumns, tasks } from "../../db/schema/tasks.ts";
import { assertType } from "../../lib/cast.ts";
import type { Repetition } from "../../lib/repetition.ts";
import { taskRow } from "./stored.ts";

/** Triggers write these. */
const { priorityOrder, dueSlot, subtasksTotal, subtasksDone, ...columns } = taskColumns;

export async function taskSnapshot(ctx: Context, id: number): Promise<Row & { version: number }> {
  const row = await taskRow(ctx, id);
  return assertType(row);
}

/**
 * Puts a task back as it was: a changed one gets its fields, a new one is deleted, a deleted one is there again under
 * its id. A task that somebody has changed since is left alone.
 */
export function putTaskBack(ctx: Context, undo: PutBack, also: Also): Promise<Replaced> {
  const { db } = ctx;
  const still = (table: string, id: unknown) => sql`(SELECT id FROM ${sql.identifier(table)} WHERE id = ${id})`;
  const noSubtasks = assertThat(
    db,
    "task_has_no_subtasks",
    sql`NOT EXISTS (SELECT 1 FROM tasks WHERE parent_id = ${undo.id})`,
    () => outdated("task"),
  );
  return putRowBack(
    ctx,
    tasks,
    undo,
    {
      name: "task",
      columns,
      // No tool changes the event of a task. Triggers do, without a new version.
      fixed: ["emailPart", "emailId", "source", "eventId", "lostEventId"],
      // The records they refer to may have been deleted, too.
      checked: ({ listId, emailId, emailPart, eventId, parentId }) => ({
        // Each part of an email is one task: another may have been made since.
        emailPart: sql`iif(EXISTS (SELECT 1 FROM tasks WHERE email_id = ${emailId} AND email_part = ${emailPart}), NULL, ${emailPart})`,
        listId: still("task_lists", listId),
        emailId: still("emails", emailId),
        eventId: still("events", eventId),
        parentId: still("tasks", parentId),
      }),
      within: (current, before) => [...(before ? [] : [noSubtasks]), ...withoutNext(ctx, current, before)],
    },
    also,
  );
}

/** A task that repeats has made its next occurrence when it was completed. */
function withoutNext({ db }: Context, current: Row | null, before: Row | null) {
  const nextOf = (row: Row | null) => assertType<Repetition | null>(row?.repetition ?? null)?.next;
  const next = nextOf(current);
  if (next === undefined || next === nextOf(before)) return [];
  const isNew = sql`NOT EXISTS (SELECT 1 FROM tasks WHERE id = ${next} AND version > 1)`;
  return [
    assertThat(db, "next_task_is_new", isNew, () => outdated("next task of the series")),
    db.delete(tasks).where(and(eq(tasks.id, next), eq(tasks.version, 1))),
  ];
}
