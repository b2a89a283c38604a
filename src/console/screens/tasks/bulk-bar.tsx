import { addDays, dayOf, endOfWeek, type TimeHabits } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { IconButton } from "../../ui/button.tsx";
import { changeTasks } from "./bulk-changes.ts";
import { endSelection } from "./selection.ts";
import type { Task } from "./task.ts";
import { deleteTasks } from "./task-changes.ts";
import { useTaskLists } from "./use-tasks.ts";

interface BulkBarProps {
  tasks: readonly Task[];
  habits: TimeHabits;
  now: Date;
}

/** What can be done with all ticked tasks at once. */
export function BulkBar({ tasks, habits, now }: BulkBarProps) {
  const lists = useTaskLists();
  const count = tasks.length;
  const today = dayOf(habits, now);
  const dates: readonly [string, string][] = [
    [today, m.today],
    [addDays(today, 1), m.tomorrow],
    [addDays(endOfWeek(habits, today), 1), m.nextWeek],
    ["none", m.dueNone],
  ];
  return (
    <div class="bulk line gap-2 task-bulk" role="toolbar" aria-label={m.selected(count)}>
      <IconButton icon="close" label={m.clearSelection} onClick={endSelection} />
      <span class="bulk-count">{m.selected(count)}</span>
      <IconButton
        icon="check"
        label={m.completeAll}
        keys="e"
        onClick={() => changeTasks(tasks, { status: "done" }, m.allDone(count))}
      />
      <Choice label={m.due} options={dates} onChoose={(day) => setDay(tasks, day)} />
      <Choice
        label={m.priority}
        options={Object.entries(m.priorities).toReversed()}
        onChoose={(value) => {
          const priority = PRIORITIES.find((each) => each === value);
          if (priority) changeTasks(tasks, { priority }, m.allChanged(count));
        }}
      />
      <Choice
        label={m.moveTo}
        options={[...lists.map(({ id, name }): [string, string] => [String(id), name]), ["none", m.noList]]}
        onChoose={(id) => changeTasks(tasks, { listId: id === "none" ? null : Number(id) }, m.allMoved(count))}
      />
      <IconButton
        icon="trash"
        label={m.deleteAll}
        keys="#"
        onClick={() => {
          deleteTasks(tasks, m.allDeleted(count));
          endSelection();
        }}
      />
    </div>
  );
}

const PRIORITIES = ["low", "medium", "high", "urgent"] as const;

function setDay(tasks: readonly Task[], day: string): void {
  const fields = day === "none" ? { dueAt: null, dueDate: null } : { dueDate: day, dueAt: null };
  changeTasks(tasks, fields, m.allChanged(tasks.length));
}

interface ChoiceProps {
  label: string;
  options: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

/** A choice that acts at once, and then shows its name again. */
function Choice({ label, options, onChoose }: ChoiceProps) {
  return (
    <select
      class="chip"
      aria-label={label}
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = "";
        if (value) onChoose(value);
      }}
    >
      <option value="">{label}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
