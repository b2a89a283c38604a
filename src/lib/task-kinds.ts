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
