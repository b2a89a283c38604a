import { and, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { fieldsOf } from "../../db/columns.ts";
import { IS_OPEN, PLACES, type TaskRow, taskColumns, tasks, UNDATED } from "../../db/schema/tasks.ts";
import { isOpen, OPEN_STATUSES, PRIORITIES, TASK_STATUSES, type TaskStatus } from "../../lib/task-kinds.ts";
import { filtersOf } from "./filter-words.ts";
import type { TaskQuery } from "./schemas.ts";

/*
 * How the lists of tasks are read. Two search indexes have the filters as words (`TASK_FACETS`):
 * `tasks_search` in the order of creation, `tasks_by_due` in the order of due times. A page reads its own rows of one of
 * them, whatever the filters. Lists by due time without such a filter, of the open tasks or of all, read an index on the
 * place (the due time, see db/schema/tasks.ts), which is faster. The order of a person is an index of its own.
 */

type Priority = (typeof PRIORITIES)[number];

/** Tasks of some statuses, all of them or those due before or from now on. */
export interface Leg {
  statuses: readonly TaskStatus[];
  due?: "before now" | "from now";
}

/** Statuses of a list. `overdue=false` has two legs: closed tasks, and open ones that are not yet due. */
export function legsOf({ status: wanted, overdue }: Pick<TaskQuery, "status" | "overdue">): Leg[] {
  const open = wanted.filter(isOpen);
  const closed = wanted.filter((one) => !isOpen(one));
  const legs: Record<string, Leg[]> = {
    undefined: [{ statuses: wanted }],
    true: [{ statuses: open, due: "before now" }],
    false: [{ statuses: closed }, { statuses: open, due: "from now" }],
  };
  return (legs[String(overdue)] ?? []).filter(({ statuses }) => statuses.length > 0);
}

/** Highest first, as the list is sorted. */
export function prioritiesOf({ priority }: Pick<TaskQuery, "priority">): Priority[] {
  return [...PRIORITIES].reverse().filter((one) => priority === undefined || priority.includes(one));
}

const isAll = ({ statuses }: Leg) => statuses.length === TASK_STATUSES.length;
const isAllOpen = ({ statuses }: Leg) => statuses.length === OPEN_STATUSES.length && statuses.every(isOpen);

/** Whether the filters need a search index. */
function hasFacets(query: TaskQuery): boolean {
  return (
    filtersOf(query).length > 0 || query.q !== undefined || !legsOf(query).every((leg) => isAll(leg) || isAllOpen(leg))
  );
}

function isDueFiltered({ dueBefore, dueAfter, overdue }: TaskQuery): boolean {
  return [dueBefore, dueAfter, overdue].some((filter) => filter !== undefined);
}

/**
 * No index has due times in the order of creation. If many tasks are due at the wanted time, a page reads this many in
 * that order, and `list.ts` picks. No search may read over 400 rows.
 */
export function candidatesOf(query: TaskQuery): number | undefined {
  if (query.sort !== "created" || !isDueFiltered(query)) return undefined;
  return query.q === undefined ? 300 : 104;
}

/** A value that the compiled query is given when it runs. */
const value = (name: string) => sql.placeholder(name);
const ROWS = sql`${value("rows")}`;

const fields = fieldsOf(taskColumns);

/** The statement for a page of tasks. `list.ts` puts them in order: the database would count each row once more. */
export function selectPage({ db }: Pick<Context, "db">, query: TaskQuery) {
  const { sort } = query;
  const select = db.select(taskColumns);
  if (sort === "due" && !hasFacets(query)) {
    const [only, ...others] = legParts(query);
    if (only && others.length === 0) return select.from(tasks).where(only).orderBy(ORDERS.due).limit(value("rows"));
    const parts = legParts(query).map((where) => sql`SELECT * FROM tasks WHERE ${where}`);
    // SQLite merges the parts, each of which is in order: it reads one row of each more than the page has.
    return db
      .select(fields)
      .from(sql`(${unionOf(parts)} ORDER BY ${ORDERS.due} LIMIT ${ROWS})`)
      .orderBy(ORDERS.due);
  }
  if (sort === "position")
    return select.from(tasks).where(inGroup(query)).orderBy(ORDERS.position).limit(value("rows"));
  if (sort === "created" && !hasFacets(query) && !isDueFiltered(query) && legsOf(query).every(isAll)) {
    return select.from(tasks).where(isLater(query)).orderBy(ORDERS.created).limit(value("rows"));
  }
  return select
    .from(sql`(${rowsOf(query)}) AS page`)
    .crossJoin(tasks)
    .where(sort === "created" ? sql`tasks.id = page.id` : IS_PLACED);
}

const ORDERS = { due: sql.raw("place"), created: sql.raw("id DESC"), position: sql.raw("rank, id") };

/** The open tasks of a list or a parent, from the index that has them in order. */
function inGroup({ listId, parentId, cursor }: TaskQuery): SQL | undefined {
  const isSubtask = parentId !== undefined && parentId !== "none";
  const list = isSubtask
    ? sql`list_id IS (SELECT list_id FROM tasks AS parent WHERE parent.id = ${value("parentId")})`
    : sql`list_id IS ${listId === undefined || listId === "none" ? sql.raw("NULL") : value("listId")}`;
  const parent = isSubtask ? sql`parent_id = ${value("parentId")}` : sql.raw("parent_id IS NULL");
  const after = cursor === undefined ? undefined : sql`(rank, id) > (${value("after0")}, ${value("after1")})`;
  return and(sql.raw(IS_OPEN), list, parent, after);
}

/** The ids of a page by creation, or the places of one by due time. */
function rowsOf(query: TaskQuery): SQL {
  if (query.sort === "due") return dueOrder(query, (leg) => `match${leg}`, sql.raw("-1"));
  if (query.sort === "created") {
    const candidates = candidatesOf(query);
    return candidates === undefined ? created(query, ROWS) : createdAndDue(query, candidates);
  }
  // One priority after the other: SQLite stops when the page is full.
  const parts = prioritiesOf(query).map((priority, index) => {
    const rank = sql.raw(String(RANKS[priority]));
    const start = sql`CASE WHEN ${value("after0")} < ${rank} THEN -1 WHEN ${value("after0")} > ${rank} THEN ${LAST}
      ELSE ${placeOf("after1", "after2")} END`;
    const name = (leg: number) => `match${leg}of${index}`;
    return sql`SELECT place FROM (${dueOrder(query, name, query.cursor === undefined ? sql.raw("-1") : start)})`;
  });
  return sql`${unionOf(parts)} LIMIT ${ROWS}`;
}

/** The numbers of the generated column `priority_order`. */
const RANKS: Record<Priority, number> = { urgent: 0, high: 1, medium: 2, low: 3 };

/** Larger than any place, and before the first of the tasks without a due time. */
const LAST = sql.raw("9223372036854775807");
const BEFORE_UNDATED = sql.raw(UNDATED);

/** A place is too large for a number of JavaScript. These are its parts, from which `placeOf` makes it again. */
export function partsOfPlace({ id, dueAt, dueSlot }: Pick<TaskRow, "id" | "dueAt" | "dueSlot">) {
  return dueAt ? [dueAt.getTime(), dueSlot ?? id % PLACES] : [null, id];
}

function placeOf(due: string, rest: string): SQL {
  const number = sql`CAST(${value(rest)} AS INTEGER)`;
  return sql`iif(${value(due)} IS NULL, ${BEFORE_UNDATED} + ${number}, (${value(due)} << 18) + ${number})`;
}

/** A page of `tasks_by_due`, each leg of which is given its words by this name, after the place `start`. */
function dueOrder(query: TaskQuery, nameOf: (leg: number) => string, start: SQL): SQL {
  const from = query.sort === "due" && query.cursor !== undefined ? placeOf("after0", "after1") : start;
  const parts = legsOf(query).map(
    (leg, index) => sql`SELECT rowid AS place FROM tasks_by_due WHERE ${inDueOrder(query, leg, nameOf(index), from)}`,
  );
  return sql`${unionOf(parts)} ORDER BY place LIMIT ${ROWS}`;
}

/** Places in a leg of the list. One lower and one upper bound: an index is entered at one place. */
function placesOf(place: SQL, { dueBefore, dueAfter }: TaskQuery, leg: Leg, start?: SQL): SQL[] {
  const last = (time: string) => sql`(${value(time)} << 18) - 1`;
  const lower = [
    ...(start === undefined ? [] : [start]),
    ...(dueAfter === undefined ? [] : [last("dueAfter")]),
    ...(leg.due === "from now" ? [last("now")] : []),
  ];
  const upper = [
    ...(dueAfter === undefined ? [] : [BEFORE_UNDATED]),
    ...(dueBefore === undefined ? [] : [sql`${value("dueBefore")} << 18`]),
    ...(leg.due === "before now" ? [sql`${value("now")} << 18`] : []),
  ];
  return [
    ...(lower.length > 0 ? [sql`${place} > ${extreme("max", lower)}`] : []),
    ...(upper.length > 0 ? [sql`${place} < ${extreme("min", upper)}`] : []),
  ];
}

function inDueOrder(query: TaskQuery, leg: Leg, name: string, start: SQL): SQL {
  const matches = sql`tasks_by_due MATCH ${value(name)}`;
  return sql.join([matches, ...placesOf(sql.raw("rowid"), query, leg, start)], sql` AND `);
}

function extreme(name: "min" | "max", values: readonly SQL[]): SQL {
  return values.length === 1 && values[0] ? values[0] : sql`${sql.raw(name)}(${sql.join([...values], sql`, `)})`;
}

/** A page of `tasks_search`, newest first. */
function created(query: TaskQuery, limit: SQL): SQL {
  const isLaterMatch = query.cursor === undefined ? undefined : sql`rowid < CAST(${value("after0")} AS INTEGER)`;
  const where = and(sql`tasks_search MATCH ${value("match")}`, isLaterMatch);
  return sql`SELECT rowid AS id FROM tasks_search WHERE ${where} ORDER BY rowid DESC LIMIT ${limit}`;
}

/** Up to this many tasks that are due at the wanted time are sorted. */
const FEW = 200;
const FEW_WITH_WORDS = 20;

/** The part that is not used has LIMIT 0 and reads nothing. */
function createdAndDue(query: TaskQuery, candidates: number): SQL {
  const few = query.q === undefined ? FEW : FEW_WITH_WORDS;
  const legs = legsOf(query);
  const found = hasFacets(query)
    ? legs.map(
        (leg, index) => sql`SELECT ${idOfPlace("tasks_by_due.rowid")} AS id
          FROM tasks_by_due WHERE ${inDueOrder(query, leg, `match${index}`, sql.raw("-1"))}`,
      )
    : legParts(query).map((where) => sql`SELECT id FROM tasks WHERE ${where}`);
  const isRare = sql`(SELECT few FROM rare)`;
  const rare = sql`SELECT id FROM (${unionOf(found)} LIMIT iif(${isRare}, -1, 0)) AS tasks WHERE ${isLater(query) ?? sql`1`}
    ORDER BY id DESC LIMIT ${ROWS}`;
  const limit = sql`iif(${isRare}, 0, ${sql.raw(String(candidates))})`;
  const isMatched = hasFacets(query) || !legs.every(isAll);
  const common = isMatched
    ? created(query, limit)
    : sql`SELECT id FROM tasks WHERE ${isLater(query) ?? sql`1`} ORDER BY id DESC LIMIT ${limit}`;
  return sql`WITH rare AS MATERIALIZED (
      SELECT NOT EXISTS (SELECT 1 FROM (${unionOf(found)}) LIMIT 1 OFFSET ${sql.raw(String(few))}) AS few
    )
    SELECT id FROM (${rare}) UNION ALL SELECT id FROM (${common})`;
}

/** The task at a place of the page. As a value, so that SQLite does not look for a second one. */
const idOfPlace = (place: string) =>
  sql.raw(`coalesce((SELECT id FROM tasks AS placed WHERE placed.closed = 0 AND placed.place = ${place}),
    (SELECT id FROM tasks AS placed WHERE placed.closed = 1 AND placed.place = ${place}))`);
const IS_PLACED = sql`tasks.id = ${idOfPlace("page.place")}`;

/** Conditions for the list by due time, each of which the index gives in order. */
function legParts(query: TaskQuery): SQL[] {
  const start = query.sort === "due" && query.cursor !== undefined ? placeOf("after0", "after1") : undefined;
  return legsOf(query).flatMap((leg) => {
    const places = placesOf(sql.raw("place"), query, leg, start);
    const halves = isAll(leg) ? ["closed = 0", "closed = 1"] : ["closed = 0"];
    return halves.map((half) => sql.join([sql.raw(half), ...places], sql` AND `));
  });
}

function isLater({ cursor }: TaskQuery): SQL | undefined {
  return cursor === undefined ? undefined : sql`tasks.id < ${value("after0")}`;
}

function unionOf(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql` UNION ALL `);
}
