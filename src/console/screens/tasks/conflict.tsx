import { tasks as m } from "../../messages/tasks.ts";
import { Button } from "../../ui/button.tsx";
import type { Task } from "./task.ts";
import type { TaskChanges } from "./task-changes.ts";

interface ConflictProps {
  /** What it is about, the names of the two ways out, and whose words the others are. */
  texts?: { about: string; keep: string; take: string; theirs: string };
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

const CHANGED = { about: m.conflict, keep: m.keepMine, take: m.takeTheirs, theirs: m.theirs };
export const LEFT_OVER = { about: m.leftOver, keep: m.saveLeftOver, take: m.dropLeftOver, theirs: m.stored };

/** What both sides say, field by field, and the two ways out. */
export function Conflict({ texts = CHANGED, mine, theirs, onKeep, onTake }: ConflictProps) {
  return (
    <section class="conflict" role="alert">
      <p>{texts.about}</p>
      <dl>
        {FIELDS.filter(([name]) => name in mine).map(([name, label]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              <span>{m.mine}</span> {textOf(mine[name])}
            </dd>
            <dd>
              <span>{texts.theirs}</span> {textOf(theirs[name === "dueText" ? "dueAt" : name])}
            </dd>
          </div>
        ))}
      </dl>
      <div class="conflict-actions">
        <Button tone="primary" onClick={onKeep}>
          {texts.keep}
        </Button>
        <Button onClick={onTake}>{texts.take}</Button>
      </div>
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  return Array.isArray(value) ? value.join(", ") : String(value);
}
