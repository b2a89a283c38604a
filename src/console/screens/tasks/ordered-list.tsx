import { useRef, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, rememberVersion, versionOf } from "../../client/changes.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { Icon } from "../../ui/icon.tsx";
import { selected } from "./selection.ts";
import type { Task } from "./task.ts";
import { TaskRow } from "./task-row.tsx";

interface OrderedListProps {
  tasks: readonly Task[];
  habits: TimeHabits;
  now: Date;
  isSelecting: boolean;
  search: string;
  onSelect(task: Task, through: boolean): void;
}

/** The tasks of one list in the order that the person gives them: by dragging the handle, or with Alt and the arrow keys. */
export function OrderedList({ tasks, habits, now, isSelecting, search, onSelect }: OrderedListProps) {
  const list = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<{ id: number; to: number } | null>(null);
  const shown = drag ? moved(tasks, drag.id, drag.to) : tasks;

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || step === undefined || !(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>("[data-row]");
    const at = tasks.findIndex(({ id }) => String(id) === row?.dataset.id);
    const task = tasks[at];
    const to = at + step;
    if (!task || to < 0 || to >= tasks.length) return;
    event.preventDefault();
    moveTask(tasks, task, to);
    // The row keeps the focus where it goes.
    const focused = document.activeElement;
    requestAnimationFrame(() => focused instanceof HTMLElement && focused.focus());
  }

  /** The place whose middle the pointer has passed. */
  function placeAt(y: number): number {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
    const at = rows.findIndex((row) => {
      const { top, height } = row.getBoundingClientRect();
      return y < top + height / 2;
    });
    return at < 0 ? rows.length - 1 : at;
  }

  return (
    <ul ref={list} class="ordered" aria-label={m.byHand} data-dragging={drag !== null} onKeyDown={onKeyDown}>
      {shown.map((task) => (
        <TaskRow
          key={task.id}
          task={task}
          habits={habits}
          now={now}
          isSelected={selected.value.has(task.id)}
          isSelecting={isSelecting || selected.value.has(task.id)}
          search={search}
          onSelect={onSelect}
          handle={
            <span
              class="drag-handle center"
              title={m.moveHint}
              onPointerDown={(event) => {
                if (event.button !== 0) return;
                event.preventDefault();
                event.currentTarget.setPointerCapture(event.pointerId);
                setDrag({ id: task.id, to: tasks.indexOf(task) });
              }}
              onPointerMove={(event) => {
                if (drag?.id === task.id) setDrag({ id: task.id, to: placeAt(event.clientY) });
              }}
              onPointerUp={() => {
                if (drag?.id !== task.id) return;
                setDrag(null);
                if (tasks[drag.to]?.id !== task.id) moveTask(tasks, task, drag.to);
              }}
              onPointerCancel={() => setDrag(null)}
            >
              <Icon name="drag" size={16} />
            </span>
          }
        />
      ))}
    </ul>
  );
}

function moved(tasks: readonly Task[], id: number, to: number): Task[] {
  const others = tasks.filter((task) => task.id !== id);
  const task = tasks.find((each) => each.id === id);
  return task ? [...others.slice(0, to), task, ...others.slice(to)] : others;
}

/** The service chooses the number; until then, one between the neighbours puts the task into its place. */
function moveTask(tasks: readonly Task[], task: Task, to: number): void {
  const others = tasks.filter(({ id }) => id !== task.id);
  const [before, after] = [others[to - 1], others[to]];
  const position =
    before && after
      ? (before.position + after.position) / 2
      : before
        ? before.position + 1
        : (after?.position ?? task.position) - 1;
  void change<Task, Task>({
    kind: "task",
    ids: [task.id],
    edit: (each) => ({ ...each, position }),
    send: async () =>
      rememberVersion(
        "task",
        await api.patch("/api/tasks/{id}", {
          params: { id: task.id },
          body: { position: before ? { after: before.id } : "first" },
          version: versionOf("task", task),
        }),
      ),
    failed: m.notSaved,
  });
}
