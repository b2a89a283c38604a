import type { tasks } from "../../db/schema/tasks.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import type { Task } from "./schemas.ts";

type TaskRow = typeof tasks.$inferSelect;

export function toTask({ emailPart, dueOrder, priorityOrder, ...shown }: TaskRow): Task {
  return withIsoTimes(shown);
}
