import type { TaskRow } from "../../db/schema/tasks.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-times.ts";
import { toReminders } from "../../lib/reminder-kinds.ts";
import type { Task } from "./schemas.ts";

type Unshown = "emailPart" | "dueSlot" | "priorityOrder";

/** Columns that a row which was just inserted need not have. */
type Optional =
  | "dueDate"
  | "listId"
  | "parentId"
  | "position"
  | "estimateMinutes"
  | "repetition"
  | "subtasksTotal"
  | "subtasksDone";
type ShownRow = Omit<TaskRow, Unshown | Optional> & Partial<Pick<TaskRow, Optional>>;

/** Member by member: lists are made of these, and a new column is not shown by default. */
export function toTask(row: ShownRow): Task {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    // A day's last millisecond is how the day is stored, and no due time.
    dueAt: row.dueDate ? null : isoTimeOrNull(row.dueAt),
    dueDate: row.dueDate ?? null,
    tags: row.tags,
    source: row.source,
    outside: row.outside,
    emailId: row.emailId,
    eventId: row.eventId,
    quote: row.quote,
    completedAt: isoTimeOrNull(row.completedAt),
    listId: row.listId ?? null,
    parentId: row.parentId ?? null,
    subtasks: { done: row.subtasksDone ?? 0, total: row.subtasksTotal ?? 0 },
    position: row.position ?? row.id,
    estimateMinutes: row.estimateMinutes ?? null,
    rrule: row.repetition?.rrule ?? null,
    repeatFrom: row.repetition?.from ?? null,
    reminders: toReminders(row.reminders ?? null),
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
