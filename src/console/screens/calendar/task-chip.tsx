import type { Task } from "../tasks/task.ts";
import { toggleTask } from "../tasks/task-changes.ts";

/** A task of the day: tick it off here, or open it. */
export function TaskChip({ task, tabIndex }: { task: Task; tabIndex: number }) {
  return (
    <span class="cal-task line gap-0">
      <input
        type="checkbox"
        class={`checkbox ${task.priority}`}
        aria-label={task.title}
        checked={false}
        tabIndex={tabIndex}
        onChange={() => toggleTask(task)}
      />
      <a class="plain clip" href={`/app/tasks/${task.id}`} tabIndex={tabIndex} draggable={false}>
        {task.title}
      </a>
    </span>
  );
}
