import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { StoredReminder } from "../../lib/reminder-kinds.ts";
import { PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { moment } from "../columns.ts";
import { emails } from "./emails.ts";

/** Places in one millisecond, and the place of the first task without a due time. */
export const PLACES = 2 ** 18;
export const UNDATED = "9000000000000000000";

/** A due time is never later than 2999, so that the largest place of a dated task is below `UNDATED`. */
const PLACE = `iif(due_at IS NULL, ${UNDATED} + id, (due_at << 18) + coalesce(due_slot, id & ${PLACES - 1}))`;

/**
 * Tasks. Triggers keep the two search indexes and statistics (triggers/tasks.sql). Lists with a filter, and those by
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
    dueAt: moment("due_at"),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    source: text("source", { enum: TASK_SOURCES }).notNull(),
    /** Whether any of its words may come from other people or programs (`lib/outside-words.ts`). True if nobody says. */
    outside: integer("outside", { mode: "boolean" }).notNull().default(true),
    /** The task stays when its email is deleted. */
    emailId: integer("email_id").references(() => emails.id, { onDelete: "set null" }),
    /** The task stays when its event is deleted or marked as deleted: triggers remove the link. */
    eventId: integer("event_id"),
    quote: text("quote"),
    /** Which part of its email the task is from, so that each part becomes a task once. */
    emailPart: text("email_part"),
    completedAt: moment("completed_at"),
    /** Null: the defaults of each person's profile. */
    reminders: text("reminders", { mode: "json" }).$type<StoredReminder[]>(),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    /** Set where another task due in the same millisecond has the place that the id gives (triggers/tasks.sql). */
    dueSlot: integer("due_slot"),
    /** Its place by due time, which no other task has. Too large for a number of JavaScript: only SQL may read it. */
    place: integer("place").generatedAlwaysAs((): SQL => sql.raw(PLACE)),
    priorityOrder: integer("priority_order").generatedAlwaysAs(
      (): SQL => sql`CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END`,
    ),
  },
  (table) => [
    index("tasks_event_id").on(table.eventId).where(sql`event_id IS NOT NULL`),
    uniqueIndex("tasks_email_part").on(table.emailId, table.emailPart).where(sql`email_id IS NOT NULL`),
    index("tasks_place").on(table.place),
    index("tasks_status_place").on(table.status, table.place),
  ],
);

const { place, ...readable } = getTableColumns(tasks);
/** The columns to select: all but `place`. */
export const taskColumns = readable;
export type TaskRow = Omit<typeof tasks.$inferSelect, "place">;

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
