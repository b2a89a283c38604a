import { useEffect, useId, useRef, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { change, rememberVersion } from "../../client/changes.ts";
import { useKept } from "../../client/kept-field.ts";
import type { Retry } from "../../client/notices.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { repeatText } from "../../lib/repeat.ts";
import { durationText } from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Unsent } from "../../ui/unsent.tsx";
import { dueOf, dueText, type Quick, type Task } from "./task.ts";

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

/** What the line means, as small labels below it. */
function Understood({ quick: { understood, note } }: { quick: Quick }) {
  const habits = useHabits();
  const now = useNow();
  const { dueAt, dueDate, rrule, repeatFrom, tags, list, priority, estimateMinutes, reminders } = understood;
  const due = dueOf(habits, { dueAt, dueDate });
  const facts: [icon: string, text: string][] = [];
  if (due) facts.push(["calendar", dueText(habits, now, due)]);
  if (rrule) facts.push(["repeat", repeatText(habits, rrule, repeatFrom)]);
  if (priority) facts.push(["flag", tasks.priorities[priority]]);
  if (list) facts.push(["list", list.id === null ? tasks.newList(list.name) : list.name]);
  for (const tag of tags) facts.push(["tag", tag]);
  if (estimateMinutes) facts.push(["clock", durationText(estimateMinutes)]);
  if (reminders.length > 0) facts.push(["bell", tasks.reminder]);
  return (
    <>
      {facts.map(([icon, text]) => (
        <span key={icon + text} class="fact line inline gap-6">
          <Icon name={icon} size={14} />
          {text}
        </span>
      ))}
      {note && <span class="fact line inline gap-6 doubt">{note}</span>}
    </>
  );
}

const PAUSE_MS = 160;

/** What the service makes of the line while somebody types. The last answer stays until the next one is there. */
function usePreview(text: string): { text: string; quick: Quick } | null {
  const [preview, setPreview] = useState<{ text: string; quick: Quick } | null>(null);
  const line = text.trim();
  useEffect(() => {
    if (line === "") {
      setPreview(null);
      return;
    }
    const leaving = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const quick = await api.post("/api/tasks/quick", {
          body: { text: line, preview: true },
          key: null,
          signal: leaving.signal,
        });
        setPreview({ text: line, quick });
      } catch {
        // Only a help: adding the task says what is wrong.
      }
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [line]);
  return preview;
}
