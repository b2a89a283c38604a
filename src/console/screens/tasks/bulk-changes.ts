import { api, type Returned } from "../../client/api.ts";
import { change } from "../../client/changes.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { endSelection } from "./selection.ts";
import type { Task } from "./task.ts";
import { takeBack } from "./task-changes.ts";

type BulkFields = Partial<Pick<Task, "status" | "priority" | "listId" | "dueAt" | "dueDate">>;

/** Makes the same change to several tasks: one request, which one Undo takes back. */
export function changeTasks(chosen: readonly Task[], fields: BulkFields, done: string): void {
  const ids = chosen.map(({ id }) => id);
  // A day takes the place of a time by itself; sending both is refused.
  const { dueAt, ...rest } = fields;
  const body = { ids, ...(fields.dueDate ? rest : fields) };
  void change<Task, Returned<"/api/tasks", "patch">>({
    kind: "task",
    ids,
    edit: (each) => ({ ...each, ...fields }),
    send: () => api.patch("/api/tasks", { body }),
    failed: m.notSaved,
    undo: { done, send: ({ undo }) => takeBack(undo) },
  });
  endSelection();
}
