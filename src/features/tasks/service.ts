import { and, eq, sql } from "drizzle-orm";
import { type Context, hasOwnWords, timeZoneOf } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { isOneOf } from "../../db/bulk.ts";
import { compiledSelect } from "../../db/compiled-query.ts";
import { compiledInsert, returned, updateRows } from "../../db/compiled-write.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { assertEventExists } from "../../db/links.ts";
import { NEXT_TASK_ID } from "../../db/next-id.ts";
import { type TaskRow, taskColumns, tasks } from "../../db/schema/tasks.ts";
import { deleteVersion, type ExpectedVersions, missedWrite, versionIs, whyMissed } from "../../db/version.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { isOwnSource } from "../../lib/outside-words.ts";
import { checkReminders } from "../../lib/reminder-kinds.ts";
import { DUE_DATE_RULE, isDueDate, isOpen } from "../../lib/task-kinds.ts";
import { endOfDate } from "../../lib/time-zone.ts";
import { readingFor } from "../people/reading.ts";
import { outsideAfter } from "./outside-words.ts";
import { toTask } from "./record.ts";
import type { NewTask, Task, TaskChanges } from "./schemas.ts";

const insertTask = compiledInsert(tasks, { id: NEXT_TASK_ID });
const changedTask = returned<TaskRow>(taskColumns);

export async function createTask(ctx: Context, input: NewTask): Promise<Task> {
  const { dueAt, dueText, timeZone, ...given } = input;
  checkReminders(input.reminders, { after: ctx.now });
  const task = {
    ...given,
    outside: !hasOwnWords(ctx) || !isOwnSource(input.source),
    dueAt: (await dueTime(ctx, input)) ?? null,
    reminders: input.reminders ?? null,
    quote: null,
    completedAt: isOpen(input.status) ? null : ctx.now,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const insert = insertTask(ctx.db, task);
  try {
    const [[created]] = input.eventId ? await runBatch(ctx.db, [insert, ...checkEvent(ctx, input)]) : [await insert];
    if (!created) throw new Error("the new task has no row");
    return toTask(created);
  } catch (error) {
    if (brokeConstraint(error, "FOREIGN KEY")) {
      throw validationFailed({ path: "emailId", message: "must be the id of a stored email" });
    }
    throw error;
  }
}

/** For the batch that writes the link. */
function checkEvent({ db }: Context, { eventId }: TaskChanges) {
  const refusal = () => validationFailed({ path: "eventId", message: "must be the id of a stored event" });
  return eventId ? [assertEventExists(db, eventId, refusal)] : [];
}

/** The requested due time; null removes it, undefined keeps it. */
export async function dueTime(
  ctx: Context,
  { dueAt, dueText, timeZone = timeZoneOf(ctx) }: TaskChanges,
): Promise<Date | null | undefined> {
  // As for `dueText`, a day is due at its last moment.
  if (typeof dueAt === "string") return new Date(endOfDate(timeZone, dueAt) - 1);
  if (dueText === undefined) return dueAt;
  // The largest part of what tasks need, and of no use to a list or a task with `dueAt`.
  const { parseDueText, whyNoDate } = await import("../../engine/due-date.ts");
  const options = { reference: ctx.now, ...readingFor(ctx, timeZone) };
  const due = parseDueText(dueText, options);
  if (due && isDueDate(due)) return due;
  const unread = () =>
    whyNoDate(dueText, options) ?? `must be a date in words, such as "next friday 5pm"; "${dueText}" is not`;
  const message = due ? DUE_DATE_RULE : unread();
  throw validationFailed({ path: "dueText", message });
}

const selectTask = compiledSelect<TaskRow>(({ db }) =>
  db
    .select(taskColumns)
    .from(tasks)
    .where(eq(tasks.id, sql.placeholder("id"))),
);

export async function getTask(ctx: Context, id: number): Promise<Task> {
  const [row] = await selectTask(ctx.db, { id });
  if (!row) throw missedWrite(undefined, `task ${id}`);
  return toTask(row);
}

/** The tasks with these ids that exist, in no order. */
export async function tasksByIds(ctx: Context, ids: readonly number[]): Promise<Task[]> {
  const rows = await ctx.db.select(taskColumns).from(tasks).where(isOneOf(tasks.id, ids));
  return rows.map(toTask);
}

export async function updateTask(
  ctx: Context,
  id: number,
  changes: TaskChanges,
  expected: ExpectedVersions,
): Promise<Task> {
  const { dueAt, dueText, timeZone, status, quote, ...plain } = changes;
  const due = await dueTime(ctx, changes);
  const set = {
    ...plain,
    ...(due !== undefined && { dueAt: due }),
    ...(status && { status }),
    ...(quote === null && { quote }),
  };
  if (Object.values(set).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const update = updateRows(
    ctx.db,
    tasks,
    {
      ...set,
      ...(status && { completedAt: isOpen(status) ? null : keptWhenSame(ctx, status) }),
      outside: outsideAfter(ctx, changes),
      version: sql`${tasks.version} + 1`,
      updatedAt: ctx.now,
    },
    and(eq(tasks.id, id), versionIs(tasks.version, expected)),
    changedTask,
  );
  const [[row]] = await runBatch(ctx.db, [update, ...checkEvent(ctx, changes)]);
  if (!row) throw await whyMissed(ctx.db, tasks, id, expected, `task ${id}`);
  return toTask(row);
}

/** Completing a completed task again does not change when it was completed. */
function keptWhenSame(ctx: Context, status: string) {
  return sql`CASE WHEN ${tasks.status} = ${status} THEN ${tasks.completedAt} ELSE ${ctx.now.getTime()} END`;
}

export function deleteTask({ db }: Context, id: number, expected: ExpectedVersions): Promise<void> {
  return deleteVersion(db, tasks, id, expected, `task ${id}`);
}
