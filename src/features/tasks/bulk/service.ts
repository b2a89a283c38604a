import { and, gt, sql } from "drizzle-orm";
import { type Context, hasOwnWords, requireScopes } from "../../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../../db/assert.ts";
import { anyOf, isOneOf } from "../../../db/bulk.ts";
import { taskColumns, tasks, taskUndos } from "../../../db/schema/tasks.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { MAX_TAGS } from "../../../lib/tags.ts";
import { isOpen, OPEN_STATUSES } from "../../../lib/task-kinds.ts";
import { listTasks } from "../list.ts";
import { placeOf, readDue } from "../place.ts";
import { repetitionAfter } from "../series-edit.ts";
import { type Change, WILL_REPEAT } from "../stored.ts";
import { isUndo, restoreDeleted, UNDO_MS } from "./deletion.ts";
import { type BulkChanges, type BulkResult, MAX_BULK, type UndoResult } from "./schemas.ts";

/** How often a change starts again because a task that repeats was changed meanwhile. */
const MAX_TRIES = 3;

/** Updates many tasks in one batch: all of them, or none. */
export async function updateTasks(ctx: Context, input: BulkChanges): Promise<BulkResult> {
  const ids = input.ids ? [...new Set(input.ids)] : await matchingIds(ctx, input.filter);
  const change = await changeOf(ctx, input);
  for (let tries = 1; ; tries += 1) {
    try {
      return await writeAll(ctx, ids, change);
    } catch (error) {
      if (!(error instanceof Meanwhile) || tries === MAX_TRIES) throw error;
    }
  }
}

async function matchingIds(ctx: Context, filter: BulkChanges["filter"] = {}): Promise<number[]> {
  const { status = OPEN_STATUSES, ...rest } = filter;
  const { data, nextCursor } = await listTasks(ctx, { ...rest, status, sort: "due", limit: MAX_BULK });
  // How many it finds says what they are like.
  requireScopes(ctx, ["tasks:read"]);
  if (nextCursor !== null) {
    throw validationFailed({ path: "filter", message: `must not match more than ${MAX_BULK} tasks` });
  }
  return data.map(({ id }) => id);
}

async function changeOf(ctx: Context, input: BulkChanges): Promise<Change> {
  const { status, priority, listId, estimateMinutes, addTags = [], removeTags = [] } = input;
  const { due } = await readDue(ctx, input);
  const hasTags = addTags.length + removeTags.length > 0;
  const place = placeOf(ctx, { listId });
  const columns = {
    ...(status && { status }),
    ...(priority && { priority }),
    ...(estimateMinutes !== undefined && { estimateMinutes }),
    ...place.columns,
    ...(due !== undefined && { dueAt: due?.dueAt ?? null, dueDate: due?.dueDate ?? null }),
    ...(hasTags && { tags: changedTags(addTags, removeTags) }),
  };
  if (Object.keys(columns).length === 0) throw new AppError("nothing_to_update");
  const repetition = repetitionAfter(columns, due, "all");
  return {
    set: {
      ...columns,
      ...(repetition && { repetition }),
      ...(status && {
        completedAt: isOpen(status)
          ? null
          : sql`CASE WHEN ${tasks.status} = ${status} THEN ${tasks.completedAt} ELSE ${ctx.now.getTime()} END`,
      }),
      ...(addTags.length > 0 && !hasOwnWords(ctx) && { outside: sql`1` }),
      version: sql`${tasks.version} + 1`,
      updatedAt: ctx.now,
    },
    checks: place.checks,
    isCompletion: status === "done",
    scope: "all",
  };
}

/** A task that repeats was changed after it was read. */
class Meanwhile extends Error {}

async function writeAll(ctx: Context, ids: readonly number[], change: Change): Promise<BulkResult> {
  const { db } = ctx;
  const isMeant = isOneOf(tasks.id, ids);
  const willRepeat = sql.raw(WILL_REPEAT);
  const repeating = change.isCompletion ? await db.select(taskColumns).from(tasks).where(and(isMeant, willRepeat)) : [];
  const series = repeating.length > 0 ? await import("../series.ts") : undefined;
  const completions = repeating.map((row) => series?.completion(ctx, row, change));
  const others = ids.filter((id) => !repeating.some((row) => row.id === id));
  const undo = { id: randomToken(), expiresAt: new Date(ctx.now.getTime() + UNDO_MS) };
  const isOther = isOneOf(tasks.id, others);
  const hasUnread = sql`EXISTS (SELECT 1 FROM tasks WHERE ${isOther} AND ${willRepeat})`;
  const areRead = change.isCompletion ? sql`NOT ${hasUnread}` : sql`1`;
  const meanwhile = () => new Meanwhile("a task was changed at the same time");
  const write = () =>
    runBatch(db, [
      assertThat(db, "repeating_tasks_are_read", areRead, meanwhile),
      db.insert(taskUndos).select(sql`SELECT ${undo.id}, json_group_array(${BEFORE}), ${undo.expiresAt.getTime()}
        FROM tasks WHERE id IN ${anyOf(ids)} OR parent_id IN ${anyOf(ids)} HAVING count(*) > 0`),
      db.update(tasks).set(change.set).where(isOther).returning({ id: tasks.id }),
      ...(change.set.tags ? [withinTags(ctx, ids)] : []),
      ...(change.set.listId === undefined ? [] : [noSubtasks(ctx, ids, change.set.listId)]),
      ...completions.flatMap((each) => (each ? [each.check, ...each.writes] : [])),
      ...change.checks,
    ] as const);
  const [, , changed] = await write().catch((error) => {
    throw error instanceof AssertionFailed ? meanwhile() : error;
  });
  const found = new Set([...changed, ...repeating].map(({ id }) => id));
  return {
    updated: found.size,
    missing: ids.filter((id) => !found.has(id)),
    undo: found.size === 0 ? null : { id: undo.id, expiresAt: undo.expiresAt.toISOString() },
  };
}

/** A task as it is before the change, with the version that the change gives it. Subtasks may change with their parent. */
const RESTORED = {
  status: tasks.status,
  priority: tasks.priority,
  dueAt: tasks.dueAt,
  dueDate: tasks.dueDate,
  tags: tasks.tags,
  listId: tasks.listId,
  estimateMinutes: tasks.estimateMinutes,
  completedAt: tasks.completedAt,
  repetition: tasks.repetition,
  outside: tasks.outside,
} as const;
const BEFORE = sql`json_object('id', id, 'version', version + 1, ${sql.join(
  Object.entries(RESTORED).map(([name, column]) => sql.raw(`'${name}', ${column.name}`)),
  sql`, `,
)})`;

/** Takes a bulk change or deletion back, once. Tasks that have changed since stay as they are. */
export async function undoChange(ctx: Context, id: string): Promise<UndoResult> {
  const { db } = ctx;
  const isThis = and(isUndo(id), gt(taskUndos.expiresAt, ctx.now));
  const values = Object.keys(RESTORED).map((name) => [name, sql`stored.value ->> ${name}`]);
  const stored = sql`(SELECT value FROM task_undos, json_each(task_undos.before) WHERE ${isThis}) AS stored`;
  const [parents, children] = restoreDeleted(ctx, stored);
  const [undos, changed, restored, subtasks] = await runBatch(db, [
    db.select({ before: taskUndos.before }).from(taskUndos).where(isThis),
    db
      .update(tasks)
      .set({ ...Object.fromEntries(values), version: sql`${tasks.version} + 1`, updatedAt: ctx.now })
      .from(stored)
      .where(sql`${tasks.id} = stored.value ->> 'id' AND ${tasks.version} = stored.value ->> 'version'`)
      .returning({ id: tasks.id }),
    parents,
    children,
    db.delete(taskUndos).where(isThis),
  ] as const);
  if (undos.length === 0)
    throw new AppError("undo_expired", "The change does not exist, was already undone, or is more than a day old.");
  const found = new Set([...changed, ...restored, ...subtasks].map((row) => row.id));
  const before = undos.flatMap((undo) => undo.before).map((row) => Number(row.id));
  return { restored: found.size, changed: before.filter((each) => !found.has(each)) };
}

function changedTags(add: readonly string[], remove: readonly string[]) {
  return sql`(SELECT json_group_array(value) FROM (
    SELECT value FROM json_each(tasks.tags) WHERE value NOT IN ${anyOf(remove)}
    UNION ALL
    SELECT value FROM json_each(${JSON.stringify(add)}) WHERE value NOT IN (SELECT value FROM json_each(tasks.tags))))`;
}

function withinTags({ db }: Context, ids: readonly number[]) {
  const hasTooMany = sql`EXISTS (SELECT 1 FROM tasks WHERE ${isOneOf(tasks.id, ids)}
    AND json_array_length(tags) > ${MAX_TAGS})`;
  const message = `must not give a task more than ${MAX_TAGS} tags`;
  return assertThat(db, "tags_within_limit", sql`NOT ${hasTooMany}`, () =>
    validationFailed({ path: "addTags", message }),
  );
}

/** Subtasks move with their parent, so one that is named alone would leave its list. */
function noSubtasks({ db }: Context, ids: readonly number[], listId: unknown) {
  const isApart = sql`EXISTS (SELECT 1 FROM tasks AS child JOIN tasks AS parent ON parent.id = child.parent_id
    WHERE child.id IN ${anyOf(ids)} AND parent.list_id IS NOT ${listId})`;
  const message = "cannot move a subtask without its parent";
  return assertThat(db, "subtasks_stay", sql`NOT ${isApart}`, () => validationFailed({ path: "listId", message }));
}
