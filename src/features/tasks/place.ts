import { sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../context.ts";
import { assertThat } from "../../db/assert.ts";
import { assertEventExists } from "../../db/links.ts";
import { type Due, dueOfDate, dueOfMoment } from "../../lib/due.ts";
import { validationFailed } from "../../lib/errors.ts";
import { MAX_MINUTES_BEFORE, MAX_REMINDERS, type StoredReminder } from "../../lib/reminder-kinds.ts";
import { DUE_DATE_RULE, isDueDate, MAX_SUBTASKS, type RepeatFrom } from "../../lib/task-kinds.ts";
import { readingFor } from "../people/reading.ts";
import { type Group, placementOf } from "./position.ts";
import type { TaskChanges } from "./schemas.ts";

/* When a task is due, and where it belongs: what a request says about both, as columns and checks. */

/** The due date and repetition in a request. */
interface DueInput {
  dueAt?: Date | string | null | undefined;
  dueDate?: string | null | undefined;
  dueText?: string | undefined;
  timeZone?: string | undefined;
  rrule?: string | null | undefined;
  repeatFrom?: RepeatFrom | null | undefined;
  reminders?: readonly StoredReminder[] | null | undefined;
}

interface ReadDue {
  /** Null removes the due date, undefined keeps it. */
  due: Due | null | undefined;
  rule: { rrule: string; from: RepeatFrom } | null | undefined;
  zone: string;
  /** Those of the request, or else those that `dueText` asks for. Null for the defaults, undefined to keep them. */
  reminders: StoredReminder[] | null | undefined;
}

export async function readDue(ctx: Context, input: DueInput): Promise<ReadDue> {
  const reminders = input.reminders && [...input.reminders];
  const { dueAt, dueDate, dueText, timeZone: zone = timeZoneOf(ctx), rrule, repeatFrom } = input;
  const rule = typeof rrule === "string" ? { rrule, from: repeatFrom ?? "due" } : rrule;
  if (dueText === undefined) return { due: givenDue(zone, dueAt, dueDate), rule, zone, reminders };
  // The largest part of what tasks need, and of no use to a list or a task with `dueAt`.
  const { readDueText, whyNoDate } = await import("../../engine/due-text.ts");
  const options = { reference: ctx.now, ...readingFor(ctx, zone) };
  const read = readDueText(dueText, options);
  if (read && isDueDate(read.due)) {
    const due = dueOfMoment(read.due, zone);
    return { due, rule: rule ?? read.rule, zone, reminders: reminders ?? saidReminders(read.remindBefore) };
  }
  const unread = () =>
    whyNoDate(dueText, options) ?? `must be a date in words, such as "next friday 5pm"; "${dueText}" is not`;
  throw validationFailed({ path: "dueText", message: read ? DUE_DATE_RULE : unread() });
}

function saidReminders(minutes: readonly number[] | undefined): StoredReminder[] | undefined {
  const problem = (message: string) => validationFailed({ path: "dueText", message });
  if (minutes && minutes.length > MAX_REMINDERS) throw problem(`must ask for at most ${MAX_REMINDERS} reminders`);
  if (minutes?.some((each) => each > MAX_MINUTES_BEFORE)) throw problem("must remind at most four weeks before");
  return minutes?.map((minutesBefore) => ({ minutesBefore, channel: "default" }));
}

/** A record that is sent back has one of the two, and null for the other. */
function givenDue(zone: string, dueAt: DueInput["dueAt"], dueDate: DueInput["dueDate"]): Due | null | undefined {
  const date = dueDate ?? (typeof dueAt === "string" ? dueAt : undefined);
  if (date !== undefined) return dueOfDate(date, zone);
  if (dueAt instanceof Date) return { dueAt, dueDate: null };
  return dueAt === null || dueDate === null ? null : undefined;
}

/** The fields of a request that decide where a task belongs. */
type PlaceInput = Pick<TaskChanges, "listId" | "parentId" | "position" | "eventId" | "rrule">;

/** The group that a task is in after the request. `self`: undefined for a new task. */
export function groupOf({ listId, parentId }: PlaceInput, self?: number): Group {
  const own = (column: string) =>
    self === undefined ? sql`NULL` : sql`(SELECT ${sql.raw(column)} FROM tasks WHERE id = ${self})`;
  const parent = parentId === undefined ? own("parent_id") : sql`${parentId}`;
  if (parentId) return { parent, list: sql`(SELECT list_id FROM tasks WHERE id = ${parentId})` };
  return { parent, list: listId === undefined ? own("list_id") : sql`${listId}` };
}

/** The columns to write, and the checks for the batch that writes them. */
export function placeOf(ctx: Context, input: PlaceInput, self?: number) {
  const { listId, parentId, position } = input;
  const placement = position === undefined ? undefined : placementOf(ctx, position, groupOf(input, self), self);
  return {
    columns: {
      ...(parentId !== undefined && { parentId }),
      ...(parentId
        ? { listId: sql`(SELECT list_id FROM tasks AS parent WHERE parent.id = ${parentId})` }
        : listId !== undefined && { listId }),
      ...(placement && { position: placement.value }),
    },
    checks: [
      ...checkList(ctx, input, self),
      ...checkParent(ctx, input, self),
      ...checkEvent(ctx, input),
      ...(placement?.checks ?? []),
    ],
  };
}

function checkList({ db }: Context, { listId, parentId }: PlaceInput, self: number | undefined) {
  if (listId === undefined || parentId) return [];
  const unknown = () => validationFailed({ path: "listId", message: "must be the id of a list" });
  const isThere = sql`EXISTS (SELECT 1 FROM task_lists WHERE id = ${listId})`;
  const exists = listId === null ? [] : [assertThat(db, "list_exists", isThere, unknown)];
  if (self === undefined || parentId === null) return exists;
  const message = "cannot differ from the list of the parent";
  const isFree = sql`NOT EXISTS (SELECT 1 FROM tasks WHERE id = ${self} AND parent_id IS NOT NULL AND list_id IS NOT ${listId})`;
  return [
    ...exists,
    assertThat(db, "list_is_the_parents", isFree, () => validationFailed({ path: "listId", message })),
  ];
}

function checkParent({ db }: Context, { parentId, rrule }: PlaceInput, self: number | undefined) {
  const refusal = (message: string) => () => validationFailed({ path: "parentId", message });
  if (!parentId) return [];
  const isParent = sql`EXISTS (SELECT 1 FROM tasks WHERE id = ${parentId} AND parent_id IS NULL
    AND coalesce(subtasks_total, 0) < ${MAX_SUBTASKS})`;
  const needed = `must be the id of a task that is no subtask and has fewer than ${MAX_SUBTASKS} subtasks`;
  const exists = assertThat(db, "parent_is_task", isParent, refusal(needed));
  if (rrule) throw validationFailed({ path: "rrule", message: "cannot be set for a subtask" });
  if (self === undefined) return [exists];
  if (parentId === self) throw refusal("must be the id of another task")();
  const isParentItself = sql`EXISTS (SELECT 1 FROM tasks WHERE parent_id = ${self})`;
  const repeats = sql`EXISTS (SELECT 1 FROM tasks WHERE id = ${self} AND repetition IS NOT NULL)`;
  return [
    exists,
    assertThat(
      db,
      "task_has_no_subtasks",
      sql`NOT ${isParentItself}`,
      refusal("cannot be set for a task with subtasks"),
    ),
    ...(rrule === null
      ? []
      : [assertThat(db, "task_repeats_not", sql`NOT ${repeats}`, refusal("cannot be set for a task that repeats"))]),
  ];
}

function checkEvent({ db }: Context, { eventId }: PlaceInput) {
  const refusal = () => validationFailed({ path: "eventId", message: "must be the id of a stored event" });
  return eventId ? [assertEventExists(db, eventId, refusal)] : [];
}
