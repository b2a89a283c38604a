import type { TaskRow } from "../../db/schema/tasks.ts";
import { toReminders } from "../../lib/reminder-kinds.ts";
import type { Task } from "./schemas.ts";

type Unshown = "emailPart" | "dueSlot" | "priorityOrder";

/** Member by member: lists are made of these, and a new column is not shown by default. */
export function toTask(row: Omit<TaskRow, Unshown>): Task {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    status: row.status,
    priority: row.priority,
    dueAt: row.dueAt?.toISOString() ?? null,
    tags: row.tags,
    source: row.source,
    outside: row.outside,
    emailId: row.emailId,
    eventId: row.eventId,
    quote: row.quote,
    completedAt: row.completedAt?.toISOString() ?? null,
    reminders: toReminders(row.reminders),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
