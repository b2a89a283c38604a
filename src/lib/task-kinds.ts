export const TASK_STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"] as const;
export const PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export const TASK_SOURCES = ["manual", "email", "chat", "workflow", "stream"] as const;

const EARLIEST_DUE = Date.UTC(1970, 0, 1);
export const LATEST_DUE = Date.UTC(3000, 0, 1);
export const DUE_DATE_RULE = "must be from 1970 to 2999";

export function isDueDate(moment: Date): boolean {
  return moment.getTime() >= EARLIEST_DUE && moment.getTime() < LATEST_DUE;
}

export type TaskStatus = (typeof TASK_STATUSES)[number];

export function isOpen(status: TaskStatus): boolean {
  return status !== "done" && status !== "cancelled";
}

/** `open`: those that are neither done nor cancelled. */
export const OPEN_STATUSES = TASK_STATUSES.filter(isOpen);

export const LIST_COLORS = [
  "gray",
  "red",
  "orange",
  "yellow",
  "green",
  "teal",
  "blue",
  "purple",
  "pink",
  "brown",
] as const;

/** So many lists, and so many subtasks of one task. */
export const MAX_LISTS = 200;
export const MAX_SUBTASKS = 100;
/** As many as a chat can propose at once. */
export const MAX_PLANNED = 10;
/** A day's work, and more. */
export const MAX_ESTIMATE_MINUTES = 10_000;

/** Whether the next due date of a repeating task is counted from the due date or from the completion. */
export const REPEAT_FROM = ["due", "done"] as const;
export type RepeatFrom = (typeof REPEAT_FROM)[number];

/** Of a change to a task that repeats. `this`: the next occurrence is as if nothing had been changed. */
export const EDIT_SCOPES = ["this", "all"] as const;
export type EditScope = (typeof EDIT_SCOPES)[number];
