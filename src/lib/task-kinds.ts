export const TASK_STATUSES = ["todo", "in_progress", "waiting", "done", "cancelled"] as const;
export const PRIORITIES = ["low", "medium", "high", "urgent"] as const;
export const TASK_SOURCES = ["manual", "email", "chat", "workflow", "stream"] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

export function isOpen(status: TaskStatus): boolean {
  return status !== "done" && status !== "cancelled";
}
