import { openOverlay } from "../../lib/overlays.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";
import { today as m } from "../../messages/today.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Pending } from "../../ui/states.tsx";
import { arrange } from "../tasks/task.ts";
import { useTaskKeys } from "../tasks/task-keys.ts";
import { TaskRow } from "../tasks/task-row.tsx";
import { useDueTasks } from "./data.ts";

/** Overdue tasks and those of today, to be ticked off here. */
export function DueTasks({ habits, now, day }: { habits: TimeHabits; now: Date; day: string }) {
  const { records, error, retry } = useDueTasks(day);
  const groups = arrange(habits, now, records ?? []);
  useTaskKeys(records ?? []);
  const shown = (["overdue", "today"] as const).filter((group) => groups.get(group)?.length);
  return (
    <Card heading={m.tasks} actions={<a href="/app/tasks">{m.allTasks}</a>}>
      {!records && <Pending of={{ error, retry }} rows={4} />}
      {records && shown.length === 0 && (
        <div class="card-empty stack muted">
          <p>{m.noTasks}</p>
          <Button icon="plus" onClick={() => openOverlay("quick-add")}>
            {tasks.add}
          </Button>
        </div>
      )}
      {shown.map((group) => (
        <div key={group} class={`due-group ${group}`}>
          <h3 class="hint">{tasks.groups[group]}</h3>
          <ul>
            {groups.get(group)?.map((task) => (
              <TaskRow key={task.id} task={task} habits={habits} now={now} showsToday={false} isCompact />
            ))}
          </ul>
        </div>
      ))}
    </Card>
  );
}
