import type { ComponentChildren } from "preact";
import { memo } from "../../lib/memo.ts";
import { dayOf, type TimeHabits, timeText } from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";
import { Icon } from "../../ui/icon.tsx";
import { dueOf, dueText, isOpen, type Task } from "./task.ts";
import { toggleTask } from "./task-changes.ts";

interface TaskRowProps {
  task: Task;
  habits: TimeHabits;
  now: Date;
  /** What follows in the address of its sheet: the filters. */
  search?: string;
  /** The date is left out where the heading already says it. */
  showsToday?: boolean;
  /** Without tags, where there is little room. */
  isCompact?: boolean;
  isSelected?: boolean;
  /** Whether it has a box to be ticked for a bulk change. */
  isSelecting?: boolean;
  /** `through`: with everything since the last one. */
  onSelect?(task: Task, through: boolean): void;
  /** To drag it by. */
  handle?: ComponentChildren;
}

export const TaskRow = memo(function TaskRow(props: TaskRowProps) {
  const { task, habits, now, search = "", showsToday = true, isCompact = false } = props;
  const { isSelected = false, isSelecting = false, onSelect, handle } = props;
  const due = dueOf(habits, task);
  const isLate = due !== null && isOpen(task) && (due.at ? due.at < now : due.day < dayOf(habits, now));
  const isToday = due !== null && due.day === dayOf(habits, now);
  const when = due && (showsToday || !isToday ? dueText(habits, now, due) : due.at && timeText(habits, due.at));
  return (
    <li class="task line hovers" data-row data-id={task.id} data-done={!isOpen(task)} data-selected={isSelected}>
      {handle}
      {isSelecting && (
        <input
          type="checkbox"
          class="checkbox square"
          aria-label={tasks.select(task.title)}
          checked={isSelected}
          onClick={(event) => onSelect?.(task, event.shiftKey)}
        />
      )}
      <input
        type="checkbox"
        class={`checkbox ${task.priority}`}
        aria-label={task.title}
        checked={!isOpen(task)}
        disabled={task.id < 0}
        onChange={() => toggleTask(task)}
      />
      <a
        class="task-title grow"
        data-row-focus
        href={`/app/tasks/${task.id}${search}`}
        onClick={(event) => {
          // The browser would open a window.
          if (!onSelect || !event.shiftKey) return;
          event.preventDefault();
          onSelect(task, true);
        }}
      >
        {task.title}
      </a>
      <span class="task-facts line gap-12 hint">
        {!isCompact &&
          task.tags.map((tag) => (
            <span key={tag} class="task-tag">
              {tag}
            </span>
          ))}
        {task.subtasks.total > 0 && (
          <span class="line inline gap-4">
            <Icon name="subtasks" size={14} />
            {tasks.progress(task.subtasks.done, task.subtasks.total)}
          </span>
        )}
        {task.rrule !== null && <Icon name="repeat" size={14} />}
        {task.emailId !== null && <Icon name="mail" size={14} />}
        {task.priority === "urgent" || task.priority === "high" ? (
          <span class={`task-priority line inline gap-4 ${task.priority}`}>
            <Icon name="flag" size={14} />
            {tasks.priorities[task.priority]}
          </span>
        ) : null}
        {when && <span class={isLate ? "task-due late" : "task-due"}>{when}</span>}
      </span>
    </li>
  );
});
