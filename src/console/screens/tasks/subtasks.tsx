import { useId } from "preact/hooks";
import { useKept } from "../../client/kept-field.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import { isOpen, type Task } from "./task.ts";
import { addSubtask, toggleTask } from "./task-changes.ts";
import { useSubtasks } from "./use-tasks.ts";

/** The steps of a task, to tick off and to add to. */
export function Subtasks({ task }: { task: Task }) {
  const id = useId();
  const { records } = useSubtasks(task.id);
  const kept = useKept(`subtask:${task.id}`, (title, key, again) => addSubtask(task, title, records ?? [], key, again));
  const done = records?.filter((each) => !isOpen(each)).length ?? 0;
  return (
    <section class="subtasks" aria-labelledby={id}>
      <h3 id={id} class="label">
        {m.subtasks} {records && records.length > 0 && <span class="count">{m.progress(done, records.length)}</span>}
      </h3>
      <ul>
        {records?.map((each) => (
          <li key={each.id} class="task line hovers" data-done={!isOpen(each)}>
            <input
              type="checkbox"
              class="checkbox"
              aria-label={each.title}
              checked={!isOpen(each)}
              disabled={each.id < 0}
              onChange={() => toggleTask(each)}
            />
            <span class="task-title grow">{each.title}</span>
          </li>
        ))}
      </ul>
      <form
        class="subtask-add"
        onSubmit={(event) => {
          event.preventDefault();
          kept.submit();
        }}
      >
        <input
          type="text"
          class="input"
          aria-label={m.addSubtask}
          placeholder={m.addSubtask}
          autocomplete="off"
          maxLength={500}
          value={kept.text}
          onInput={(event) => kept.type(event.currentTarget.value)}
        />
        <Button type="submit">{m.addButton}</Button>
      </form>
      <Unsent field={kept} />
    </section>
  );
}
