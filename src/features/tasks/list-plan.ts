import { and, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { IS_OPEN, NEVER, tasks, taskTags } from "../../db/schema/tasks.ts";
import type { TaskQuery } from "./schemas.ts";

type Sort = TaskQuery["sort"];
type Priority = (typeof tasks.$inferSelect)["priority"];
type Word = (typeof tasks.$inferSelect)["status" | "source"];
type Filter = "status" | "priority" | "source" | "tag" | "email" | "due" | "overdue" | "words";

/** The columns of each order, in `tasks` and in `task_tags`. */
const ORDERS = {
  tasks: { due: ["due_order", "id"], created: ["id"], priority: ["priority_order", "due_order", "id"] },
  task_tags: {
    due: ["due_order", "task_id"],
    created: ["task_id"],
    priority: ["priority_order", "due_order", "task_id"],
  },
} as const;

/** The numbers of the generated column `priority_order`. */
const PRIORITY_ORDER: Record<Priority, number> = { urgent: 0, high: 1, medium: 2, low: 3 };
const ALL_PRIORITIES: readonly Priority[] = ["urgent", "high", "medium", "low"];

/** Up to this many matching tasks are sorted; more are found quickly by reading in the order of the list. */
const FEW = 300;

/** A value that the compiled query is given when it runs. */
const value = (name: string) => sql.placeholder(name);

/** A part of the list that one index returns in order. */
interface Part {
  where: SQL[];
  from: "tasks" | "task_tags";
  /** Whether its few tasks are found by another index and then sorted. */
  isSorted?: boolean;
  limit: SQL;
}

interface Plan {
  /** A query for the ids that several parts use. */
  found?: SQL;
  parts: Part[];
}

/** The statement for a page of tasks. It reads at most one page for each part of the plan. */
export function selectPage(ctx: Context, query: TaskQuery) {
  const { found, parts } = planOf(query);
  const [only] = parts;
  if (only && parts.length === 1) {
    // A cross join makes SQLite keep the order of the loops: tags first, then their tasks.
    const select = ctx.db.select(getTableColumns(tasks));
    const source = only.from === "tasks" ? select.from(tasks) : select.from(taskTags).crossJoin(tasks);
    return source.where(whereOf(only, query)).orderBy(orderOf(only, query.sort)).limit(value("rows"));
  }
  const shares = parts.map((part) => sql`SELECT * FROM (${selectPart(part, query)})`);
  const page = sql`SELECT id FROM (${sql.join(shares, sql` UNION ALL `)})
    ORDER BY ${ordered(ORDERS.tasks[query.sort], query.sort)} LIMIT ${value("rows")}`;
  const ids = found ? sql`WITH found AS MATERIALIZED (${found} LIMIT ${sql.raw(String(FEW + 1))}) ${page}` : page;
  return (
    ctx.db
      .select()
      .from(tasks)
      .where(sql`${tasks.id} IN (SELECT id FROM (${ids}))`)
      // The plus keeps SQLite from walking an index in this order to find these few rows.
      .orderBy(ordered(ORDERS.tasks[query.sort], query.sort, "+tasks."))
  );

  function selectPart(part: Part, { sort }: TaskQuery): SQL {
    const names = ORDERS[part.from][sort].map((name, index) => `${part.from}.${name} AS ${ORDERS.tasks[sort][index]}`);
    const from = part.from === "tasks" ? sql`tasks` : sql`task_tags CROSS JOIN tasks`;
    return sql`SELECT ${sql.raw(names.join(", "))} FROM ${from} WHERE ${whereOf(part, query) ?? sql`true`}
      ORDER BY ${orderOf(part, sort)} LIMIT ${part.limit}`;
  }
}

function planOf(query: TaskQuery): Plan {
  const { sort, status = [], priority = [], tag } = query;
  const limit = sql`${value("rows")}`;
  const isDue = query.dueBefore !== undefined || query.dueAfter !== undefined;
  if (query.q !== undefined) return rareOrCommon(query, ["words"], MATCHES);
  if (sort === "created" && (isDue || query.overdue)) {
    const conditions = and(...filters(query, ["due", "overdue"]));
    return rareOrCommon(query, [], sql`SELECT id FROM tasks WHERE ${conditions}`);
  }
  if (sort !== "due" && query.overdue === false) {
    const parts = NOT_OVERDUE.map((condition) => sql`SELECT id FROM tasks WHERE ${condition}`);
    return rareOrCommon(query, ["overdue"], sql`SELECT id FROM (${sql.join(parts, sql` UNION ALL `)})`);
  }
  const split = (name: Filter, conditions: readonly SQL[]): Plan => {
    const rest = filters(query, without(name));
    return { parts: conditions.map((condition) => ({ where: [condition, ...rest], from: "tasks", limit })) };
  };
  const byPriority = () =>
    split(
      "priority",
      (priority.length > 0 ? priority : ALL_PRIORITIES).map((one) => isPriority(one)),
    );
  if (tag !== undefined) return { parts: [{ where: filters(query, without("tag")), from: "task_tags", limit }] };
  if (query.emailId !== undefined) return { parts: [{ where: filters(query), from: "tasks", isSorted: true, limit }] };
  if (status.length > 1) {
    return split(
      "status",
      status.map((one) => isWord("status", one)),
    );
  }
  if (priority.length > 1) return byPriority();
  // These filters have an index by priority; the first tasks of each priority contain the first of all.
  if (sort === "due" && query.source && status.length === 0) return byPriority();
  if (sort === "priority" && (isDue || query.overdue)) return byPriority();
  if (sort === "due" && query.overdue === false && status.length === 0) return split("overdue", NOT_OVERDUE);
  return { parts: [{ where: filters(query), from: "tasks", limit }] };
}

/** Each condition has its own index. */
const NOT_OVERDUE = [
  isWord("status", "done"),
  isWord("status", "cancelled"),
  sql`${IS_OPEN} AND tasks.due_order >= ${value("now")}`,
];

const MATCHES = sql`SELECT rowid AS id FROM tasks_search WHERE tasks_search MATCH ${value("q")}`;

/**
 * For filters without an index in the list's order: a few matching tasks are sorted; many are found by reading in the
 * order of the list. The part that is not used has LIMIT 0 and reads nothing.
 */
function rareOrCommon(query: TaskQuery, foundBy: readonly Filter[], found: SQL): Plan {
  const isRare = sql.raw(`(SELECT count(*) FROM found) <= ${FEW}`);
  const isTagged = query.tag !== undefined;
  return {
    found,
    parts: [
      {
        where: [sql`tasks.id IN (SELECT id FROM found)`, ...filters(query, without(...foundBy))],
        from: "tasks",
        isSorted: true,
        limit: sql`iif(${isRare}, ${value("rows")}, 0)`,
      },
      {
        where: filters(query, isTagged ? without("tag") : ALL_FILTERS, "+"),
        from: isTagged ? "task_tags" : "tasks",
        limit: sql`iif(${isRare}, 0, ${value("rows")})`,
      },
    ],
  };
}

const ALL_FILTERS: readonly Filter[] = ["status", "priority", "source", "tag", "email", "due", "overdue", "words"];

function without(...names: readonly Filter[]): Filter[] {
  return ALL_FILTERS.filter((name) => !names.includes(name));
}

/** A plus keeps SQLite from using an index on the due time instead of the one that gives the order of the list. */
function filters(query: TaskQuery, names: readonly Filter[] = ALL_FILTERS, plus: "" | "+" = ""): SQL[] {
  const dueOrder = sql.raw(`${plus}tasks.due_order`);
  const { status, priority, source } = query;
  const conditions: Record<Filter, SQL | undefined> = {
    status: status && isWord("status", ...status),
    priority: priority && isPriority(...priority),
    source: source && isWord("source", source),
    tag:
      query.tag === undefined
        ? undefined
        : sql`EXISTS (SELECT 1 FROM task_tags k WHERE k.tag = ${value("tag")} AND k.task_id = tasks.id)`,
    email: query.emailId === undefined ? undefined : sql`tasks.email_id = ${value("emailId")}`,
    // On the column that lists are ordered by, so that its index only covers the range.
    due: and(
      query.dueBefore === undefined ? undefined : sql`${dueOrder} < ${value("dueBefore")}`,
      query.dueAfter === undefined
        ? undefined
        : sql`${dueOrder} BETWEEN ${value("dueAfter")} AND ${sql.raw(String(NEVER - 1))}`,
    ),
    overdue: query.overdue === undefined ? undefined : isOverdue(query.overdue, plus),
    words:
      query.q === undefined
        ? undefined
        : sql`EXISTS (SELECT 1 FROM tasks_search WHERE tasks_search MATCH ${value("q")} AND rowid = tasks.id)`,
  };
  return names.flatMap((name) => conditions[name] ?? []);
}

function isOverdue(wanted: boolean, plus: "" | "+"): SQL {
  const condition = sql`(${sql.raw(plus)}${IS_OPEN} AND ${sql.raw(plus)}tasks.due_order < ${value("now")})`;
  return wanted ? condition : sql`NOT ${condition}`;
}

// `=` for a single value, because only then the index also gives the order.
function isOne(column: string, values: readonly string[]): SQL {
  return sql.raw(values.length === 1 ? `tasks.${column} = ${values[0]}` : `tasks.${column} IN (${values.join(", ")})`);
}

function isWord(column: "status" | "source", ...words: readonly Word[]): SQL {
  return isOne(
    column,
    words.map((word) => `'${word}'`),
  );
}

function isPriority(...priorities: readonly Priority[]): SQL {
  return isOne(
    "priority_order",
    priorities.map((priority) => String(PRIORITY_ORDER[priority])),
  );
}

function whereOf({ where, from }: Part, { sort, cursor }: TaskQuery): SQL | undefined {
  const ofTag = from === "tasks" ? undefined : sql`task_tags.tag = ${value("tag")} AND tasks.id = task_tags.task_id`;
  return and(ofTag, ...where, cursor === undefined ? undefined : later(from, sort));
}

function later(from: Part["from"], sort: Sort): SQL {
  const names = ORDERS[from][sort];
  const values = sql.join(
    names.map((_, index) => sql`${value(`after${index}`)}`),
    sql`, `,
  );
  return sql`(${sql.raw(names.map((name) => `${from}.${name}`).join(", "))}) ${sql.raw(sort === "created" ? "<" : ">")} (${values})`;
}

function orderOf({ from, isSorted }: Part, sort: Sort): SQL {
  return ordered(ORDERS[from][sort], sort, `${isSorted ? "+" : ""}${from}.`);
}

function ordered(names: readonly string[], sort: Sort, prefix = ""): SQL {
  return sql.raw(names.map((name) => `${prefix}${name} ${sort === "created" ? "DESC" : "ASC"}`).join(", "));
}
