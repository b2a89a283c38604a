import { useId, useRef } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, rememberVersion } from "../../client/changes.ts";
import { useKept } from "../../client/kept-field.ts";
import type { Retry } from "../../client/notices.ts";
import { tasks } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import type { Quick, Task } from "./task.ts";
import { Understood } from "./understood.tsx";
import { usePreview } from "./use-preview.ts";

let lastTemporary = 0;

interface QuickAddProps {
  autofocus?: boolean;
  initial?: string;
  onAdded?(): void;
}

/** One line that becomes a task. It can be filled again at once: what was typed is on its way. */
export function QuickAdd({ autofocus = false, initial = "", onAdded }: QuickAddProps) {
  const kept = useKept(
    "quick-add",
    (line, key, again) => addTask(line, key, preview?.text === line ? preview.quick : null, again),
    initial,
  );
  const { text } = kept;
  const field = useRef<HTMLInputElement>(null);
  const preview = usePreview(text);
  const id = useId();

  function add(event: SubmitEvent) {
    event.preventDefault();
    if (kept.submit()) onAdded?.();
    field.current?.focus();
  }

  return (
    <form class="quick-add-form" onSubmit={add}>
      <div class="quick-add edged line">
        <Icon name="plus" />
        <input
          ref={field}
          type="text"
          aria-label={tasks.add}
          aria-describedby={id}
          placeholder={tasks.add}
          autocomplete="off"
          maxLength={1000}
          autofocus={autofocus}
          value={text}
          onInput={(event) => kept.type(event.currentTarget.value)}
        />
        <Button tone="primary" type="submit">
          {tasks.addButton}
        </Button>
      </div>
      <div id={id} class="understood wrap gap-6 hint" role="status">
        {text.trim() === "" ? tasks.addHint : preview && <Understood quick={preview.quick} />}
      </div>
      <Unsent field={kept} />
    </form>
  );
}

/** Shows the task as it was understood while one typed, until the service has it. */
function addTask(text: string, key: string, quick: Quick | null, retry: Retry): Promise<Task | null> {
  lastTemporary -= 1;
  return change<Task, Task>({
    kind: "task",
    ids: [lastTemporary],
    add: expected(lastTemporary, text, quick),
    async send() {
      const answer = await api.post("/api/tasks/quick", { body: { text }, key });
      if (!("task" in answer)) throw new Error("no task was made");
      return rememberVersion("task", answer.task);
    },
    failed: tasks.notAdded(text),
    retry,
  });
}

function expected(id: number, text: string, quick: Quick | null): Task {
  const now = new Date().toISOString();
  const { title, dueAt, dueDate, tags, priority, rrule, repeatFrom, estimateMinutes, list } = quick?.understood ?? {};
  return {
    id,
    title: title || text,
    description: "",
    status: "todo",
    priority: priority ?? "medium",
    dueAt: dueAt ?? null,
    dueDate: dueDate ?? null,
    tags: tags ?? [],
    source: "manual",
    outside: false,
    emailId: null,
    eventId: null,
    quote: null,
    completedAt: null,
    reminders: null,
    listId: list?.id ?? null,
    parentId: null,
    subtasks: { done: 0, total: 0 },
    position: 0,
    estimateMinutes: estimateMinutes ?? null,
    rrule: rrule ?? null,
    repeatFrom: repeatFrom ?? null,
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
}
