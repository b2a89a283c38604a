import { and, asc, type SQL, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { compiledQuery, type Given } from "../../db/compiled-query.ts";
import { keyset, type Page } from "../../db/page.ts";
import { TASK_FACETS, type TaskRow, taskColumns, tasks, taskTotals } from "../../db/schema/tasks.ts";
import { validationFailed } from "../../lib/errors.ts";
import { type Match, matchOfText } from "../../lib/search-query.ts";
import { isOpen, LATEST_DUE, OPEN_STATUSES, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { lowerBound, upperBound } from "../../lib/time-zone.ts";
import { anyOf, filtersOf } from "./filter-words.ts";
import { candidatesOf, type Leg, legsOf, partsOfPlace, prioritiesOf, selectPage } from "./list-plan.ts";
import { toTask } from "./record.ts";
import type { Task, TaskQuery } from "./schemas.ts";

/** The cursor after a task. */
const KEYS: Record<TaskQuery["sort"], (row: TaskRow) => (number | null)[]> = {
  due: partsOfPlace,
  created: (row) => [row.id],
  priority: (row) => [row.priorityOrder, ...partsOfPlace(row)],
  position: (row) => [row.position ?? row.id, row.id],
};

export async function listTasks(ctx: Context, query: TaskQuery): Promise<Page<Task>> {
  if (query.sort === "position") refuseFilters(query);
  const pages = keyset(ctx, `tasks by ${query.sort}`, [], "asc");
  const words = query.q?.trim() ? matchOfText(query.q, { all: "{title description}" }) : undefined;
  const after = pages.key(query.cursor);
  const given = { ...query, q: words ? "given" : undefined, cursor: after && "given" };
  if (words === null || legsOf(given).length === 0) return { data: [], nextCursor: null };
  const bounds = {
    dueBefore: withinYears(upperBound(() => timeZoneOf(ctx), query.dueBefore)),
    dueAfter: withinYears(lowerBound(() => timeZoneOf(ctx), query.dueAfter)),
  };
  const unsorted = await selectTasks(ctx.db, shapeOf(given), ({ db }) => selectPage({ db }, given), {
    ...expressionsOf(given, words),
    ...bounds,
    now: ctx.now.getTime(),
    rows: query.limit + 1,
    listId: query.listId,
    parentId: query.parentId,
    ...Object.fromEntries((after ?? []).map((part, index) => [`after${index}`, part])),
  });
  const rows = unsorted.sort((a, b) => compareKeys(KEYS[query.sort](a), KEYS[query.sort](b), query.sort));
  const candidates = candidatesOf(given);
  const wanted = candidates === undefined ? rows : rows.filter((row) => isDue(ctx, given, bounds, row));
  const page = pages.page(wanted, query, KEYS[query.sort], toTask);
  const last = rows.at(-1);
  // Not all candidates were read: the next page goes on after the last that was.
  const isCutOff = rows.length === candidates && page.nextCursor === null && last !== undefined;
  return isCutOff ? { ...page, nextCursor: pages.cursor(KEYS[query.sort](last)) } : page;
}

/** No index has the order of a person and other filters: a page would read the whole list. */
function refuseFilters({ status, listId, parentId, sort, limit, cursor, ...others }: TaskQuery): void {
  const refused = Object.entries(others).flatMap(([path, given]) => (given === undefined ? [] : [path]));
  if (!status.every(isOpen) || status.length < OPEN_STATUSES.length) refused.push("status");
  if (refused.length === 0) return;
  throw validationFailed(...refused.map((path) => ({ path, message: "cannot be combined with sort=position" })));
}

/** Newest first by creation, smallest first otherwise, and tasks without a due time last. */
function compareKeys(a: (number | null)[], b: (number | null)[], sort: TaskQuery["sort"]): number {
  const index = a.findIndex((part, place) => part !== b[place]);
  const order = (a[index] ?? Number.POSITIVE_INFINITY) < (b[index] ?? Number.POSITIVE_INFINITY) ? -1 : 1;
  return index < 0 ? 0 : sort === "created" ? -order : order;
}

/** Tasks are due from 1970 to 2999; other times do not fit a row number of the index by due times. */
function withinYears(moment: Date | undefined): number | undefined {
  return moment && Math.min(Math.max(moment.getTime(), 0), LATEST_DUE);
}

interface Bounds {
  dueBefore: number | undefined;
  dueAfter: number | undefined;
}

function isDue(ctx: Context, { overdue }: TaskQuery, { dueBefore, dueAfter }: Bounds, row: TaskRow): boolean {
  const due = row.dueAt?.getTime();
  const isOverdue = due !== undefined && due < ctx.now.getTime() && isOpen(row.status);
  return (
    (dueBefore === undefined || (due !== undefined && due < dueBefore)) &&
    (dueAfter === undefined || (due !== undefined && due >= dueAfter)) &&
    (overdue === undefined || overdue === isOverdue)
  );
}

const selectTasks = compiledQuery<TaskRow>(taskColumns);

/** What the text of the query depends on: the values that it contains literally, and which of the others are given. */
function shapeOf({ sort, status, priority, overdue, listId, parentId, limit, ...others }: TaskQuery): string {
  const given = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const groups = [listId, parentId].map((each) => (each === "none" ? "none" : each === undefined ? 0 : 1));
  return [sort, status, priority, overdue, ...given.sort(), ...groups].join(" ");
}

/** In the index of open tasks by place. */
function isOpenAndDue({ from, before }: { from?: Given; before: Given }): SQL | undefined {
  return and(
    sql`${tasks.closed} = 0`,
    sql`${tasks.place} < ${before} << 18`,
    from === undefined ? undefined : sql`${tasks.place} >= ${from} << 18`,
  );
}

/** The statement that reads the number of tasks by status. */
export function selectTaskTotals({ db }: Pick<Context, "db">) {
  return db.select().from(taskTotals);
}

/** The statement that counts open tasks due in a range. It reads each of them. */
export function countOpenTasks(ctx: Pick<Context, "db">, { from, before }: { from: Given; before: Given }) {
  const count = sql`(SELECT count(*) FROM tasks WHERE closed = 0 AND place >= ${from} << 18
    AND place < ${before} << 18)`;
  return ctx.db.select({ count: sql<number>`${count}`.as("count") }).from(sql`(SELECT 1)`);
}

/** The statement that reads the open tasks due in a range, earliest first; `total` counts all of them. */
export function selectTasksDue(ctx: Context, { limit, ...range }: { from?: number; before: number; limit: number }) {
  return ctx.db
    .select({ ...taskColumns, total: sql<number>`count(*) OVER ()`.as("total") })
    .from(tasks)
    .where(isOpenAndDue(range))
    .orderBy(asc(tasks.place))
    .limit(limit);
}

/** The statement that reads the open tasks that meet a condition, by due time, of the first `among` of them. */
export function selectOpenTasks({ db }: Context, where: SQL, { among, limit }: { among: number; limit: number }) {
  const first = sql`SELECT id FROM tasks WHERE closed = 0 ORDER BY place LIMIT ${among}`;
  return db
    .select(taskColumns)
    .from(tasks)
    .where(sql`${tasks.id} IN (${first}) AND ${where}`)
    .orderBy(asc(tasks.place))
    .limit(limit);
}

/**
 * The full-text expressions of a list, by the names that `list-plan.ts` gives them. The words of the filters are those
 * that triggers make of the columns (`TASK_FACETS`).
 */
function expressionsOf(query: TaskQuery, words: Match | undefined): Record<string, string> {
  const legs = legsOf(query);
  const priorities = prioritiesOf(query);
  const all = { statuses: legs.flatMap(({ statuses }) => statuses) };
  const named = [
    ["match", expressionOf(query, words, all, query.priority)] as const,
    ...legs.map((leg, index) => [`match${index}`, expressionOf(query, words, leg, query.priority)] as const),
    ...priorities.flatMap((priority, place) =>
      legs.map((leg, index) => [`match${index}of${place}`, expressionOf(query, words, leg, [priority])] as const),
    ),
  ];
  return Object.fromEntries(named);
}

function expressionOf(
  query: TaskQuery,
  text: Match | undefined,
  { statuses }: Leg,
  priority: TaskQuery["priority"],
): string {
  const others = filtersOf({ ...query, priority });
  // FTS5 can neither look for nothing nor leave words out of nothing, so then every status is named.
  const isAnyStatus = statuses.length === TASK_STATUSES.length && (others.length > 0 || text) && !text?.isExcept;
  const words = [...(isAnyStatus ? [] : [anyOf(TASK_FACETS.status, statuses)]), ...others];
  const facets = words.length > 0 ? `facets : (${words.join(" AND ")})` : "";
  if (!text) return facets;
  if (text.isExcept) return `${facets} NOT ${text.expression}`;
  return facets ? `${text.expression} AND ${facets}` : text.expression;
}
