import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import { known } from "../../lib/cast.ts";
import type { Task } from "./task.ts";
import { fieldsBefore, keepTyped, type TaskChanges, trySave, without } from "./task-changes.ts";

interface Typed {
  text: string;
  changes: TaskChanges;
  /** What the task said when the person began. */
  before: Partial<Task>;
}

type Typeable = HTMLInputElement | HTMLTextAreaElement;

export interface Typing {
  field: { value: string; onInput(event: TargetedEvent<Typeable>): void };
  /** Resolves to what is wrong, or null. */
  save(): Promise<string | null>;
  /** Shows what the task says. */
  leave(): void;
}

/** How a field begins to be typed into: its name, what the task says, and the change that a text is. */
export type Begin = (name: string, shown: string, changesOf: (text: string) => TaskChanges) => Typing;

/**
 * The fields of a task, each saved when it is left. A field follows the task until a person types into it. Then it is
 * theirs, whatever others change, until it is saved.
 */
export function useTyping(task: Task, tellConflict: (mine: TaskChanges, theirs: Task) => void) {
  const [typed, setTyped] = useState<Record<string, Typed>>({});

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
      save: async () => (own ? save(own.changes, own.before) : null),
      leave() {
        if (!own) return;
        keepTyped(task.id, without(own.changes));
        follow(own.changes);
      },
    };
  };

  return { save, typing };
}
