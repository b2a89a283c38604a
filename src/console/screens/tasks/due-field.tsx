import { repeatText } from "../../lib/repeat.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { IconButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { dueOf, dueText, type Task } from "./task.ts";
import { skipTask, type TaskChanges } from "./task-changes.ts";
import type { Begin } from "./use-typing.ts";

interface DueFieldProps {
  task: Task;
  habits: TimeHabits;
  now: Date;
  /** Resolves to what is wrong, or null. */
  save(changes: TaskChanges): Promise<string | null>;
  typing: Begin;
}

const NO_DATE: TaskChanges = { dueAt: null, dueDate: null };

/** The due date, read and written in words. */
export function DueField({ task, habits, now, save, typing }: DueFieldProps) {
  const due = dueOf(habits, task);
  const shown = due ? dueText(habits, now, due) : "";
  const typed = typing("dueText", shown, (text) => (text.trim() ? { dueText: text.trim() } : NO_DATE));
  const { problem, ...field } = typed.field;
  return (
    <Field
      label={m.due}
      hint={task.rrule ? <Repetition task={task} habits={habits} save={save} /> : m.dueHint}
      problem={problem}
    >
      {(attributes) => (
        <div class="line gap-4">
          <input
            {...attributes}
            type="text"
            class="input"
            autocomplete="off"
            maxLength={200}
            placeholder={m.dueNone}
            {...field}
            onChange={() => (field.value.trim() === shown ? typed.leave() : void typed.save())}
          />
          {due && <IconButton icon="close" label={m.removeDue} onClick={() => void save(NO_DATE)} />}
        </div>
      )}
    </Field>
  );
}

function Repetition({ task, habits, save }: Omit<DueFieldProps, "now" | "typing">) {
  return (
    <span class="repetition cluster">
      <Icon name="repeat" size={14} />
      <span>{repeatText(habits, task.rrule ?? "", task.repeatFrom)}</span>
      <button type="button" class="link-button bare" onClick={() => skipTask(task)}>
        {m.skip}
      </button>
      <button type="button" class="link-button bare" onClick={() => void save({ rrule: null })}>
        {m.stopRepeating}
      </button>
    </span>
  );
}
