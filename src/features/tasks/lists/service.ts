import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Context, hasOwnWords } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { listPage, type Page } from "../../../db/page.ts";
import { taskLists, tasks } from "../../../db/schema/tasks.ts";
import { type ExpectedVersions, missedWrite, versionIs, whyMissed } from "../../../db/version.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { MAX_LISTS } from "../../../lib/task-kinds.ts";
import type { Position } from "../schemas.ts";
import type { List, ListChanges, ListDeletion, ListQuery, NewList } from "./schemas.ts";

type ListRow = typeof taskLists.$inferSelect;

export function toList(row: ListRow): List {
  const { nameKey: _, ...list } = row;
  return {
    ...list,
    archivedAt: row.archivedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function listLists(ctx: Context, request: ListQuery): Promise<Page<List>> {
  const { archivedAt } = taskLists;
  const list = `task lists ${request.archived}`;
  const where = { true: isNotNull(archivedAt), false: isNull(archivedAt), all: undefined }[request.archived];
  return listPage(ctx, request, { list, table: taskLists, by: ["position", "id"], where }, toList);
}

/** All lists in use, for words that name one. */
export async function listsInUse({ db }: Context): Promise<List[]> {
  const rows = await db.select().from(taskLists).where(isNull(taskLists.archivedAt)).orderBy(asc(taskLists.position));
  return rows.map(toList);
}

export async function getList(ctx: Context, id: number): Promise<List> {
  const [row] = await ctx.db.select().from(taskLists).where(eq(taskLists.id, id));
  if (!row) throw missedWrite(undefined, `list ${id}`);
  return toList(row);
}

const LAST = sql`(SELECT coalesce(max(position), 0) + 1 FROM task_lists)`;

/** The id of the list that is meant by a name. */
export async function listIdNamed({ db }: Context, name: string): Promise<number> {
  const [row] = await db
    .select({ id: taskLists.id })
    .from(taskLists)
    .where(eq(taskLists.nameKey, listNameKey(name)));
  if (!row) throw new AppError("not_found", `There is no list called “${name}”.`);
  return row.id;
}

/** The list with this name for the batch of a new task, and the statements that create it if there is none. */
export function listForTask(ctx: Context, name: string) {
  const nameKey = listNameKey(name);
  const isKnown = sql`EXISTS (SELECT 1 FROM task_lists WHERE name_key = ${nameKey})`;
  const [hasRoom, insert] = insertList(ctx, { name, color: "gray" }, isKnown);
  return {
    listId: sql`(SELECT id FROM task_lists WHERE name_key = ${nameKey})`,
    statements: [hasRoom, insert.onConflictDoNothing()] as const,
  };
}

/** The statements that create a list. */
function insertList(
  ctx: Context,
  { name, color, position }: Pick<NewList, "name" | "color"> & { position?: number },
  orElse = sql`0`,
) {
  const full = () => new AppError("list_limit_reached", `There are ${MAX_LISTS} lists. Delete one first.`);
  return [
    assertThat(ctx.db, "lists_have_room", sql`${orElse} OR (SELECT count(*) FROM task_lists) < ${MAX_LISTS}`, full),
    ctx.db.insert(taskLists).values({
      name,
      nameKey: listNameKey(name),
      color,
      outside: !hasOwnWords(ctx),
      position: position ?? LAST,
      version: 1,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    }),
  ] as const;
}

export async function createList(ctx: Context, input: NewList): Promise<List> {
  const place = await placeAmong(ctx, input.position);
  return refusingTaken(input.name, async () => {
    const [check, insert] = insertList(ctx, { name: input.name, color: input.color, ...place.own });
    const [, [created]] = await runBatch(ctx.db, [check, insert.returning(), ...place.others] as const);
    if (!created) throw new Error("the new list has no row");
    return toList(created);
  });
}

export async function updateList(
  ctx: Context,
  id: number,
  { name, color, position, archived }: ListChanges,
  expected: ExpectedVersions,
): Promise<List> {
  if ([name, color, position, archived].every((given) => given === undefined)) throw new AppError("nothing_to_update");
  const place = await placeAmong(ctx, position, id);
  return refusingTaken(name, async () => {
    const [[row]] = await runBatch(ctx.db, [
      ctx.db
        .update(taskLists)
        .set({
          ...(name !== undefined && { name, nameKey: listNameKey(name), outside: outsideAfter(ctx, name) }),
          ...(color !== undefined && { color }),
          ...place.own,
          ...(archived !== undefined && {
            archivedAt: archived ? sql`coalesce(${taskLists.archivedAt}, ${ctx.now.getTime()})` : null,
          }),
          version: sql`${taskLists.version} + 1`,
          updatedAt: ctx.now,
        })
        .where(and(eq(taskLists.id, id), versionIs(taskLists.version, expected)))
        .returning(),
      ...place.others,
    ] as const);
    if (!row) throw await whyMissed(ctx.db, taskLists, id, expected, `list ${id}`);
    return toList(row);
  });
}

/** As for tasks: a person's own name clears the mark, unless it is the one that was there. */
function outsideAfter(ctx: Context, name: string) {
  const { outside, nameKey } = taskLists;
  return hasOwnWords(ctx)
    ? sql<boolean>`${outside} AND ${nameKey} = ${listNameKey(name)}`
    : sql<boolean>`${outside} OR ${taskLists.name} <> ${name}`;
}

async function refusingTaken<Result>(name: string | undefined, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!brokeConstraint(error, "UNIQUE")) throw error;
    throw new AppError("list_exists", `There is a list called “${name}” already.`);
  }
}

interface Place {
  own: { position?: number };
  /** Only if there is no number left between two lists. */
  others: ReturnType<typeof renumber>[];
}

/** The number of a list at a place among the others. There are few lists, so they are read. */
async function placeAmong(ctx: Context, position: Position | undefined, self?: number): Promise<Place> {
  if (position === undefined) return { own: {}, others: [] };
  if (typeof position === "number") return { own: { position }, others: [] };
  const { id, position: number } = taskLists;
  const rows = await ctx.db.select({ id, number }).from(taskLists).orderBy(asc(number), asc(id));
  const others = rows.filter((row) => row.id !== self);
  const at = indexOf(others, position);
  const [before, after] = [others[at - 1]?.number, others[at]?.number];
  const middle = ((before ?? (after ?? 0) - 2) + (after ?? (before ?? 0) + 2)) / 2;
  if (middle !== before && middle !== after) return { own: { position: middle }, others: [] };
  return { own: { position: at + 1 }, others: [renumber(ctx, others, at)] };
}

function indexOf(others: readonly { id: number }[], position: Exclude<Position, number>): number {
  if (position === "first") return 0;
  if (position === "last") return others.length;
  const isAfter = "after" in position;
  const neighbour = isAfter ? position.after : position.before;
  const at = others.findIndex(({ id }) => id === neighbour);
  const path = isAfter ? "position.after" : "position.before";
  if (at < 0) throw validationFailed({ path, message: "must be the id of another list" });
  return isAfter ? at + 1 : at;
}

function renumber({ db }: Context, others: readonly { id: number }[], hole: number) {
  const numbers = others.map(({ id }, index) => [id, index < hole ? index + 1 : index + 2]);
  return db
    .update(taskLists)
    .set({
      position: sql`(SELECT value ->> 1 FROM json_each(${JSON.stringify(numbers)}) WHERE value ->> 0 = task_lists.id)`,
    })
    .where(sql`${taskLists.id} IN (SELECT value ->> 0 FROM json_each(${JSON.stringify(numbers)}))`)
    .returning();
}

/** Deletes a list. Its tasks are found by the search index: only open ones are in an index by list. */
export async function deleteList(
  ctx: Context,
  id: number,
  { tasks: what, moveTo }: ListDeletion,
  expected: ExpectedVersions,
): Promise<void> {
  if ((what === "move") !== (moveTo !== undefined)) {
    throw validationFailed({ path: "moveTo", message: "must be set with tasks=move, and only then" });
  }
  if (moveTo === id) throw validationFailed({ path: "moveTo", message: "must be the id of another list" });
  const { db } = ctx;
  const isThis = and(eq(taskLists.id, id), versionIs(taskLists.version, expected));
  const isIn = sql`id IN (SELECT rowid FROM tasks_search WHERE tasks_search MATCH ${`facets : l${id}`})`;
  const unknown = () => validationFailed({ path: "moveTo", message: "must be the id of a list" });
  const moved = { listId: moveTo ?? null, version: sql`${tasks.version} + 1`, updatedAt: ctx.now };
  const [, , deleted] = await runBatch(db, [
    assertExists(db, taskLists, isThis, () => whyMissed(db, taskLists, id, expected, `list ${id}`)),
    // Subtasks go with their parents, by triggers.
    what === "delete"
      ? db.delete(tasks).where(sql`${isIn} AND parent_id IS NULL`)
      : db.update(tasks).set(moved).where(sql`${isIn} AND parent_id IS NULL`),
    db.delete(taskLists).where(isThis).returning({ id: taskLists.id }),
    ...(moveTo === undefined
      ? []
      : [assertThat(db, "target_exists", sql`EXISTS (SELECT 1 FROM task_lists WHERE id = ${moveTo})`, unknown)]),
  ] as const);
  if (deleted.length === 0) throw missedWrite(undefined, `list ${id}`);
}

/** A list's name as it is compared: "Shopping", "shopping" and "Shopping list" are one. */
export function listNameKey(name: string): string {
  const key = name.trim().normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
  return key.replace(/ list$/, "");
}
