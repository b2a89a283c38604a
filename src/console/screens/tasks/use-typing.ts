import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import { known } from "../../lib/cast.ts";
import type { Task } from "./task.ts";
import { fieldsBefore, keepTyped, type TaskChanges, trySave, typedBefore, without } from "./task-changes.ts";

interface Typed {
  text: string;
  changes: TaskChanges;
  /** What the task said when the person began. */
  before: Partial<Task>;
  /** Why the service has refused it. */
  problem?: string;
  /** Typed before the sheet was opened, and neither touched nor saved since. */
  isLeft?: boolean;
}

type Typeable = HTMLInputElement | HTMLTextAreaElement;

interface Typing {
  field: { value: string; problem: string | undefined; onInput(event: TargetedEvent<Typeable>): void };
  save(): Promise<void>;
  /** Shows what the task says. */
  leave(): void;
}

/** How a field begins to be typed into: its name in a change, what the task says, and the change that a text is. */
export type Begin = (name: string, shown: string, changesOf: (text: string) => TaskChanges) => Typing;

/**
 * The fields of a task, each saved when it is left. A field follows the task until a person types into it. Then it is
 * theirs, whatever others change, until it is saved.
 */
export function useTyping(task: Task, tellConflict: (mine: TaskChanges, theirs: Task) => void) {
  const [typed, setTyped] = useState(() => leftIn(task));

  /** What was typed since then stays. */
  function follow(changes: TaskChanges): void {
    setTyped((all) => Object.fromEntries(Object.entries(all).filter(([, own]) => own.changes !== changes)));
  }

  async function save(changes: TaskChanges, before?: Partial<Task>): Promise<string | null> {
    const result = await trySave(task, changes, before);
    if (result.kind === "conflict") tellConflict(changes, result.theirs);
    if (result.kind === "saved" || result.kind === "conflict") follow(changes);
    return result.kind === "refused" ? result.reason : null;
  }

  const typing: Begin = (name, shown, changesOf) => {
    const own = typed[name];
    return {
      field: {
        value: own?.text ?? shown,
        problem: own?.problem,
        onInput({ currentTarget }) {
          const text = known<Typeable>(currentTarget).value;
          const changes = changesOf(text);
          keepTyped(task.id, changes);
          setTyped((all) => {
            const before = all[name]?.before ?? fieldsBefore(task, changes);
            return { ...all, [name]: { text, changes, before } };
          });
        },
      },
      async save() {
        const problem = own && (await save(own.changes, own.before));
        if (!problem) return;
        setTyped((all) => (all[name]?.changes === own.changes ? { ...all, [name]: { ...own, problem } } : all));
      },
      leave() {
        if (!own) return;
        keepTyped(task.id, without(own.changes));
        follow(own.changes);
      },
    };
  };

  const left = Object.values(typed).filter(({ isLeft }) => isLeft);
  return {
    save,
    typing,
    /** What is back in the fields from before, if anything is. */
    left: left.length > 0 ? Object.assign({}, ...left.map(({ changes }) => changes)) : null,
    saveLeft() {
      for (const { changes, before } of left) void save(changes, before);
    },
    dropLeft() {
      for (const { changes } of left) {
        keepTyped(task.id, without(changes));
        follow(changes);
      }
    },
  };
}

/** What was typed here and not saved, each in its field. */
function leftIn(task: Task): Record<string, Typed> {
  const all = Object.entries(typedBefore(task) ?? {}).map(([name, value]): [string, Typed] => {
    const changes: TaskChanges = { [name]: value };
    const text = Array.isArray(value) ? value.join(", ") : String(value ?? "");
    return [name, { text, changes, before: fieldsBefore(task, changes), isLeft: true }];
  });
  return Object.fromEntries(all);
}
