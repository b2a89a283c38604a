import { and, asc, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { compiledQuery, type Given } from "../../db/compiled-query.ts";
import { keyset, type Page } from "../../db/page.ts";
import { IS_OPEN, tasks } from "../../db/schema/tasks.ts";
import { searchExpression } from "../../lib/search-query.ts";
import { lowerBound, upperBound } from "../../lib/time-zone.ts";
import { selectPage } from "./list-plan.ts";
import { toTask } from "./record.ts";
import type { Task, TaskQuery } from "./schemas.ts";

type TaskRow = typeof tasks.$inferSelect;

/** The cursor after a task. */
const KEYS: Record<TaskQuery["sort"], (row: TaskRow) => (number | null)[]> = {
  due: (row) => [row.dueOrder, row.id],
  created: (row) => [row.id],
  priority: (row) => [row.priorityOrder, row.dueOrder, row.id],
};

export async function listTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  const pages = keyset(ctx, `tasks by ${query.sort}`, [], "asc");
  const words = query.q?.trim() ? searchExpression(query.q) : undefined;
  if (words === null) return { data: [], nextCursor: null };
  const after = pages.key(query.cursor);
  const given = { ...query, q: words, cursor: after && "given" };
  const rows = await selectTasks(ctx.db, shapeOf(given), () => selectPage(ctx, given), {
    ...given,
    dueBefore: upperBound(() => timeZoneOf(ctx), query.dueBefore)?.getTime(),
    dueAfter: lowerBound(() => timeZoneOf(ctx), query.dueAfter)?.getTime(),
    now: ctx.now.getTime(),
    rows: query.limit + 1,
    ...Object.fromEntries((after ?? []).map((part, index) => [`after${index}`, part])),
  });
  return pages.page(rows, query, KEYS[query.sort], toTask);
}

const selectTasks = compiledQuery<TaskRow>();

/** What the text of the query depends on: the values that it contains literally, and which of the others are given. */
function shapeOf({ sort, status, priority, source, overdue, ...rest }: TaskQuery): string {
  const { tag, emailId, dueBefore, dueAfter, q, cursor } = rest;
  const present = [tag, emailId, dueBefore, dueAfter, q, cursor].map((each) => (each === undefined ? 0 : 1));
  return [sort, status, priority, source, overdue, ...present].join(" ");
}

/** Served by an index that only contains open tasks. */
function isOpenAndDue({ from, before }: { from?: Given; before: Given }): SQL | undefined {
  return and(
    IS_OPEN,
    sql`${tasks.dueOrder} < ${before}`,
    from === undefined ? undefined : sql`${tasks.dueOrder} >= ${from}`,
  );
}

/** The statement that counts open tasks due in a range. */
export function countOpenTasks(ctx: Pick<Context, "db">, range: { from?: Given; before: Given }) {
  return ctx.db.select({ count: sql<number>`count(*)` }).from(tasks).where(isOpenAndDue(range));
}

/** The statement that reads the open tasks due in a range, earliest first; `total` counts all of them. */
export function selectTasksDue(ctx: Context, { limit, ...range }: { from?: number; before: number; limit: number }) {
  return ctx.db
    .select({ ...getTableColumns(tasks), total: sql<number>`count(*) OVER ()`.as("total") })
    .from(tasks)
    .where(isOpenAndDue(range))
    .orderBy(asc(tasks.dueOrder), asc(tasks.id))
    .limit(limit);
}
