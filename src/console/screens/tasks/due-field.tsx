import { useState } from "preact/hooks";
import type { TimeHabits } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { IconButton } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { dueOf, dueText, type Task } from "./task.ts";
import type { TaskChanges } from "./task-changes.ts";

interface DueFieldProps {
  task: Task;
  habits: TimeHabits;
  now: Date;
  /** Resolves to what is wrong, or null. */
  save(changes: TaskChanges): Promise<string | null>;
}

/** The due date, read and written in words. */
export function DueField({ task, habits, now, save }: DueFieldProps) {
  const due = dueOf(habits, task);
  const shown = due ? dueText(habits, now, due) : "";
  const [problem, setProblem] = useState<string | undefined>();
  return (
    <Field label={m.due} hint={m.dueHint} problem={problem}>
      {(attributes) => (
        <div class="due-field">
          <input
            {...attributes}
            type="text"
            class="input"
            autocomplete="off"
            maxLength={200}
            placeholder={m.dueNone}
            defaultValue={shown}
            onChange={async (event) => {
              const text = event.currentTarget.value.trim();
              setProblem(undefined);
              if (text === shown) return;
              const reason = await save(text ? { dueText: text } : { dueAt: null });
              if (reason) setProblem(reason);
            }}
          />
          {due && <IconButton icon="close" label={m.removeDue} onClick={() => void save({ dueAt: null })} />}
        </div>
      )}
    </Field>
  );
}
