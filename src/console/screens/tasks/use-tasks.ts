import { api } from "../../client/api.ts";
import { patched } from "../../client/changes.ts";
import { type ListResult, useList } from "../../client/queries.ts";
import { isOpen, type Task } from "./task.ts";

export interface TaskFilters {
  q: string;
  tag: string;
  priority: string;
}

const OPEN = "todo,in_progress,waiting";

/** The open tasks, with the changes that are under way; what was ticked off a moment ago is among them. */
export function useOpenTasks(filters: TaskFilters): ListResult<Task> {
  return useFilteredTasks("open", OPEN, filters, true);
}

export function useDoneTasks(filters: TaskFilters, enabled: boolean): ListResult<Task> {
  return useFilteredTasks("done", "done", filters, enabled);
}

function useFilteredTasks(name: "open" | "done", status: string, filters: TaskFilters, enabled: boolean) {
  const list = useList<Task>({
    key: ["task", "list", name, filters],
    enabled,
    read: (cursor, signal) =>
      api.get("/api/tasks", {
        query: { ...given(filters), status, sort: name === "open" ? "due" : "created", limit: 100, cursor },
        signal,
      }),
  });
  const records = list.records && patched("task", list.records).filter((task) => isOpen(task) === (name === "open"));
  return { ...list, records };
}

function given({ q, tag, priority }: TaskFilters) {
  return { q: q || undefined, tag: tag || undefined, priority: priority || undefined };
}
