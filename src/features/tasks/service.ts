import { and, eq, inArray, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { parseDueText } from "../../engine/due-date.ts";
import { AppError } from "../../lib/errors.ts";
import { DUE_DATE_RULE, isDueDate, isOpen } from "../../lib/task-kinds.ts";
import { toTask } from "./record.ts";
import type { NewTask, Task, TaskChanges } from "./schemas.ts";

export async function createTask(ctx: Context, input: NewTask): Promise<Task> {
  const { dueAt, dueText, timeZone, ...given } = input;
  const task = {
    ...given,
    dueAt: dueDate(ctx, input) ?? null,
    completedAt: isOpen(input.status) ? null : ctx.now,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  try {
    const [created] = await ctx.db.insert(tasks).values(task).returning();
    if (!created) throw new Error("the new task has no row");
    return toTask(created);
  } catch (error) {
    if (brokeConstraint(error, "FOREIGN KEY")) throw unknownEmail(input.emailId);
    throw error;
  }
}

function unknownEmail(emailId: number | null): AppError {
  return new AppError("validation_failed", `There is no mail ${emailId}.`, {
    errors: [{ path: "emailId", message: "there is no such mail" }],
  });
}

/** The due date asked for; null takes it away, undefined leaves it as it is. */
function dueDate(ctx: Context, { dueAt, dueText, timeZone = timeZoneOf(ctx) }: TaskChanges): Date | null | undefined {
  if (dueText === undefined) return dueAt;
  const due = parseDueText(dueText, ctx.now, timeZone);
  if (due && isDueDate(due)) return due;
  const [detail, message] = due
    ? [`"${dueText}" is too far away.`, DUE_DATE_RULE]
    : [`"${dueText}" names no date I can read. Try "next friday 5pm".`, "names no date"];
  throw new AppError("validation_failed", detail, { errors: [{ path: "dueText", message }] });
}

export async function getTask(ctx: Context, id: number): Promise<Task> {
  const [row] = await ctx.db.select().from(tasks).where(eq(tasks.id, id));
  if (!row) throw missedWrite(undefined, `task ${id}`);
  return toTask(row);
}

/** Those of the tasks that are there, in no order. */
export async function tasksByIds(ctx: Context, ids: readonly number[]): Promise<Task[]> {
  const rows = await ctx.db
    .select()
    .from(tasks)
    .where(inArray(tasks.id, anyOf(ids)));
  return rows.map(toTask);
}

/** Open states interchange; done and cancelled set `completedAt`, and going back to an open state clears it. */
export async function updateTask(
  ctx: Context,
  id: number,
  changes: TaskChanges,
  expected: ExpectedVersions,
): Promise<Task> {
  const { dueAt, dueText, timeZone, status, ...plain } = changes;
  const due = dueDate(ctx, changes);
  const set = { ...plain, ...(due !== undefined && { dueAt: due }), ...(status && { status }) };
  if (Object.values(set).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  const [updated, [current]] = await ctx.db.batch([
    ctx.db
      .update(tasks)
      .set({
        ...set,
        ...(status && { completedAt: isOpen(status) ? null : keptWhenSame(ctx, status) }),
        version: sql`${tasks.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(and(eq(tasks.id, id), versionIs(tasks.version, expected)))
      .returning(),
    ctx.db.select({ version: tasks.version }).from(tasks).where(eq(tasks.id, id)),
  ]);
  const [row] = updated;
  if (!row) throw missedWrite(current, `task ${id}`);
  return toTask(row);
}

/** Finishing what is already finished does not move the time it was finished. */
function keptWhenSame(ctx: Context, status: string) {
  return sql`CASE WHEN ${tasks.status} = ${status} THEN ${tasks.completedAt} ELSE ${ctx.now.getTime()} END`;
}

export async function deleteTask(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  const [deleted, [current]] = await ctx.db.batch([
    ctx.db
      .delete(tasks)
      .where(and(eq(tasks.id, id), versionIs(tasks.version, expected)))
      .returning({ id: tasks.id }),
    ctx.db.select({ version: tasks.version }).from(tasks).where(eq(tasks.id, id)),
  ]);
  if (deleted.length === 0) throw missedWrite(current, `task ${id}`);
}
