import { useId, useState } from "preact/hooks";
import { tasks as m } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { isOpen, type Task } from "./task.ts";
import { addSubtask, toggleTask } from "./task-changes.ts";
import { useSubtasks } from "./use-tasks.ts";

/** The steps of a task, to tick off and to add to. */
export function Subtasks({ task }: { task: Task }) {
  const id = useId();
  const [text, setText] = useState("");
  const { records } = useSubtasks(task.id);
  const done = records?.filter((each) => !isOpen(each)).length ?? 0;
  return (
    <section class="subtasks" aria-labelledby={id}>
      <h3 id={id}>
        {m.subtasks} {records && records.length > 0 && <span class="count">{m.progress(done, records.length)}</span>}
      </h3>
      <ul>
        {records?.map((each) => (
          <li key={each.id} class="task" data-done={!isOpen(each)}>
            <input
              type="checkbox"
              class="checkbox"
              aria-label={each.title}
              checked={!isOpen(each)}
              disabled={each.id < 0}
              onChange={() => toggleTask(each)}
            />
            <span class="task-title">{each.title}</span>
          </li>
        ))}
      </ul>
      <form
        class="subtask-add"
        onSubmit={(event) => {
          event.preventDefault();
          const title = text.trim();
          if (!title) return;
          setText("");
          addSubtask(task, title, records ?? []);
        }}
      >
        <input
          type="text"
          class="input"
          aria-label={m.addSubtask}
          placeholder={m.addSubtask}
          autocomplete="off"
          maxLength={500}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit">{m.addButton}</Button>
      </form>
    </section>
  );
}
