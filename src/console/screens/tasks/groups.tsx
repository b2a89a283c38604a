import { useId } from "preact/hooks";
import type { ListResult } from "../../client/queries.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { Icon } from "../../ui/icon.tsx";
import { Pending } from "../../ui/states.tsx";
import { Windowed } from "../../ui/windowed.tsx";
import { isSelecting, selected } from "./selection.ts";
import type { Group, Task } from "./task.ts";
import { TaskRow } from "./task-row.tsx";

const ROW_PX = 41;

interface Times {
  habits: TimeHabits;
  now: Date;
}

interface TaskGroupProps extends Times {
  group: Group;
  tasks: readonly Task[];
  search: string;
  onSelect(task: Task, through: boolean): void;
}

export function TaskGroup({ group, tasks, habits, now, search, onSelect }: TaskGroupProps) {
  const id = useId();
  if (tasks.length === 0) return null;
  return (
    <section class={`task-group ${group}`} aria-labelledby={id}>
      <h2 id={id} class="group-head">
        {m.groups[group]} <span class="count">{tasks.length}</span>
      </h2>
      <ul>
        <Windowed items={tasks} guess={ROW_PX}>
          {(task) => (
            <TaskRow
              key={task.id}
              task={task}
              habits={habits}
              now={now}
              showsToday={group !== "today"}
              isSelected={selected.value.has(task.id)}
              isSelecting={isSelecting.value || selected.value.has(task.id)}
              search={search}
              onSelect={onSelect}
            />
          )}
        </Windowed>
      </ul>
    </section>
  );
}

interface DoneGroupProps extends Times {
  list: ListResult<Task>;
  isShown: boolean;
  search: string;
  onToggle(): void;
}

/** Closed until somebody wants to see it, because it only grows. */
export function DoneGroup({ list, isShown, search, onToggle, habits, now }: DoneGroupProps) {
  const id = useId();
  return (
    <section class="task-group done" aria-labelledby={id}>
      <h2 class="group-head">
        <button
          id={id}
          type="button"
          class="disclosure line inline gap-6 bare"
          aria-expanded={isShown}
          onClick={onToggle}
        >
          <Icon name="right" size={14} />
          {m.groups.done}
        </button>
      </h2>
      {isShown && !list.records && <Pending of={list} rows={3} />}
      {isShown && list.records?.length === 0 && <p class="muted">{m.noneDone}</p>}
      {isShown && (
        <ul>
          {list.records?.map((task) => (
            <TaskRow key={task.id} task={task} habits={habits} now={now} search={search} />
          ))}
        </ul>
      )}
      {isShown && list.hasMore && (
        <button type="button" class="button quiet" onClick={list.loadMore}>
          {m.more}
        </button>
      )}
    </section>
  );
}
