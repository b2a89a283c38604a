import type { TaskRow } from "../../db/schema/tasks.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-times.ts";
import { toReminders } from "../../lib/reminder-kinds.ts";
import type { Task } from "./schemas.ts";

type Unshown = "emailPart" | "lostEventId" | "dueSlot" | "priorityOrder";

/** Member by member: lists are made of these, and a new column is not shown by default. */
export function toTask(row: Omit<TaskRow, Unshown>): Task {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    // A day's last millisecond is how the day is stored, and no due time.
    dueAt: row.dueDate ? null : isoTimeOrNull(row.dueAt),
    dueDate: row.dueDate,
    tags: row.tags,
    source: row.source,
    outside: row.outside,
    emailId: row.emailId,
    eventId: row.eventId,
    quote: row.quote,
    completedAt: isoTimeOrNull(row.completedAt),
    listId: row.listId,
    parentId: row.parentId,
    subtasks: { done: row.subtasksDone ?? 0, total: row.subtasksTotal ?? 0 },
    position: row.position ?? row.id,
    estimateMinutes: row.estimateMinutes,
    rrule: row.repetition?.rrule ?? null,
    repeatFrom: row.repetition?.from ?? null,
    reminders: toReminders(row.reminders),
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
