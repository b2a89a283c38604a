import { withQuery } from "../../lib/router.ts";
import { dayOf, type TimeHabits, timeText } from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";
import { Icon } from "../../ui/icon.tsx";
import { dueOf, dueText, isOpen, type Task } from "./task.ts";
import { toggleTask } from "./task-changes.ts";

interface TaskRowProps {
  task: Task;
  habits: TimeHabits;
  now: Date;
  /** Where the sheet of the task opens. */
  href?: string;
  /** The date is left out where the heading already says it. */
  showsToday?: boolean;
  /** Without tags, where there is little room. */
  isCompact?: boolean;
}

export function TaskRow({ task, habits, now, href, showsToday = true, isCompact = false }: TaskRowProps) {
  const due = dueOf(habits, task);
  const isLate = due !== null && isOpen(task) && (due.at ? due.at < now : due.day < dayOf(habits, now));
  const isToday = due !== null && due.day === dayOf(habits, now);
  const when = due && (showsToday || !isToday ? dueText(habits, now, due) : due.at && timeText(habits, due.at));
  const address = href ?? withQuery({}, `/app/tasks/${task.id}`);
  return (
    <li class="task" data-row data-id={task.id} data-done={!isOpen(task)}>
      <input
        type="checkbox"
        class={`checkbox ${task.priority}`}
        aria-label={task.title}
        checked={!isOpen(task)}
        disabled={task.id < 0}
        onChange={() => toggleTask(task)}
      />
      <a class="task-title" data-row-focus href={address}>
        {task.title}
      </a>
      <span class="task-facts">
        {!isCompact &&
          task.tags.map((tag) => (
            <span key={tag} class="task-tag">
              {tag}
            </span>
          ))}
        {task.subtasks.total > 0 && (
          <span class="task-fact">
            <Icon name="subtasks" size={14} />
            {tasks.progress(task.subtasks.done, task.subtasks.total)}
          </span>
        )}
        {task.rrule !== null && <Icon name="repeat" size={14} />}
        {task.emailId !== null && <Icon name="mail" size={14} />}
        {task.priority === "urgent" || task.priority === "high" ? (
          <span class={`task-priority ${task.priority}`}>
            <Icon name="flag" size={14} />
            {tasks.priorities[task.priority]}
          </span>
        ) : null}
        {when && <span class={isLate ? "task-due late" : "task-due"}>{when}</span>}
      </span>
    </li>
  );
}
