import { and, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { fieldsOf } from "../../db/columns.ts";
import { NEVER, tasks } from "../../db/schema/tasks.ts";
import { isOpen, PRIORITIES, TASK_STATUSES, type TaskStatus } from "../../lib/task-kinds.ts";
import type { TaskQuery } from "./schemas.ts";

/*
 * How the lists of tasks are read. Two search indexes have the filters as words (`facets` in triggers/tasks.sql):
 * `tasks_search` in the order of creation, `tasks_by_due` in the order of due times. A page reads its own rows of one of
 * them, whatever the filters. Lists by due time without such a filter, above all the list of all tasks and that of one
 * status, read the index on status and due time, which is faster.
 */

type Priority = (typeof PRIORITIES)[number];

/** Tasks of some statuses, all of them or those due before or from now on. */
export interface Leg {
  statuses: readonly TaskStatus[];
  due?: "before now" | "from now";
}

/** Statuses of a list. `overdue=false` has two legs: closed tasks, and open ones that are not yet due. */
export function legsOf({ status, overdue }: Pick<TaskQuery, "status" | "overdue">): Leg[] {
  const wanted = TASK_STATUSES.filter((one) => status === undefined || status.includes(one));
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

/** Whether the filters need a search index. */
function hasFacets({ priority, source, tag, emailId, q }: TaskQuery): boolean {
  return [priority, source, tag, emailId, q].some((filter) => filter !== undefined);
}

function isDueFiltered({ dueBefore, dueAfter, overdue }: TaskQuery): boolean {
  return [dueBefore, dueAfter, overdue].some((filter) => filter !== undefined);
}

/** A search in the order of creation has no index for due times. It reads this many tasks, and `list.ts` picks. */
export const CANDIDATES = 104;

export function readsCandidates(query: TaskQuery): boolean {
  return query.q !== undefined && query.sort === "created" && isDueFiltered(query);
}

/** A value that the compiled query is given when it runs. */
const value = (name: string) => sql.placeholder(name);
const ROWS = sql`${value("rows")}`;

const columns = getTableColumns(tasks);
const fields = fieldsOf(columns);

/** The statement for a page of tasks. */
export function selectPage(ctx: Context, query: TaskQuery) {
  const { sort } = query;
  const select = ctx.db.select(columns);
  if (sort === "due" && !hasFacets(query)) {
    const [only, ...others] = statusParts(query);
    if (only && others.length === 0) return select.from(tasks).where(only).orderBy(ORDERS.due).limit(value("rows"));
    const parts = statusParts(query).map((where) => sql`SELECT * FROM tasks WHERE ${where}`);
    // SQLite merges the parts, each of which is in order: it reads one row of each more than the page has.
    return ctx.db
      .select(fields)
      .from(sql`(${unionOf(parts)} ORDER BY ${ORDERS.due} LIMIT ${ROWS})`)
      .orderBy(ORDERS.due);
  }
  if (sort === "created" && !hasFacets(query) && !isDueFiltered(query) && query.status === undefined) {
    return select.from(tasks).where(isLater(query)).orderBy(ORDERS.created).limit(value("rows"));
  }
  return select
    .from(sql`(${idsOf(query)}) AS page`)
    .crossJoin(tasks)
    .where(sql`tasks.id = page.id`)
    .orderBy(FINAL_ORDERS[sort]);
}

const ORDERS = { due: sql.raw("due_order, id"), created: sql.raw("id DESC") };

/** The plus keeps SQLite from walking an index in this order to find a page's rows. */
const FINAL_ORDERS = {
  due: sql.raw("+tasks.due_order, +tasks.id"),
  created: sql.raw("+tasks.id DESC"),
  priority: sql.raw("+tasks.priority_order, +tasks.due_order, +tasks.id"),
};

function idsOf(query: TaskQuery): SQL {
  if (query.sort === "due") return dueOrder(query, (leg) => `match${leg}`, sql.raw("-1"));
  if (query.sort === "created") return isDueFiltered(query) ? createdAndDue(query) : created(query, ROWS);
  // One priority after the other: SQLite stops when the page is full.
  const parts = prioritiesOf(query).map((priority, index) => {
    const rank = sql.raw(String(RANKS[priority]));
    const start = sql`CASE WHEN ${value("after0")} < ${rank} THEN -1 WHEN ${value("after0")} > ${rank} THEN ${LAST}
      ELSE ${placeOf("after1", "after2")} END`;
    const name = (leg: number) => `match${leg}of${index}`;
    return sql`SELECT id FROM (${dueOrder(query, name, query.cursor === undefined ? sql.raw("-1") : start)})`;
  });
  return sql`${unionOf(parts)} LIMIT ${ROWS}`;
}

/** The numbers of the generated column `priority_order`. */
const RANKS: Record<Priority, number> = { urgent: 0, high: 1, medium: 2, low: 3 };

/** Larger than any rowid of `tasks_by_due`, and the first of those without a due time (triggers/tasks.sql). */
const LAST = sql.raw("9223372036854775807");
const UNDATED = sql.raw("9000000000000000000");

/** The rowid of `tasks_by_due` for the due time and id of a cursor. */
function placeOf(due: string, id: string): SQL {
  const number = sql`CAST(${value(id)} AS INTEGER)`;
  return sql`iif(${value(due)} = ${sql.raw(String(NEVER))}, ${UNDATED} + ${number}, (${value(due)} << 18) | (${number} & 262143))`;
}

/** A page of `tasks_by_due`, each leg of which is given its words by this name, after the place `start`. */
function dueOrder(query: TaskQuery, nameOf: (leg: number) => string, start: SQL): SQL {
  const from = query.sort === "due" && query.cursor !== undefined ? placeOf("after0", "after1") : start;
  const parts = legsOf(query).map(
    (leg, index) =>
      sql`SELECT id, rowid AS place FROM tasks_by_due WHERE ${inDueOrder(query, leg, nameOf(index), from)}`,
  );
  return sql`${unionOf(parts)} ORDER BY place LIMIT ${ROWS}`;
}

/** One lower and one upper bound: the index is entered at one place. */
function inDueOrder({ dueBefore, dueAfter }: TaskQuery, leg: Leg, name: string, start: SQL): SQL {
  const first = (time: string) => sql`(${value(time)} << 18) - 1`;
  const lower = [
    start,
    ...(dueAfter === undefined ? [] : [first("dueAfter")]),
    ...(leg.due === "from now" ? [first("now")] : []),
  ];
  const upper = [
    ...(dueAfter === undefined ? [] : [UNDATED]),
    ...(dueBefore === undefined ? [] : [sql`${value("dueBefore")} << 18`]),
    ...(leg.due === "before now" ? [sql`${value("now")} << 18`] : []),
  ];
  const bounds = [
    sql`rowid > ${extreme("max", lower)}`,
    ...(upper.length > 0 ? [sql`rowid < ${extreme("min", upper)}`] : []),
  ];
  return sql`tasks_by_due MATCH ${value(name)} AND ${sql.join(bounds, sql` AND `)}`;
}

function extreme(name: "min" | "max", values: readonly SQL[]): SQL {
  return values.length === 1 && values[0] ? values[0] : sql`${sql.raw(name)}(${sql.join([...values], sql`, `)})`;
}

/** A page of `tasks_search`, newest first. */
function created(query: TaskQuery, limit: SQL, filter?: SQL): SQL {
  const from = filter ? sql`tasks_search CROSS JOIN tasks` : sql`tasks_search`;
  const where = and(
    sql`tasks_search MATCH ${value("match")}`,
    query.cursor === undefined ? undefined : sql`tasks_search.rowid < CAST(${value("after0")} AS INTEGER)`,
    filter && sql`tasks.id = tasks_search.rowid AND ${filter}`,
  );
  return sql`SELECT tasks_search.rowid AS id FROM ${from} WHERE ${where} ORDER BY tasks_search.rowid DESC LIMIT ${limit}`;
}

/** Up to this many tasks that are due at the wanted time are sorted. With words, a page may read no more than 400 rows. */
const FEW = 300;
const FEW_WITH_WORDS = 20;

/**
 * By creation with a filter on the due time: a few such tasks are sorted; many are found by reading in the order of the
 * list. The part that is not used has LIMIT 0 and reads nothing.
 */
function createdAndDue(query: TaskQuery): SQL {
  const few = query.q === undefined ? FEW : FEW_WITH_WORDS;
  const isSearched = hasFacets(query);
  const due = isSearched
    ? legsOf(query).map(
        (leg, index) =>
          sql`SELECT id FROM tasks_by_due WHERE ${inDueOrder(query, leg, `match${index}`, sql.raw("-1"))}`,
      )
    : statusParts(query).map((where) => sql`SELECT id FROM tasks WHERE ${where}`);
  const limit = (rare: SQL, common: SQL) => sql`iif((SELECT few FROM rare), ${rare}, ${common})`;
  const ofFound = and(
    sql`(SELECT few FROM rare)`,
    query.cursor === undefined ? undefined : sql`id < ${value("after0")}`,
  );
  const parts = [
    sql`SELECT id FROM found WHERE ${ofFound} ORDER BY id DESC LIMIT ${ROWS}`,
    readsCandidates(query)
      ? created(query, limit(sql.raw("0"), sql.raw(String(CANDIDATES))))
      : isSearched
        ? created(query, limit(sql.raw("0"), ROWS), dueCondition(query))
        : sql`SELECT id FROM tasks WHERE ${and(dueCondition(query), isLater(query))} ORDER BY id DESC LIMIT ${limit(sql.raw("0"), ROWS)}`,
  ];
  return sql`WITH found AS MATERIALIZED (SELECT id FROM (${unionOf(due)}) LIMIT ${sql.raw(String(few + 1))}),
    rare AS MATERIALIZED (SELECT count(*) <= ${sql.raw(String(few))} AS few FROM found)
    ${unionOf(parts.map((part) => sql`SELECT id FROM (${part})`))}`;
}

/** Status and due time of a task. The plus keeps SQLite from using their index instead of the order of the list. */
function dueCondition(query: TaskQuery): SQL {
  const legs = legsOf(query).map((leg) =>
    and(sql`+tasks.status IN ${literals(leg.statuses)}`, ...dueBounds(query, leg)),
  );
  return sql`(${sql.join(
    legs.map((leg) => sql`(${leg})`),
    sql` OR `,
  )})`;
}

/** A condition for each status of the list by due time, which the index on both gives in order. */
function statusParts(query: TaskQuery): SQL[] {
  return legsOf(query).flatMap((leg) =>
    leg.statuses.map((status) => sql.join([sql`status = ${literal(status)}`, ...dueBounds(query, leg)], sql` AND `)),
  );
}

/** One lower and one upper bound, as above. */
function dueBounds({ dueBefore, dueAfter, sort, cursor }: TaskQuery, leg: Leg): SQL[] {
  const lower = [
    ...(dueAfter === undefined ? [] : [sql`${value("dueAfter")}`]),
    ...(leg.due === "from now" ? [sql`${value("now")}`] : []),
  ];
  const upper = [
    ...(dueAfter === undefined ? [] : [sql.raw(String(NEVER))]),
    ...(dueBefore === undefined ? [] : [sql`${value("dueBefore")}`]),
    ...(leg.due === "before now" ? [sql`${value("now")}`] : []),
  ];
  const [after, id] = [sql`${value("after0")}`, sql`${value("after1")}`];
  const start = extreme("max", [after, ...lower]);
  return [
    ...(cursor !== undefined && sort === "due"
      ? [sql`(due_order, id) > (${start}, iif(${after} = ${start}, ${id}, -1))`]
      : lower.length > 0
        ? [sql`due_order >= ${extreme("max", lower)}`]
        : []),
    ...(upper.length > 0 ? [sql`due_order < ${extreme("min", upper)}`] : []),
  ];
}

function isLater({ cursor }: TaskQuery): SQL | undefined {
  return cursor === undefined ? undefined : sql`tasks.id < ${value("after0")}`;
}

/** Only for values of our own enums. */
function literal(word: TaskStatus): SQL {
  return sql.raw(`'${word}'`);
}

function literals(words: readonly TaskStatus[]): SQL {
  return sql.raw(`(${words.map((word) => `'${word}'`).join(", ")})`);
}

function unionOf(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql` UNION ALL `);
}
