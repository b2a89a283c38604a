import { useState } from "preact/hooks";
import { patchedOne } from "../../client/changes.ts";
import { dismissAbout, failureNotice } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { queryClient, useGet } from "../../client/queries.ts";
import { known } from "../../lib/cast.ts";
import { fullText } from "../../lib/time.ts";
import { tasks as m } from "../../messages/tasks.ts";
import { IconButton } from "../../ui/button.tsx";
import { Conflict } from "../../ui/conflict.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { DueField } from "./due-field.tsx";
import { RemindersField } from "./reminders-field.tsx";
import { Subtasks } from "./subtasks.tsx";
import type { Task } from "./task.ts";
import { deleteTask, keepTyped, type TaskChanges, trySave, without } from "./task-changes.ts";
import { useTaskLists } from "./use-tasks.ts";
import { useTyping } from "./use-typing.ts";

/** All of one task, beside the list. Each field is saved when it is left. */
export function TaskSheet({ id, onClose }: { id: number; onClose(): void }) {
  const query = useGet(["task", id], "/api/tasks/{id}", {
    params: { id },
    // What the list already shows is shown at once.
    placeholderData: () => findInLists(id),
  });
  const task = patchedOne("task", query.data);
  if (!task) {
    return (
      <Dialog form="sheet" title={m.sheet} onClose={onClose}>
        {isProblem(query.error, "not_found") ? (
          <Empty icon="tasks" title={m.gone} text={m.goneText} />
        ) : (
          <Pending of={query} rows={6} form="text" />
        )}
      </Dialog>
    );
  }
  return <Loaded task={task} onClose={onClose} />;
}

function findInLists(id: number): Task | undefined {
  for (const [, data] of queryClient.getQueriesData<{ pages: { data: Task[] }[] }>({ queryKey: ["task", "list"] })) {
    const found = data?.pages.flatMap((page) => page.data).find((task) => task.id === id);
    if (found) return found;
  }
  return undefined;
}

const NO_TITLE = "task without a title";

function Loaded({ task, onClose }: { task: Task; onClose(): void }) {
  const habits = useHabits();
  const now = useNow();
  const lists = useTaskLists();
  const [conflict, setConflict] = useState<{ mine: TaskChanges; theirs: Task } | null>(null);
  const { save, typing, left, saveLeft, dropLeft } = useTyping(task, (mine, theirs) => setConflict({ mine, theirs }));
  const title = typing("title", task.title, (text) => ({ title: text.trim() }));
  const estimate = typing("estimateMinutes", String(task.estimateMinutes ?? ""), (text) => ({
    estimateMinutes: Number(text) || null,
  }));
  const tags = typing("tags", task.tags.join(", "), (text) => ({ tags: tagsOf(text) }));
  const notes = typing("description", task.description, (description) => ({ description }));

  return (
    <Dialog
      form="sheet"
      title={task.title}
      typed="save"
      onClose={onClose}
      actions={
        <IconButton
          icon="trash"
          label={m.delete}
          onClick={() => {
            onClose();
            deleteTask(task);
          }}
        />
      }
    >
      {conflict && (
        <TaskConflict
          mine={conflict.mine}
          theirs={conflict.theirs}
          onKeep={() => {
            setConflict(null);
            void trySave(conflict.theirs, conflict.mine);
          }}
          onTake={() => {
            setConflict(null);
            keepTyped(task.id, without(conflict.mine));
          }}
        />
      )}
      {left && !conflict && (
        <TaskConflict texts={LEFT_OVER} mine={left} theirs={task} onKeep={saveLeft} onTake={dropLeft} />
      )}
      <div class="stack gap-16">
        <TextField
          label={m.title}
          {...title.field}
          maxLength={500}
          onChange={() => {
            const text = title.field.value.trim();
            dismissAbout(NO_TITLE);
            if (text && text !== task.title) void title.save();
            else title.leave();
            if (!text) failureNotice({ text: m.needsTitle, detail: m.titleStays(task.title), topic: NO_TITLE });
          }}
        />
        <DueField task={task} habits={habits} now={now} save={save} typing={typing} />
        <RemindersField task={task} habits={habits} save={save} />
        <div class="field-pair">
          <SelectField
            label={m.status}
            value={task.status}
            options={Object.entries(m.statuses)}
            onChange={(event) => void save({ status: known(event.currentTarget.value) })}
          />
          <SelectField
            label={m.priority}
            value={task.priority}
            options={Object.entries(m.priorities)}
            onChange={(event) => void save({ priority: known(event.currentTarget.value) })}
          />
        </div>
        <div class="field-pair">
          <SelectField
            label={m.list}
            value={String(task.listId ?? "")}
            disabled={task.parentId !== null}
            options={[["", m.noList], ...lists.map(({ id, name }) => [String(id), name] as const)]}
            onChange={(event) => void save({ listId: Number(event.currentTarget.value) || null })}
          />
          <TextField
            label={m.estimate}
            type="number"
            inputMode="numeric"
            min={1}
            {...estimate.field}
            onChange={() => void estimate.save()}
          />
        </div>
        <TextField
          label={m.tags}
          {...tags.field}
          onChange={() => void tags.save()}
          hint={m.tagsHint}
          autocomplete="off"
        />
        <TextAreaField
          label={m.notes}
          {...notes.field}
          onChange={() => void notes.save()}
          placeholder={m.notesHint}
          rows={4}
          maxLength={50_000}
        />
        {task.parentId === null && <Subtasks task={task} />}
        <Origin task={task} />
        <p class="sheet-times">
          {m.created(fullText(habits, new Date(task.createdAt)))}
          {task.completedAt && <br />}
          {task.completedAt && m.completed(fullText(habits, new Date(task.completedAt)))}
        </p>
      </div>
    </Dialog>
  );
}

function Origin({ task: { quote, emailId, eventId, outside } }: { task: Task }) {
  if (emailId === null && eventId === null && !quote && !outside) return null;
  return (
    <div class="origin stack gap-10">
      {quote && (
        <figure>
          <figcaption class="hint">{m.quote}</figcaption>
          <blockquote>{quote}</blockquote>
        </figure>
      )}
      {emailId !== null && (
        <a class="button" href={`/app/mail/inbox/${emailId}`}>
          <Icon name="mail" size={16} />
          {m.fromEmail}
        </a>
      )}
      {outside && <p class="hint">{m.outside}</p>}
    </div>
  );
}

function tagsOf(text: string): string[] {
  const names = text.split(",").map((tag) => tag.trim().replace(/^#/, ""));
  return [...new Set(names.filter((tag) => tag !== ""))];
}

interface TaskConflictProps {
  texts?: typeof CHANGED;
  mine: TaskChanges;
  theirs: Task;
  onKeep(): void;
  onTake(): void;
}

const FIELDS = [
  ["title", m.title],
  ["description", m.notes],
  ["status", m.status],
  ["priority", m.priority],
  ["dueAt", m.due],
  ["dueDate", m.due],
  ["dueText", m.due],
  ["estimateMinutes", m.estimate],
  ["tags", m.tags],
] as const;

const CHANGED = { about: m.conflict, mine: m.mine, theirs: m.theirs, keep: m.keepMine, take: m.takeTheirs };
const LEFT_OVER = {
  ...CHANGED,
  about: m.leftOver,
  theirs: m.stored,
  keep: m.saveLeftOver,
  take: m.dropLeftOver,
};

function TaskConflict({ texts = CHANGED, mine, theirs, ...rest }: TaskConflictProps) {
  const fields = FIELDS.filter(([name]) => name in mine).map(([name, label]) => ({
    label,
    mine: mine[name],
    theirs: theirs[name === "dueText" ? "dueAt" : name],
  }));
  return <Conflict texts={texts} fields={fields} {...rest} />;
}
