import { type AnyColumn, and, asc, between, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { keyset, type Page } from "../../db/page.ts";
import { NEVER, tasks, taskTags } from "../../db/schema/tasks.ts";
import { searchExpression } from "../../lib/search-query.ts";
import { toTask } from "./record.ts";
import type { Task, TaskQuery } from "./schemas.ts";

type TaskRow = typeof tasks.$inferSelect;

interface Order {
  columns: readonly AnyColumn[];
  direction: "asc" | "desc";
  keyOf(row: TaskRow): (number | null)[];
}

const ORDERS: Record<TaskQuery["sort"], Order> = {
  due: {
    columns: [tasks.dueOrder, tasks.id],
    direction: "asc",
    keyOf: (row) => [row.dueOrder, row.id],
  },
  created: { columns: [tasks.id], direction: "desc", keyOf: (row) => [row.id] },
  priority: {
    columns: [tasks.priorityOrder, tasks.dueOrder, tasks.id],
    direction: "asc",
    keyOf: (row) => [row.priorityOrder, row.dueOrder, row.id],
  },
};

/** Spelled out, because the partial index of open tasks is only used for these very words. */
const isOpenTask = sql`status IN ('todo', 'in_progress', 'waiting')`;

export async function listTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const { columns, direction, keyOf } = ORDERS[query.sort];
  const pages = keyset(ctx, `tasks by ${query.sort}`, columns, direction);
  const after = pages.after(query.cursor);
  const wanted = filters(ctx, query);
  if (wanted === null) return { data: [], nextCursor: null };
  const rows = await ctx.db
    .select()
    .from(tasks)
    .where(and(...wanted, after))
    .orderBy(...columns.map((column) => (direction === "asc" ? asc(column) : desc(column))))
    .limit(query.limit + 1);
  return pages.page(rows, query, keyOf, toTask);
}

/** What the query asks for, or null when nothing can match. */
function filters(ctx: Context, query: TaskQuery): (SQL | undefined)[] | null {
  const words = query.q?.trim() ? searchExpression(query.q) : undefined;
  if (words === null) return null;
  return [
    oneOf(tasks.status, query.status),
    oneOf(tasks.priority, query.priority),
    query.tag === undefined
      ? undefined
      : inArray(tasks.id, ctx.db.select({ id: taskTags.taskId }).from(taskTags).where(eq(taskTags.tag, query.tag))),
    query.source && eq(tasks.source, query.source),
    query.emailId === undefined ? undefined : eq(tasks.emailId, query.emailId),
    // By the column that lists are ordered by, so that its index begins and ends where the range does.
    query.dueBefore && lt(tasks.dueOrder, query.dueBefore.getTime()),
    query.dueAfter && between(tasks.dueOrder, query.dueAfter.getTime(), NEVER - 1),
    query.overdue === undefined ? undefined : overdue(ctx, query.overdue),
    words === undefined
      ? undefined
      : sql`${tasks.id} IN (SELECT rowid FROM tasks_search WHERE tasks_search MATCH ${words})`,
  ];
}

// `=` for a single value: the index then also gives the order, which it cannot for a list.
function oneOf<Value extends string>(column: AnyColumn, values: readonly Value[] | undefined): SQL | undefined {
  if (values === undefined) return undefined;
  return values.length === 1 ? eq(column, values[0]) : inArray(column, [...values]);
}

function overdue(ctx: Context, wanted: boolean): SQL | undefined {
  const isOverdue = and(isOpenTask, lt(tasks.dueAt, ctx.now));
  // Without a due date the comparison is unknown, which is as good as no.
  return wanted ? isOverdue : sql`NOT coalesce(${isOverdue}, 0)`;
}

/** The statement that counts open tasks due within a time; they are few by nature, and an index holds only them. */
export function countOpenTasks(ctx: Context, { from, before }: { from?: Date; before: Date }) {
  return ctx.db
    .select({ count: sql<number>`count(*)` })
    .from(tasks)
    .where(and(isOpenTask, lt(tasks.dueAt, before), from && gte(tasks.dueAt, from)));
}
