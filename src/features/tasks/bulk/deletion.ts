import { and, getTableColumns, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { runBatch } from "../../../db/assert.ts";
import { anyOf, isOneOf, selectColumns } from "../../../db/bulk.ts";
import { tasks, taskUndos } from "../../../db/schema/tasks.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import type { DeletedTasks } from "./schemas.ts";

export const UNDO_MS = DAY_MS;

/** D1 limits a value to 2 MB: tasks that together have more than this are kept in several rows. */
const MAX_KEPT_BYTES = 800_000;

// The progress of subtasks and the slot are written by triggers, also when a task comes back.
const {
  subtasksTotal: _total,
  subtasksDone: _done,
  dueSlot: _slot,
  ...written
} = Object.fromEntries(Object.entries(getTableColumns(tasks)).filter(([, column]) => !column.generated));
const pairs = Object.entries(written).map(([name, column]) => `'${name}', ${column.name}`);
/** D1 allows a function 32 arguments. Without the columns that are NULL: they are read as NULL, too. */
const COLUMNS = `json_patch(json_object(${pairs.slice(0, 16).join(", ")}), json_object(${pairs.slice(16).join(", ")}))`;
const DELETED = sql.raw(`json_object('id', id, 'deleted', ${COLUMNS})`);

/** Deletes tasks and their subtasks in one batch, and keeps them for the undo. */
export async function deleteTasks({ db, now }: Context, given: readonly number[]): Promise<DeletedTasks> {
  const ids = [...new Set(given)];
  const undo = { id: randomToken(), expiresAt: new Date(now.getTime() + UNDO_MS) };
  const kept = sql`SELECT id, ${DELETED} AS task FROM tasks WHERE id IN ${anyOf(ids)} OR parent_id IN ${anyOf(ids)}`;
  const numbered = sql`SELECT task, sum(octet_length(task)) OVER (ORDER BY id) / ${sql.raw(String(MAX_KEPT_BYTES))} AS part
    FROM (${kept})`;
  const isMeant = isOneOf(tasks.id, ids);
  const [, subtasks, others] = await runBatch(db, [
    db.insert(taskUndos).select(sql`SELECT ${undo.id} || iif(part = 0, '', '.' || part), json_group_array(json(task)),
      ${undo.expiresAt.getTime()} FROM (${numbered}) GROUP BY part`),
    // Subtasks first: with their parent, a trigger deletes them, and they would not be returned.
    db
      .delete(tasks)
      .where(and(isMeant, isNotNull(tasks.parentId)))
      .returning({ id: tasks.id }),
    db.delete(tasks).where(isMeant).returning({ id: tasks.id }),
  ] as const);
  const found = new Set([...subtasks, ...others].map(({ id }) => id));
  return {
    deleted: found.size,
    missing: ids.filter((id) => !found.has(id)),
    undo: found.size === 0 ? null : { id: undo.id, expiresAt: undo.expiresAt.toISOString() },
  };
}

/** For the rows of one undo: the first has its id, further ones a number after it. */
export function isUndo(id: string): SQL {
  return sql`(${taskUndos.id} = ${id} OR (${taskUndos.id} > ${`${id}.`} AND ${taskUndos.id} < ${`${id}/`}))`;
}

/**
 * The statement that brings deleted tasks back, under their old ids. What they belonged to may be gone by now; a subtask
 * without its parent stays deleted.
 */
export function restoreDeleted({ db, now }: Context, stored: SQL) {
  const value = (name: string) => sql.raw(`stored.value ->> '$.deleted.${name}'`);
  const columns = Object.fromEntries(Object.keys(written).map((name) => [name, value(name)]));
  const isTaken = sql`EXISTS (SELECT 1 FROM tasks AS other WHERE other.email_id = ${value("emailId")}
    AND other.email_part = ${value("emailPart")})`;
  const wanted = sql`coalesce(${value("eventId")}, ${value("lostEventId")})`;
  const event = sql`events AS event ON event.id = ${wanted} AND event.deleted_at IS NULL`;
  const hasParent = sql`${value("parentId")} IN (SELECT id FROM tasks WHERE parent_id IS NULL)`;
  const row = selectColumns(tasks, {
    ...columns,
    emailId: sql`(SELECT id FROM emails WHERE id = ${value("emailId")})`,
    emailPart: sql`iif(${isTaken}, NULL, ${value("emailPart")})`,
    eventId: sql`event.id`,
    lostEventId: sql`iif(event.id IS NULL, ${wanted}, NULL)`,
    listId: sql`(SELECT id FROM task_lists WHERE id = ${value("listId")})`,
    version: sql`${value("version")} + 1`,
    updatedAt: sql`${now.getTime()}`,
  });
  const insert = (which: SQL) =>
    db
      .insert(tasks)
      .select(
        sql`${row} FROM ${stored} LEFT JOIN ${event}
          WHERE stored.value ->> '$.deleted' IS NOT NULL AND ${which} ON CONFLICT DO NOTHING`,
      )
      .returning({ id: tasks.id });
  // Two statements: a subtask is checked against its parent, which may come back with it.
  return [insert(sql`${value("parentId")} IS NULL`), insert(hasParent)] as const;
}
