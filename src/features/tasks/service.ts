import { and, eq, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Context, hasOwnWords } from "../../context.ts";
import { runBatch, writeChecked } from "../../db/assert.ts";
import { isOneOf } from "../../db/bulk.ts";
import { compiledWrite } from "../../db/compiled-query.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { NEXT_TASK_ID } from "../../db/next-id.ts";
import { type TaskRow, taskColumns, tasks } from "../../db/schema/tasks.ts";
import { deleteVersion, type ExpectedVersions, versionIs, whyMissed } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { isOwnSource, SPACES, withoutSpace } from "../../lib/outside-words.ts";
import { checkReminders } from "../../lib/reminder-kinds.ts";
import { type EditScope, isOpen } from "../../lib/task-kinds.ts";
import { groupOf, placeOf, readDue } from "./place.ts";
import { withRoom } from "./position.ts";
import { toTask } from "./record.ts";
import type { NewTask, Task, TaskChanges } from "./schemas.ts";
import { repetitionAfter } from "./series-edit.ts";
import { type Change, changedTask, NEXT_VERSION, taskRow, WILL_REPEAT } from "./stored.ts";

type NewRow = Omit<SQLiteInsertValue<typeof tasks>, "id">;

const insertTask = compiledWrite(({ db }, row: NewRow) =>
  db
    .insert(tasks)
    .values({ ...row, id: NEXT_TASK_ID })
    .returning(changedTask),
);

const setTask = compiledWrite(({ db }, set: Change["set"], { versions }) =>
  db
    .update(tasks)
    .set({ ...set, version: NEXT_VERSION })
    .where(and(eq(tasks.id, sql.placeholder("id")), versionIs(tasks.version, versions)))
    .returning(changedTask),
);

/** `listName`: the list to put it in, which is created if there is none. */
export async function createTask(ctx: Context, input: NewTask, listName?: string): Promise<Task> {
  const { dueAt, dueDate, dueText, timeZone, rrule, repeatFrom, listId, parentId, position, ...given } = input;
  checkReminders(input.reminders, { after: ctx.now });
  const { due, rule, zone, reminders } = await readDue(ctx, input);
  const series = rule ? await (await import("./series.ts")).startSeries(ctx, rule, zone, due ?? null) : { due };
  const own = placeOf(ctx, { ...input, rrule: rule?.rrule });
  const list = listName === undefined ? undefined : (await import("./lists/service.ts")).listForTask(ctx, listName);
  const place = list
    ? { columns: { ...own.columns, listId: list.listId }, checks: [...list.statements, ...own.checks] }
    : own;
  const task = {
    ...given,
    outside: !hasOwnWords(ctx) || !isOwnSource(input.source),
    dueAt: series.due?.dueAt ?? null,
    dueDate: series.due?.dueDate ?? null,
    ...("repetition" in series && { repetition: series.repetition }),
    reminders: reminders ?? null,
    quote: null,
    completedAt: isOpen(input.status) ? null : ctx.now,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const insert = insertTask(ctx.db, { ...task, ...place.columns });
  try {
    const write = () => writeChecked<TaskRow>(ctx.db, place.checks, insert);
    const [created] = place.checks.length > 0 ? await withRoom(ctx, groupOf(input), write) : await write();
    if (!created) throw new Error("the new task has no row");
    return toTask(created);
  } catch (error) {
    if (brokeConstraint(error, "FOREIGN KEY")) {
      throw validationFailed({ path: "emailId", message: "must be the id of a stored email" });
    }
    throw error;
  }
}

export async function getTask(ctx: Context, id: number): Promise<Task> {
  return toTask(await taskRow(ctx, id));
}

/** The tasks with these ids that exist, in no order. */
export async function tasksByIds(ctx: Context, ids: readonly number[]): Promise<Task[]> {
  const rows = await ctx.db.select(taskColumns).from(tasks).where(isOneOf(tasks.id, ids));
  return rows.map(toTask);
}

/** `scope`: whether a change of a repeating task is also for the occurrences after this one. */
export async function updateTask(
  ctx: Context,
  id: number,
  changes: TaskChanges,
  expected: ExpectedVersions,
  scope: EditScope = "all",
): Promise<Task> {
  const change = await readChange(ctx, id, changes, scope);
  return withRoom(ctx, groupOf(changes, id), () => writeChange(ctx, id, change, expected));
}

async function readChange(ctx: Context, id: number, changes: TaskChanges, scope: EditScope): Promise<Change> {
  const { dueAt, dueDate, dueText, timeZone, status, quote, listId, parentId, position, rrule, repeatFrom, ...plain } =
    changes;
  const { due, rule, zone, reminders } = await readDue(ctx, changes);
  const place = placeOf(ctx, changes, id);
  const columns = {
    ...plain,
    ...(reminders !== undefined && { reminders }),
    ...place.columns,
    ...(changes.eventId !== undefined && { lostEventId: null }),
    ...(due !== undefined && { dueAt: due?.dueAt ?? null, dueDate: due?.dueDate ?? null }),
    ...(status && { status }),
    ...(quote === null && { quote }),
  };
  const isEmpty = Object.values(columns).every((value) => value === undefined);
  if (isEmpty && rule === undefined && !repeatFrom) throw new AppError("nothing_to_update");
  const isNewRule = rule || (rule === undefined && repeatFrom);
  const series = isNewRule
    ? await (await import("./series.ts")).changeSeries(ctx, id, {
        rule,
        repeatFrom: repeatFrom ?? undefined,
        due,
        zone,
      })
    : { repetition: rule === null ? null : repetitionAfter(columns, due, scope) };
  return {
    set: {
      ...columns,
      ...series,
      ...(status && { completedAt: isOpen(status) ? null : keptWhenSame(ctx, status) }),
      outside: outsideAfter(ctx, changes),
      updatedAt: ctx.now,
    },
    checks: place.checks,
    isCompletion: status === "done",
    scope,
  };
}

async function writeChange(ctx: Context, id: number, change: Change, expected: ExpectedVersions): Promise<Task> {
  if (!change.isCompletion) {
    const update = setTask(ctx.db, change.set, { id, versions: expected && JSON.stringify(expected) });
    const [row] = await writeChecked<TaskRow>(ctx.db, change.checks, update);
    if (!row) throw await whyMissed(ctx.db, tasks, id, expected, `task ${id}`);
    return toTask(row);
  }
  const isThis = and(eq(tasks.id, id), versionIs(tasks.version, expected));
  // A task that repeats has to be read before its next occurrence can be made. All others are done by the same batch.
  const repeats = ctx.db
    .select(taskColumns)
    .from(tasks)
    .where(and(isThis, sql.raw(WILL_REPEAT)));
  const once = ctx.db
    .update(tasks)
    .set({ ...change.set, version: NEXT_VERSION })
    .where(and(isThis, sql.raw(`NOT (${WILL_REPEAT})`)))
    .returning(changedTask);
  const [[occurrence], ...results] = await runBatch(ctx.db, [repeats, ...change.checks, once] as const);
  const [row] = assertType<TaskRow[]>(results.at(-1));
  if (row) return toTask(row);
  if (!occurrence) throw await whyMissed(ctx.db, tasks, id, expected, `task ${id}`);
  const { completeOccurrence } = await import("./series.ts");
  const completed = await completeOccurrence(ctx, occurrence, change);
  // Somebody else was faster, so it may be done by now: then it is completed like any other.
  return completed ? toTask(completed) : writeChange(ctx, id, change, expected);
}

/** Completing a completed task again does not change when it was completed. */
function keptWhenSame(ctx: Context, status: string) {
  return sql`CASE WHEN ${tasks.status} = ${status} THEN ${tasks.completedAt} ELSE ${ctx.now.getTime()} END`;
}

export function deleteTask({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, tasks, id, expected, `task ${id}`);
}

/**
 * The mark `outside` after a change, by the rule of `isOutsideAfter`, as an expression: a task is changed without being
 * read. Undefined if the change cannot affect it.
 */
function outsideAfter(ctx: Context, { title, description, tags, quote }: TaskChanges): SQL | undefined {
  const given = [
    { column: tasks.title, empty: "", text: title },
    { column: tasks.description, empty: "", text: description },
    { column: tasks.tags, empty: "[]", text: tags && JSON.stringify(tags) },
  ];
  if (!hasOwnWords(ctx)) {
    const added = given.flatMap(({ column, empty, text }) =>
      text === undefined || text === empty ? [] : [sql`${column} <> ${text}`],
    );
    return added.length > 0 ? sql`${tasks.outside} OR ${or(...added)}` : undefined;
  }
  // A title is never empty, so the mark stays with it.
  if (title === undefined) return undefined;
  const kept = given.flatMap(({ column, empty, text }) => (text === undefined ? [sql`${column} <> ${empty}`] : []));
  const hasQuote = quote === null ? undefined : sql`${tasks.quote} IS NOT NULL`;
  return sql`${tasks.outside} AND ${or(...kept, hasQuote, isAmong([title, description ?? "", ...(tags ?? [])]))}`;
}

/** Whether one of the texts stands somewhere in the stored task, compared as `isOutsideAfter` compares. */
function isAmong(texts: readonly string[]): SQL {
  const forms = texts.map(withoutSpace).flatMap((text) => [text, text.normalize("NFC"), text.normalize("NFD")]);
  const stored = sql`SELECT ${tasks.title} AS text UNION ALL SELECT ${tasks.description} UNION ALL SELECT ${tasks.quote}
    UNION ALL SELECT value FROM json_each(${tasks.tags})`;
  const squeezed = SPACES.reduce((text, space) => sql`replace(${text}, ${space}, '')`, sql`text`);
  return sql`EXISTS (SELECT 1 FROM (SELECT ${squeezed} AS text FROM (${stored})) WHERE text <> ''
    AND text IN (SELECT value FROM json_each(${JSON.stringify([...new Set(forms)])})))`;
}
