import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { IS_OPEN, tasks } from "../../db/schema/tasks.ts";
import { validationFailed } from "../../lib/errors.ts";
import type { NewTask } from "./schemas.ts";

/*
 * The order of tasks by hand. A task is put between two others by a number between theirs, so that a move writes one
 * row. A new task has its id as its number, and so comes last: no number that is computed here reaches the next id.
 */

/** The tasks that are in one order: conditions on `list_id` and `parent_id`. */
export interface Group {
  list: SQL;
  parent: SQL;
}

type Position = NonNullable<NewTask["position"]>;

/** Two neighbours have no number between them. */
class NoRoom extends Error {}

const NEXT_ID = sql.raw("(SELECT last_id + 1 FROM task_totals)");
const OPEN = sql.raw(IS_OPEN);

interface Placement {
  /** The value of `tasks.position`. */
  value: SQL | number;
  checks: ReturnType<typeof assertThat>[];
}

/** `self`: the task that moves; undefined for a new one. */
export function placementOf(ctx: Context, position: Position, group: Group, self?: number): Placement {
  if (typeof position === "number") return { value: position, checks: [] };
  const others = sql`${OPEN} AND list_id IS ${group.list} AND parent_id IS ${group.parent}
    ${self === undefined ? sql`` : sql`AND id <> ${self}`}`;
  const rankOf = (what: "min" | "max", where = sql`1`) =>
    sql`(SELECT ${sql.raw(what)}(rank) FROM tasks WHERE ${others} AND ${where})`;
  if (position === "first") return { value: sql`${rankOf("min")} - 1`, checks: [] };
  if (position === "last") {
    const last = rankOf("max");
    const value = sql`iif(${last} < ${NEXT_ID}, (${last} + ${NEXT_ID}) / 2.0, ${last} + 1)`;
    return { value, checks: [hasRoom(ctx, sql`${last} IS NULL OR (${value} > ${last} AND ${value} <> ${NEXT_ID})`)] };
  }
  const isAfter = "after" in position;
  const neighbour = isAfter ? position.after : position.before;
  const rank = sql`(SELECT rank FROM tasks WHERE id = ${neighbour})`;
  const beyond = isAfter
    ? sql`coalesce(${rankOf("min", sql`rank > ${rank}`)}, iif(${rank} < ${NEXT_ID}, ${NEXT_ID}, ${rank} + 2))`
    : sql`coalesce(${rankOf("max", sql`rank < ${rank}`)}, ${rank} - 2)`;
  const value = sql`(${rank} + ${beyond}) / 2.0`;
  const path = isAfter ? "position.after" : "position.before";
  const refusal = () =>
    validationFailed({ path, message: "must be the id of an open task of the same list and parent" });
  const isThere = sql`EXISTS (SELECT 1 FROM tasks WHERE id = ${neighbour} AND ${others})`;
  const isGone = self === undefined ? sql`0` : sql`NOT EXISTS (SELECT 1 FROM tasks WHERE id = ${self})`;
  return {
    value,
    checks: [
      assertThat(ctx.db, "neighbour_in_group", sql`${isGone} OR ${isThere}`, refusal),
      hasRoom(ctx, sql`(${value}) NOT IN (${rank}, ${beyond})`),
    ],
  };
}

function hasRoom({ db }: Context, condition: SQL) {
  return assertThat(db, "position_has_room", condition, () => new NoRoom());
}

/** Numbers the open tasks of a group anew, in their order and all below the next id. Needed after some forty moves. */
async function makeRoom({ db }: Context, { list, parent }: Group): Promise<void> {
  const ordered = sql`SELECT id, row_number() OVER (ORDER BY rank, id) AS number, count(*) OVER () AS count FROM tasks
    WHERE ${OPEN} AND list_id IS ${list} AND parent_id IS ${parent}`;
  await runBatch(db, [
    db
      .update(tasks)
      .set({ position: sql`ordered.number * 1.0 * ${NEXT_ID} / (ordered.count + 1)` })
      .from(sql`(${ordered}) AS ordered`)
      .where(sql`${tasks.id} = ordered.id`),
  ]);
}

/** Does a move, and makes room for it if there is none. */
export async function withRoom<Result>(ctx: Context, group: Group, move: () => Promise<Result>): Promise<Result> {
  try {
    return await move();
  } catch (error) {
    if (!(error instanceof NoRoom)) throw error;
    await makeRoom(ctx, group);
    return move();
  }
}
