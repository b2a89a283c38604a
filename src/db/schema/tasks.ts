import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { StoredReminder } from "../../lib/reminder-kinds.ts";
import type { Repetition } from "../../lib/repetition.ts";
import { LIST_COLORS, PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { moment, versionColumns } from "../columns.ts";
import { emailKey } from "./keys.ts";

/** Places in one millisecond, and the place of the first task without a due time. */
export const PLACES = 2 ** 18;
export const UNDATED = "9000000000000000000";

/** A due time is never later than 2999, so that the largest place of a dated task is below `UNDATED`. */
const PLACE = `iif(due_at IS NULL, ${UNDATED} + id, (due_at << 18) + coalesce(due_slot, id & ${PLACES - 1}))`;

/** The condition of the index of open tasks by hand. A query has to say it in the same words. */
export const IS_OPEN = "status NOT IN ('done', 'cancelled')";

/**
 * Tasks. Triggers keep the two search indexes and statistics (triggers/generated.ts). Lists with a filter, and those by
 * priority, read a search index: it has the filters as words, and costs one row for all of them.
 */
export const tasks = sqliteTable(
  "tasks",
  {
    /** Of a new task: `db/next-id.ts`. */
    id: integer("id").primaryKey(),
    title: text("title").notNull(),
    description: text("description").notNull(),
    status: text("status", { enum: TASK_STATUSES }).notNull(),
    priority: text("priority", { enum: PRIORITIES }).notNull(),
    /** Of a task with `dueDate`: the last millisecond of that day. Lists, counts and reminders need no other column. */
    dueAt: moment("due_at"),
    /** A day without a time, such as 2026-11-20. */
    dueDate: text("due_date"),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    source: text("source", { enum: TASK_SOURCES }).notNull(),
    /** Whether any of its words may come from other people or programs (`lib/outside-words.ts`). True if nobody says. */
    outside: integer("outside", { mode: "boolean" }).notNull().default(true),
    /** The task stays when its email is deleted. */
    emailId: integer("email_id").references(emailKey, { onDelete: "set null" }),
    /** The task stays when its event is deleted or marked as deleted: triggers move the link to `lostEventId`. */
    eventId: integer("event_id"),
    /** Triggers link the task again when this event comes back. Whoever writes `eventId` sets it to null. */
    lostEventId: integer("lost_event_id"),
    quote: text("quote"),
    /** Which part of its email the task is from, so that each part becomes a task once. */
    emailPart: text("email_part"),
    completedAt: moment("completed_at"),
    /** A subtask has that of its parent: triggers keep it. */
    listId: integer("list_id"),
    /** A subtask is deleted with its parent, by a trigger: an import may bring it before the parent. */
    parentId: integer("parent_id"),
    /** Set where a person has moved the task. */
    position: real("position"),
    estimateMinutes: integer("estimate_minutes"),
    repetition: text("repetition", { mode: "json" }).$type<Repetition>(),
    /** How many subtasks there are, without cancelled ones, and how many of them are done. Written by triggers. */
    subtasksTotal: integer("subtasks_total"),
    subtasksDone: integer("subtasks_done"),
    /** Null: the defaults of each person's profile. */
    reminders: text("reminders", { mode: "json" }).$type<StoredReminder[]>(),
    ...versionColumns(),
    /** Set where another task due in the same millisecond has the place that the id gives (triggers/generated.ts). */
    dueSlot: integer("due_slot"),
    /** Its place by due time, which no other task has. Too large for a number of JavaScript: only SQL may read it. */
    place: integer("place").generatedAlwaysAs((): SQL => sql.raw(PLACE)),
    closed: integer("closed").generatedAlwaysAs((): SQL => sql.raw("iif(status IN ('done', 'cancelled'), 1, 0)")),
    /** Its place in its list or under its parent. New tasks come last, because ids increase. */
    rank: real("rank").generatedAlwaysAs((): SQL => sql.raw("coalesce(position, id)")),
    priorityOrder: integer("priority_order").generatedAlwaysAs(
      (): SQL => sql`CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END`,
    ),
  },
  (table) => [
    index("tasks_event_id").on(table.eventId).where(sql`event_id IS NOT NULL`),
    index("tasks_lost_event_id").on(table.lostEventId).where(sql`lost_event_id IS NOT NULL`),
    uniqueIndex("tasks_email_part").on(table.emailId, table.emailPart).where(sql`email_id IS NOT NULL`),
    index("tasks_parent").on(table.parentId).where(sql`parent_id IS NOT NULL`),
    // One index for both: whatever reads all tasks by place reads its two halves.
    index("tasks_closed_place").on(table.closed, table.place),
    index("tasks_open_rank").on(table.listId, table.parentId, table.rank).where(sql.raw(IS_OPEN)),
  ],
);

/**
 * The columns that lists filter by, each with the letter that its words in the search indexes begin with. A column that
 * is added here is indexed by the next `npm run migration`, and a filter of that name in `TaskQuery` finds it.
 */
export const TASK_FACETS = {
  status: "s",
  priority: "p",
  source: "o",
  emailId: "e",
  listId: "l",
  parentId: "c",
  tags: "t",
} as const satisfies Partial<Record<keyof typeof tasks.$inferSelect, string>>;

const { place, closed, rank, ...readable } = getTableColumns(tasks);
/** The columns to select: all but those that only SQL reads. */
export const taskColumns = readable;
export type TaskRow = Omit<typeof tasks.$inferSelect, "place" | "closed" | "rank">;

/** Lists of tasks, such as projects or a shopping list. */
export const taskLists = sqliteTable(
  "task_lists",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    name: text("name").notNull(),
    /** The name as it is compared: two lists cannot differ in upper and lower case alone. */
    nameKey: text("name_key").notNull(),
    color: text("color", { enum: LIST_COLORS }).notNull(),
    /** Whether its name may come from other people or programs, as for tasks. True if nobody says. */
    outside: integer("outside", { mode: "boolean" }).notNull().default(true),
    position: real("position").notNull(),
    archivedAt: moment("archived_at"),
    /** Tasks that are open, and all of them. Written by triggers. */
    openTasks: integer("open_tasks").notNull().default(0),
    totalTasks: integer("total_tasks").notNull().default(0),
    ...versionColumns(),
  },
  (table) => [uniqueIndex("task_lists_name").on(table.nameKey)],
);

/** What a bulk change has changed, for a day, so that it can be taken back. */
export const taskUndos = sqliteTable(
  "task_undos",
  {
    id: text("id").primaryKey(),
    /** The tasks as they were, with the version that the change gave them. */
    before: text("before", { mode: "json" }).$type<Record<string, unknown>[]>().notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("task_undos_expires").on(table.expiresAt)],
);

/** One row: the number of tasks by status, and the last id that was used. Written by triggers. */
export const taskTotals = sqliteTable("task_totals", {
  id: integer("id").primaryKey(),
  lastId: integer("last_id").notNull().default(0),
  todo: integer("todo").notNull().default(0),
  in_progress: integer("in_progress").notNull().default(0),
  waiting: integer("waiting").notNull().default(0),
  done: integer("done").notNull().default(0),
  cancelled: integer("cancelled").notNull().default(0),
});

/** What the next occurrence of a series takes from the one before. */
export const INHERITED = {
  title: tasks.title,
  description: tasks.description,
  priority: tasks.priority,
  tags: tasks.tags,
  listId: tasks.listId,
  estimateMinutes: tasks.estimateMinutes,
} as const;
