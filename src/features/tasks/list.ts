import { type AnyColumn, and, asc, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { compiledQueries } from "../../db/compiled-query.ts";
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
  const words = query.q?.trim() ? searchExpression(query.q) : undefined;
  if (words === null) return { data: [], nextCursor: null };
  const after = pages.key(query.cursor);
  const given = { ...query, q: words, cursor: after && "given" };
  const rows = await selectTasks(ctx.db, shapeOf(given), () => buildList(ctx, given), {
    ...given,
    dueBefore: query.dueBefore?.getTime(),
    dueAfter: query.dueAfter?.getTime(),
    now: ctx.now.getTime(),
    rows: query.limit + 1,
    ...Object.fromEntries((after ?? []).map((part, index) => [`after${index}`, part])),
  });
  return pages.page(rows, query, keyOf, toTask);
}

const selectTasks = compiledQueries<TaskRow>(getTableColumns(tasks));

/** Stands for a value of the query; what is not given has no condition. */
const value = (name: string) => sql.placeholder(name);

/** Words of our own stand in the text itself, for the sake of partial indexes; of the rest only their presence. */
function shapeOf({ sort, status, priority, source, overdue, ...rest }: TaskQuery): string {
  const { tag, emailId, dueBefore, dueAfter, q, cursor } = rest;
  const present = [tag, emailId, dueBefore, dueAfter, q, cursor].map((each) => (each === undefined ? 0 : 1));
  return [sort, status, priority, source, overdue, ...present].join(" ");
}

function buildList(ctx: Context, query: TaskQuery) {
  const { columns, direction } = ORDERS[query.sort];
  return ctx.db
    .select()
    .from(tasks)
    .where(and(...filters(ctx, query), query.cursor === undefined ? undefined : later(columns, direction)))
    .orderBy(...columns.map((column) => (direction === "asc" ? asc(column) : desc(column))))
    .limit(value("rows"));
}

function later(columns: readonly AnyColumn[], direction: "asc" | "desc"): SQL {
  const names = sql.join([...columns], sql`, `);
  const values = sql.join(
    columns.map((_, index) => sql`${value(`after${index}`)}`),
    sql`, `,
  );
  return direction === "asc" ? sql`(${names}) > (${values})` : sql`(${names}) < (${values})`;
}

function filters(ctx: Context, query: TaskQuery): (SQL | undefined)[] {
  const tagged = ctx.db
    .select({ id: taskTags.taskId })
    .from(taskTags)
    .where(eq(taskTags.tag, value("tag")));
  return [
    oneOf(tasks.status, query.status),
    oneOf(tasks.priority, query.priority),
    query.tag === undefined ? undefined : inArray(tasks.id, tagged),
    query.source && oneOf(tasks.source, [query.source]),
    query.emailId === undefined ? undefined : eq(tasks.emailId, value("emailId")),
    // By the column that lists are ordered by, so that its index begins and ends where the range does.
    query.dueBefore && sql`${tasks.dueOrder} < ${value("dueBefore")}`,
    query.dueAfter && sql`${tasks.dueOrder} BETWEEN ${value("dueAfter")} AND ${sql.raw(String(NEVER - 1))}`,
    query.overdue === undefined ? undefined : overdue(query.overdue),
    query.q === undefined
      ? undefined
      : sql`${tasks.id} IN (SELECT rowid FROM tasks_search WHERE tasks_search MATCH ${value("q")})`,
  ];
}

// `=` for a single value: the index then also gives the order, which it cannot for a list.
function oneOf(column: AnyColumn, words: readonly TaskWord[] | undefined): SQL | undefined {
  if (words === undefined) return undefined;
  const list = words.map((word) => `'${word}'`).join(", ");
  return words.length === 1 ? sql`${column} = ${sql.raw(list)}` : sql`${column} IN (${sql.raw(list)})`;
}

type TaskWord = TaskRow["status"] | TaskRow["priority"] | TaskRow["source"];

function overdue(wanted: boolean): SQL | undefined {
  const isOverdue = sql`(${isOpenTask} AND ${tasks.dueAt} < ${value("now")})`;
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

/** The statement that reads open tasks due before a moment, the earliest first. */
export function selectTasksDue(ctx: Context, { before, limit }: { before: Date; limit: number }) {
  return ctx.db
    .select()
    .from(tasks)
    .where(and(isOpenTask, lt(tasks.dueAt, before)))
    .orderBy(asc(tasks.dueAt), asc(tasks.id))
    .limit(limit);
}
