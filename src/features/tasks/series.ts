import { and, eq, getTableColumns, is, SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertThat, runBatch } from "../../db/assert.ts";
import { selectColumns } from "../../db/bulk.ts";
import { LISTENED } from "../../db/live-tables.ts";
import { NEXT_TASK_ID } from "../../db/next-id.ts";
import { INHERITED, type TaskRow, tasks } from "../../db/schema/tasks.ts";
import { type ExpectedVersions, missedWrite, whyMissed } from "../../db/version.ts";
import { assertType } from "../../lib/cast.ts";
import type { Due } from "../../lib/due.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { RuleError } from "../../lib/recurrence.ts";
import { firstDay, nextDue, type Repetition, startRepetition } from "../../lib/repetition.ts";
import type { RepeatFrom } from "../../lib/task-kinds.ts";
import { toTask } from "./record.ts";
import type { Task } from "./schemas.ts";
import { type Change, changedTask, NEXT_VERSION, taskRow } from "./stored.ts";

interface Rule {
  rrule: string;
  from: RepeatFrom;
}

/** The repetition of a task, and when it is first due: without a due date, on the first day that the rule matches. */
export async function startSeries(
  ctx: Context,
  { rrule, from }: Rule,
  zone: string,
  given: Due | null,
): Promise<{ due: Due; repetition: Repetition }> {
  if (from === "done" && /\bCOUNT=/i.test(rrule)) {
    throw validationFailed({ path: "rrule", message: "must not have COUNT with repeatFrom: done" });
  }
  try {
    const due = given ?? firstDay(rrule, zone, ctx.now);
    return { due, repetition: startRepetition(rrule, from, zone, due) };
  } catch (error) {
    if (error instanceof RuleError) throw validationFailed({ path: "rrule", message: error.message });
    throw error;
  }
}

/** The columns of a task that is given a rule, or another. It has to be read: the rule starts from its due date. */
export async function changeSeries(
  ctx: Context,
  id: number,
  given: {
    rule: Rule | null | undefined;
    repeatFrom: RepeatFrom | undefined;
    due: Due | null | undefined;
    zone: string;
  },
): Promise<{ repetition: SQL | Repetition; dueAt?: Date; dueDate?: string | null }> {
  const row = await taskRow(ctx, id);
  if (row.parentId !== null) throw validationFailed({ path: "rrule", message: "cannot be set for a subtask" });
  const { repetition: before } = row;
  if (!given.rule && !before) {
    throw validationFailed({ path: "repeatFrom", message: "needs an rrule: the task does not repeat" });
  }
  const rrule = given.rule?.rrule ?? before?.rrule ?? "";
  const current = row.dueAt && { dueAt: row.dueAt, dueDate: row.dueDate };
  const rule = { rrule, from: given.repeatFrom ?? given.rule?.from ?? before?.from ?? "due" };
  // A record that is sent back does not begin its series anew.
  const isSame = before && before.rrule === rule.rrule && before.from === rule.from;
  if (isSame && !given.due) return { repetition: before };
  const { due, repetition } = await startSeries(ctx, rule, given.zone, given.due ?? current);
  return { repetition, dueAt: due.dueAt, dueDate: due.dueDate };
}

const UNCHANGED = "occurrence_is_unchanged";

/**
 * The statements that complete an occurrence and create the next one: the assertion that it is still as it was read,
 * then the writes. `set`: all that the request changes.
 */
export function completion(ctx: Context, row: TaskRow, change: Pick<Change, "set" | "scope">) {
  const { set } = change;
  const { repetition } = row;
  const due = repetition && nextDue(repetition, ctx.now);
  const isThis = and(eq(tasks.id, row.id), eq(tasks.version, row.version));
  const check = assertThat(ctx.db, UNCHANGED, sql`EXISTS (SELECT 1 FROM tasks WHERE ${isThis})`);
  const complete = (further: object) =>
    ctx.db
      .update(tasks)
      .set({ ...set, version: NEXT_VERSION, ...further })
      .where(isThis)
      .returning(changedTask);
  if (!repetition || !due) return { check, writes: [complete({})] as const, index: 0 };
  const next = nextOccurrence(ctx, row, change, repetition, due);
  const withNext = sql`json_set(${JSON.stringify(repetition)}, '$.next', (SELECT last_id FROM task_totals))`;
  return {
    check,
    writes: [
      ctx.db
        .insert(tasks)
        .values({ ...next, id: NEXT_TASK_ID })
        .returning({ id: tasks.id, ...LISTENED }),
      complete({ repetition: withNext }),
      ...(row.subtasksTotal ? [copySubtasks(ctx, row.id)] : []),
    ] as const,
    index: 1,
  };
}

/** The original values of fields that were changed for this occurrence only, with the mark of either. */
function templateOf({ outside }: TaskRow, template: Repetition["template"]) {
  return template && { ...template, outside: outside || Boolean(template.outside) };
}

/** As this occurrence, with the changes that are for all of them and without those that are for this one alone. */
function nextOccurrence(
  ctx: Context,
  row: TaskRow,
  { set, scope }: Pick<Change, "set" | "scope">,
  repetition: Repetition,
  due: Due,
) {
  const { template, next, ...rule } = repetition;
  const { id, emailPart, dueSlot, priorityOrder, eventId, subtasksDone, subtasksTotal, completedAt, ...same } = row;
  const changed = Object.entries(set).filter(
    ([name, value]) => name in INHERITED && value !== undefined && !is(value, SQL),
  );
  return {
    ...same,
    ...templateOf(row, template),
    ...(scope === "all" && Object.fromEntries(changed)),
    ...due,
    status: "todo" as const,
    lostEventId: null,
    // It takes the place of this one in its list.
    position: row.position ?? row.id,
    repetition: { ...rule, at: due.dueDate ?? due.dueAt.toISOString() },
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
}

/** The next occurrence has the same subtasks, all of them to be done again. */
function copySubtasks({ db, now }: Context, id: number) {
  const at = sql`${now.getTime()}`;
  const own = Object.fromEntries(
    Object.entries(getTableColumns(tasks)).map(([name, column]) => [name, sql`child.${sql.identifier(column.name)}`]),
  );
  const row = selectColumns(tasks, {
    ...own,
    id: sql`${NEXT_TASK_ID} - 1 + row_number() OVER (ORDER BY child.rank, child.id)`,
    parentId: sql`(SELECT repetition ->> 'next' FROM tasks WHERE id = ${id})`,
    status: sql`'todo'`,
    completedAt: sql`NULL`,
    emailPart: sql`NULL`,
    eventId: sql`NULL`,
    lostEventId: sql`NULL`,
    dueAt: sql`NULL`,
    dueDate: sql`NULL`,
    dueSlot: sql`NULL`,
    position: sql`NULL`,
    version: sql`1`,
    createdAt: at,
    updatedAt: at,
  });
  return db
    .insert(tasks)
    .select(sql`${row} FROM tasks AS child WHERE child.parent_id = ${id} AND child.status <> 'cancelled'`)
    .returning({ id: tasks.id });
}

/** Undefined if the task has changed since it was read. */
export async function completeOccurrence(ctx: Context, row: TaskRow, change: Change): Promise<TaskRow | undefined> {
  const { check, writes, index } = completion(ctx, row, change);
  try {
    const [, ...results] = await runBatch(ctx.db, [check, ...change.checks, ...writes]);
    return assertType<TaskRow[]>(results[change.checks.length + index])[0];
  } catch (error) {
    if (error instanceof AssertionFailed && error.assertion === UNCHANGED) return undefined;
    throw error;
  }
}

/** Moves a repeating task to its next occurrence without completing this one. The last one is cancelled. */
export async function skipOccurrence(ctx: Context, id: number, expected: ExpectedVersions): Promise<Task> {
  const row = await taskRow(ctx, id);
  if (expected && !expected.includes(row.version)) throw missedWrite(row, `task ${id}`);
  const { repetition } = row;
  if (!repetition || repetition.next || row.completedAt) {
    throw new AppError("not_repeating", "The task does not repeat, or is not open, so no occurrence can be skipped.");
  }
  const due = nextDue(repetition, ctx.now);
  const { template, ...rule } = repetition;
  const next = due && {
    ...templateOf(row, template),
    ...due,
    repetition: { ...rule, at: due.dueDate ?? due.dueAt.toISOString() },
  };
  const set = next ?? { status: "cancelled" as const, completedAt: ctx.now };
  const meta = { version: NEXT_VERSION, updatedAt: ctx.now };
  const isThis = and(eq(tasks.id, id), eq(tasks.version, row.version));
  const [[skipped]] = await runBatch(ctx.db, [
    ctx.db
      .update(tasks)
      .set({ ...set, ...meta })
      .where(isThis)
      .returning(changedTask),
  ]);
  if (!skipped) throw await whyMissed(ctx.db, tasks, id, [row.version], `task ${id}`);
  return toTask(skipped);
}
