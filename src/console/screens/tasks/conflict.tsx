import { tasks as m } from "../../messages/tasks.ts";
import { Conflict } from "../../ui/conflict.tsx";
import type { Task } from "./task.ts";
import type { TaskChanges } from "./task-changes.ts";

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
export const LEFT_OVER = {
  ...CHANGED,
  about: m.leftOver,
  theirs: m.stored,
  keep: m.saveLeftOver,
  take: m.dropLeftOver,
};

export function TaskConflict({ texts = CHANGED, mine, theirs, ...rest }: TaskConflictProps) {
  const fields = FIELDS.filter(([name]) => name in mine).map(([name, label]) => ({
    label,
    mine: mine[name],
    theirs: theirs[name === "dueText" ? "dueAt" : name],
  }));
  return <Conflict texts={texts} fields={fields} {...rest} />;
}
