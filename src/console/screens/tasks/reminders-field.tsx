import { useId, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { reasonOf } from "../../client/notices.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { reminders as m } from "../../messages/reminders.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isOpen, type Task } from "./task.ts";
import type { TaskChanges } from "./task-changes.ts";

interface RemindersFieldProps {
  task: Task;
  habits: TimeHabits;
  /** Resolves to what is wrong, or null. */
  save(changes: TaskChanges): Promise<string | null>;
}

type Reminder = NonNullable<Task["reminders"]>[number];
type NewReminder = NonNullable<TaskChanges["reminders"]>[number];

const OFFERED = [0, 10, 30, 60, 1440, 10_080];
const MOST = 5;

/** When the person is reminded: by default, or at times of the task's own. */
export function RemindersField({ task, habits, save }: RemindersFieldProps) {
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | undefined>();
  const id = useId();
  const own = task.reminders ?? [];
  const hasDue = task.dueAt !== null || task.dueDate !== null;
  const textOf = ({ at, minutesBefore }: Reminder) =>
    at ? fullText(habits, new Date(at)) : m.before(minutesBefore ?? 0);

  async function set(reminders: NewReminder[] | null) {
    setProblem(undefined);
    const reason = await save({ reminders });
    if (reason) setProblem(reason);
  }

  const keep = (each: Reminder): NewReminder => ({
    ...(each.at ? { at: each.at } : { minutesBefore: each.minutesBefore }),
    channel: each.channel,
  });
  const add = (reminder: NewReminder) => set([...own.map(keep), reminder]);

  function choose(value: string) {
    if (value === "default") void set(null);
    else if (value === "off") void set([]);
    else if (value === "time") setAsking(true);
    else void add({ minutesBefore: Number(value) });
  }

  return (
    <section class="task-reminders stack gap-6" aria-labelledby={id}>
      <h3 id={id} class="label">
        {m.field}
      </h3>
      {own.length === 0 && <p class="hint">{task.reminders === null ? m.byDefault : m.none}</p>}
      {own.length > 0 && (
        <ul>
          {own.map((each, index) => (
            <li key={`${each.at}${each.minutesBefore}${each.channel}`} class="line">
              <Icon name="bell" size={16} />
              <span class="grow">{textOf(each)}</span>
              <IconButton
                icon="close"
                label={m.remove(textOf(each))}
                onClick={() => void set(own.filter((_, other) => other !== index).map(keep))}
              />
            </li>
          ))}
        </ul>
      )}
      {isOpen(task) && !isAsking && (
        <select
          class="input"
          aria-label={m.add}
          value=""
          onChange={(event) => {
            choose(event.currentTarget.value);
            event.currentTarget.value = "";
          }}
        >
          <option value="">{m.choose}</option>
          {own.length < MOST &&
            hasDue &&
            OFFERED.filter((minutes) => !own.some((each) => each.minutesBefore === minutes)).map((minutes) => (
              <option key={minutes} value={String(minutes)}>
                {m.before(minutes)}
              </option>
            ))}
          {own.length < MOST && <option value="time">{m.otherTime}</option>}
          {task.reminders?.length !== 0 && <option value="off">{m.turnOff}</option>}
          {task.reminders !== null && <option value="default">{m.useDefault}</option>}
        </select>
      )}
      {isAsking && (
        <AskTime
          onCancel={() => setAsking(false)}
          onTime={(at) => {
            setAsking(false);
            void add({ at });
          }}
        />
      )}
      {problem && (
        <p class="field-problem" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** A time in words, read as the service reads the due date of a task. */
function AskTime({ onTime, onCancel }: { onTime(at: string): void; onCancel(): void }) {
  const [problem, setProblem] = useState<string | undefined>();
  return (
    <form
      class="stack"
      onSubmit={async (event) => {
        event.preventDefault();
        const words = String(new FormData(event.currentTarget).get("time") ?? "").trim();
        if (!words) return onCancel();
        try {
          const body = { text: `Reminder ${words}`, preview: true };
          const { understood } = await api.post("/api/tasks/quick", { body, key: null });
          if (understood.dueAt) onTime(understood.dueAt);
          else setProblem(m.timeUnclear);
        } catch (error) {
          setProblem(reasonOf(error));
        }
      }}
    >
      <TextField
        label={m.time}
        name="time"
        hint={m.timeHint}
        problem={problem}
        autocomplete="off"
        maxLength={200}
        autofocus
      />
      <Button type="submit">{m.addTime}</Button>
    </form>
  );
}
