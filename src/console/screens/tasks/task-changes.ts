import type { components } from "#api";
import { api, type Returned } from "../../client/api.ts";
import { change, rememberVersion, versionOf } from "../../client/changes.ts";
import { keep, kept } from "../../client/kept.ts";
import { type Retry, toast } from "../../client/notices.ts";
import { isProblem, problemsOf } from "../../client/problem.ts";
import { keepNewest, queryClient } from "../../client/queries.ts";
import { whenSignedOut } from "../../client/session.ts";
import { known } from "../../lib/cast.ts";
import { tasks } from "../../messages/tasks.ts";
import { isOpen, type Task } from "./task.ts";

export type TaskChanges = components["schemas"]["TaskChanges"];

async function patch(task: Task, body: TaskChanges): Promise<Task> {
  const saved = await api.patch("/api/tasks/{id}", {
    params: { id: task.id },
    body,
    version: versionOf("task", task),
  });
  keepNewest(["task", task.id], saved);
  return rememberVersion("task", saved);
}

/** Ticks a task off, or opens it again. */
export function toggleTask(task: Task): void {
  const status = isOpen(task) ? "done" : "todo";
  void change<Task, Task>({
    kind: "task",
    ids: [task.id],
    edit: (each) => ({ ...each, status, completedAt: status === "done" ? new Date().toISOString() : null }),
    send: () => patch(task, { status }),
    failed: tasks.notSaved,
    undo: {
      done: status === "done" ? tasks.done(task.title) : tasks.reopened(task.title),
      send: (saved) => patch(saved, { status: task.status }),
    },
  });
}

type Saved =
  | { kind: "saved" }
  | { kind: "conflict"; theirs: Task }
  | { kind: "refused"; reason: string }
  /** The person was told why, and can try again. */
  | { kind: "failed" };

const placeOf = (id: number) => `task:${id}`;

/** A due date is in words or not: the later one counts. */
const DUE = { dueText: undefined, dueAt: undefined, dueDate: undefined };

/** Fields that are being typed are on this device until they are saved; undefined is one that is as it was. */
export function keepTyped(id: number, changes: TaskChanges): void {
  const isDue = Object.keys(changes).some((name) => name in DUE);
  const all = Object.entries({ ...kept<TaskChanges>(placeOf(id)), ...(isDue && DUE), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  keep(placeOf(id), all.length > 0 ? Object.fromEntries(all) : null);
}

/** What was typed here and is not what the task has. */
export function typedBefore(task: Task): TaskChanges | null {
  const all = Object.entries(kept<TaskChanges>(placeOf(task.id)) ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known<Record<string, unknown>>(task)[name]),
  );
  return all.length > 0 ? Object.fromEntries(all) : null;
}

/** No longer typed. */
export function without(changes: TaskChanges): TaskChanges {
  return Object.fromEntries(Object.keys(changes).map((name) => [name, undefined]));
}

/** The task as the service has it, without changes that are under way. */
const storedTask = (task: Task) => queryClient.getQueryData<Task>(["task", task.id]) ?? task;

/** What the fields of a change say now, as the service has them. A due date in words stands for both ways to store one. */
export function fieldsBefore(task: Task, body: TaskChanges): Partial<Task> {
  const names = Object.keys(body).flatMap((name) => (name === "dueText" ? ["dueAt", "dueDate"] : [name]));
  return known(Object.fromEntries(Object.entries(storedTask(task)).filter(([name]) => names.includes(name))));
}

/** What this page has sent, also where it did not hear of the end: a task that says so was not changed by somebody else. */
const sent = new Set<string>();
whenSignedOut(() => sent.clear());

const markOf = (id: number, name: string, value: unknown) => JSON.stringify([id, name, value]);

/** Whether somebody else has changed one of these fields since. */
function isTheirs(task: Task, before: Partial<Task>): boolean {
  const values = new Map<string, unknown>(Object.entries(task));
  return Object.entries(before).some(([name, value]) => {
    const mark = markOf(task.id, name, values.get(name));
    return mark !== markOf(task.id, name, value) && !sent.has(mark);
  });
}

/**
 * Saves fields of a task. `before` is what they said when the person began. If somebody has changed these very fields
 * since, their task is returned for the person to decide; a change of other fields is no conflict. What the API does not
 * accept is returned for the field to say.
 */
export async function trySave(task: Task, body: TaskChanges, before = fieldsBefore(task, body)): Promise<Saved> {
  const { dueText: _text, timeZone: _zone, ...fields } = body;
  keepTyped(task.id, body);
  let outcome: Saved = { kind: "failed" };
  await change<Task, Task | null>({
    kind: "task",
    ids: [task.id],
    edit: (each) => ({ ...each, ...known<Partial<Task>>(fields) }),
    async send() {
      let newest = storedTask(task);
      // A task that is changed without end is left to the person.
      for (let tries = 0; tries < 3 && !isTheirs(newest, before); tries++) {
        for (const [name, value] of Object.entries(body)) sent.add(markOf(task.id, name, value));
        try {
          const saved = await patch(newest, body);
          keepTyped(task.id, without(body));
          outcome = { kind: "saved" };
          return saved;
        } catch (error) {
          if (isProblem(error, "validation_failed")) {
            const [reason = error.message] = problemsOf(error).values();
            outcome = { kind: "refused", reason };
            return null;
          }
          if (!isProblem(error, "version_conflict")) throw error;
          newest = rememberVersion("task", await api.get("/api/tasks/{id}", { params: { id: task.id } }));
          keepNewest(["task", task.id], newest);
        }
      }
      outcome = { kind: "conflict", theirs: newest };
      return null;
    },
    failed: tasks.notSaved,
    retry: { topic: placeOf(task.id), run: () => void trySave(task, body, before) },
  });
  return outcome;
}

let lastTemporary = -1_000_000;

export function addSubtask(
  parent: Task,
  title: string,
  others: readonly Task[],
  key: string,
  retry: Retry,
): Promise<Task | null> {
  lastTemporary -= 1;
  const now = new Date().toISOString();
  return change<Task, Task>({
    kind: "task",
    ids: [lastTemporary],
    add: {
      ...parent,
      id: lastTemporary,
      title,
      description: "",
      status: "todo",
      dueAt: null,
      dueDate: null,
      rrule: null,
      repeatFrom: null,
      tags: [],
      parentId: parent.id,
      subtasks: { done: 0, total: 0 },
      position: Math.max(0, ...others.map(({ position }) => position)) + 1,
      createdAt: now,
      updatedAt: now,
    },
    send: async () =>
      rememberVersion("task", await api.post("/api/tasks", { body: { title, parentId: parent.id }, key })),
    failed: tasks.notAdded(title),
    retry,
  });
}

/** Leaves out this occurrence of a task that repeats: the next one takes its place. */
export function skipTask(task: Task): void {
  void change<Task, Task>({
    kind: "task",
    ids: [task.id],
    send: async () =>
      rememberVersion(
        "task",
        await api.post("/api/tasks/{id}/skip", { params: { id: task.id }, version: versionOf("task", task) }),
      ),
    failed: tasks.notSaved,
  });
}

export function deleteTask(task: Task): void {
  deleteTasks([task], tasks.deleted(task.title));
}

export function deleteTasks(chosen: readonly Task[], done: string): void {
  const ids = chosen.map(({ id }) => id);
  const key = crypto.randomUUID();
  void change<Task, Returned<"/api/tasks/delete", "post">>({
    kind: "task",
    ids,
    edit: () => null,
    // Without a version: a person who deletes a task means whatever it has become.
    send: () => api.post("/api/tasks/delete", { body: { ids }, key, keepalive: true }),
    failed: tasks.notDeleted,
    undo: { done, send: ({ undo }) => takeBack(undo) },
  });
}

/** Takes a bulk change back. What was changed again since then stays as it is, and the person reads so. */
export async function takeBack(undo: { id: string } | null): Promise<void> {
  if (!undo) return;
  const { changed } = await api.post("/api/tasks/undo", { body: { id: undo.id } });
  if (changed.length > 0) toast(tasks.notUndone(changed.length));
}
