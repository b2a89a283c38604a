import { useRef, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, rememberVersion } from "../../client/changes.ts";
import { tasks } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Task } from "./task.ts";

let lastTemporary = 0;

/** One line that becomes a task. It can be filled again at once: what was typed is on its way. */
export function QuickAdd({ autofocus = false, onAdded }: { autofocus?: boolean; onAdded?(): void }) {
  const [text, setText] = useState("");
  const [when, setWhen] = useState("");
  const field = useRef<HTMLInputElement>(null);

  function add(event: SubmitEvent) {
    event.preventDefault();
    const title = text.trim();
    if (!title) {
      field.current?.focus();
      return;
    }
    addTask(title, when.trim());
    setText("");
    setWhen("");
    field.current?.focus();
    onAdded?.();
  }

  return (
    <form class="quick-add" onSubmit={add}>
      <Icon name="plus" />
      <input
        ref={field}
        type="text"
        class="quick-add-text"
        aria-label={tasks.add}
        placeholder={tasks.add}
        autocomplete="off"
        maxLength={500}
        autofocus={autofocus}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <input
        type="text"
        class="quick-add-when"
        aria-label={tasks.when}
        placeholder={tasks.whenHint}
        autocomplete="off"
        maxLength={200}
        value={when}
        onInput={(event) => setWhen(event.currentTarget.value)}
      />
      <Button tone="primary" type="submit">
        {tasks.addButton}
      </Button>
    </form>
  );
}

function addTask(title: string, dueText: string): void {
  lastTemporary -= 1;
  const key = crypto.randomUUID();
  const now = new Date().toISOString();
  const shown: Task = {
    id: lastTemporary,
    title,
    description: "",
    status: "todo",
    priority: "medium",
    dueAt: null,
    tags: [],
    source: "manual",
    outside: false,
    emailId: null,
    eventId: null,
    quote: null,
    completedAt: null,
    reminders: null,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
  void change<Task, Task>({
    kind: "task",
    ids: [shown.id],
    add: shown,
    send: async () =>
      rememberVersion("task", await api.post("/api/tasks", { body: { title, ...(dueText && { dueText }) }, key })),
    failed: tasks.notAdded,
  });
}
