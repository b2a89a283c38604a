import type { components } from "#api";
import { patched } from "../../client/changes.ts";
import { type ListResult, useGet, useList } from "../../client/queries.ts";
import { isOpen, type Task } from "./task.ts";

export interface TaskFilters {
  q: string;
  tag: string;
  priority: string;
  list: string;
  /** In the order that the person has given the tasks of a list. */
  isByHand: boolean;
}

type TaskListRecord = components["schemas"]["TaskListRecord"];

/** Tasks with the changes that are under way. Subtasks are in the sheet of their task; a search finds them too. */
export function useTasks(status: "open" | "done", filters: TaskFilters, enabled = true): ListResult<Task> {
  const { q, tag, priority, list: listId, isByHand } = filters;
  const list = useList(["task", "list", status, filters], "/api/tasks", {
    query: {
      status,
      sort: status === "done" ? "created" : isByHand ? "position" : "due",
      limit: 100,
      ...(q && { q }),
      ...(tag && { tag }),
      ...(priority && { priority }),
      ...(listId && { listId }),
      ...(!q && { parentId: "none" }),
    },
    enabled,
  });
  const fits = (task: Task) =>
    isOpen(task) === (status === "open") &&
    (q !== "" || task.parentId === null) &&
    (tag === "" || task.tags.includes(tag)) &&
    (priority === "" || task.priority === priority) &&
    (listId === "" || String(task.listId ?? "none") === listId);
  return { ...list, records: list.records && patched("task", list.records).filter(fits) };
}

/** The steps of a task, in their order. */
export function useSubtasks(parentId: number): ListResult<Task> {
  const list = useList(["task", "list", "subtasks", parentId], "/api/tasks", {
    query: { parentId: String(parentId), status: "all", sort: "created", limit: 100 },
    enabled: parentId > 0,
  });
  const records =
    list.records &&
    patched("task", list.records)
      .filter((task) => task.parentId === parentId && task.status !== "cancelled")
      .sort((a, b) => a.position - b.position || a.id - b.id);
  return { ...list, records };
}

export function useTaskLists(): readonly TaskListRecord[] {
  const { data } = useGet(["task", "lists"], "/api/tasks/lists", { query: { limit: 100 } });
  return data?.data ?? [];
}
