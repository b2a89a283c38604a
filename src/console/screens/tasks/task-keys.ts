import { currentRow, moveRow } from "../../lib/rows.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { shell } from "../../messages/shell.ts";
import { tasks } from "../../messages/tasks.ts";
import type { Task } from "./task.ts";
import { deleteTask, toggleTask } from "./task-changes.ts";

/** What the keys do where several tasks can be ticked. */
interface Bulk {
  /** Asked when a key is pressed: keys may come faster than the screen is drawn. */
  ticked(): readonly Task[];
  onSelect(task: Task): void;
  onEnd(): void;
  complete(tasks: readonly Task[]): void;
  remove(tasks: readonly Task[]): void;
}

/** The keys of lists of tasks, here and on Today. */
export function useTaskKeys(all: readonly Task[], bulk: Bulk | null = null): void {
  const group = shell.shortcuts.lists;
  const current = () => all.find(({ id }) => String(id) === currentRow()?.dataset.id);
  /** Acts on the row that has the focus, and moves on before it leaves. */
  const act = (run: (task: Task) => void, runAll?: (tasks: readonly Task[]) => void) => () => {
    const ticked = bulk?.ticked() ?? [];
    if (runAll && ticked.length > 0) return runAll(ticked);
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
      { keys: "e", label: tasks.shortcuts.complete, group, run: act(toggleTask, bulk?.complete) },
      { keys: "#", label: tasks.delete, group, run: act(deleteTask, bulk?.remove) },
      ...(bulk
        ? [
            {
              keys: "x",
              label: tasks.shortcuts.select,
              group,
              run: () => {
                const task = current();
                if (task) bulk.onSelect(task);
              },
            },
            { keys: "Escape", label: tasks.clearSelection, group, run: bulk.onEnd },
          ]
        : []),
    ],
    [all],
  );
}
