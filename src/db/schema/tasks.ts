import { type SQL, sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PRIORITIES, TASK_SOURCES, TASK_STATUSES } from "../../lib/task-kinds.ts";
import { moment } from "../columns.ts";
import { emails } from "./emails.ts";

/** Later than any date: the place of tasks without a due date. */
export const NEVER = 8_640_000_000_000_001;

/** Not bound as parameters: SQLite only uses the partial indexes for this literal text. */
export const IS_OPEN = sql.raw("status IN ('todo', 'in_progress', 'waiting')");

/** Tasks. Triggers keep the search index, `task_tags` and statistics (triggers/tasks.sql). */
export const tasks = sqliteTable(
  "tasks",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
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
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
    dueOrder: integer("due_order").generatedAlwaysAs((): SQL => sql.raw(`coalesce(due_at, ${NEVER})`)),
    priorityOrder: integer("priority_order").generatedAlwaysAs(
      (): SQL => sql`CASE priority WHEN 'urgent' THEN 0 WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END`,
    ),
  },
  (table) => [
    index("tasks_event_id").on(table.eventId).where(sql`event_id IS NOT NULL`),
    uniqueIndex("tasks_email_part").on(table.emailId, table.emailPart),
    index("tasks_due").on(table.dueOrder, table.id),
    index("tasks_priority").on(table.priorityOrder, table.dueOrder, table.id),
    index("tasks_priority_created").on(table.priorityOrder, table.id),
    index("tasks_status_due").on(table.status, table.dueOrder, table.id),
    index("tasks_status_created").on(table.status, table.id),
    index("tasks_status_priority").on(table.status, table.priorityOrder, table.dueOrder, table.id),
    index("tasks_source_created").on(table.source, table.id),
    index("tasks_source_priority").on(table.source, table.priorityOrder, table.dueOrder, table.id),
    index("tasks_open_by_due").on(table.dueOrder, table.id).where(IS_OPEN),
    index("tasks_open_priority").on(table.priorityOrder, table.dueOrder, table.id).where(IS_OPEN),
  ],
);

/** The tags of `tasks` as rows, with what lists are ordered by. Written by triggers. */
export const taskTags = sqliteTable(
  "task_tags",
  {
    tag: text("tag").notNull(),
    taskId: integer("task_id").notNull(),
    dueOrder: integer("due_order").notNull().default(NEVER),
    priorityOrder: integer("priority_order").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.tag, table.taskId] }),
    index("task_tags_task_id").on(table.taskId),
    index("task_tags_due").on(table.tag, table.dueOrder, table.taskId),
    index("task_tags_priority").on(table.tag, table.priorityOrder, table.dueOrder, table.taskId),
  ],
);
