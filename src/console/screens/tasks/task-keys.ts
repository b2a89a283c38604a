import { currentRow, moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { shell } from "../../messages/shell.ts";
import { tasks } from "../../messages/tasks.ts";
import type { Task } from "./task.ts";
import { deleteTask, toggleTask } from "./task-changes.ts";

/** The keys of lists of tasks, here and on Today. */
export function useTaskKeys(all: readonly Task[]): void {
  const group = shell.shortcuts.lists;
  const current = () => all.find(({ id }) => String(id) === currentRow()?.dataset.id);
  /** Acts on the row that has the focus, and moves on before it leaves. */
  const act = (run: (task: Task) => void) => () => {
    const task = current();
    if (!task) return;
    const row = currentRow();
    moveRow(1);
    if (currentRow() === row) moveRow(-1);
    run(task);
  };
  useShortcuts(
    () => [
      { keys: "j", label: tasks.shortcuts.next, group, run: () => moveRow(1) },
      { keys: "k", label: tasks.shortcuts.previous, group, run: () => moveRow(-1) },
      { keys: "e", label: tasks.shortcuts.complete, group, run: act(toggleTask) },
      { keys: "#", label: tasks.delete, group, run: act(deleteTask) },
    ],
    [all],
  );
}
