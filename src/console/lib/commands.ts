import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** What the command palette offers. The frame registers its own, each screen those of its own while it is shown. */
export interface Command {
  id: string;
  label: string;
  icon: string;
  /** The shortcut that does the same, for people to learn. */
  keys?: string;
  run(): void;
}

export const registeredCommands = signal<readonly (readonly Command[])[]>([]);

export function registerCommands(commands: readonly Command[]): () => void {
  registeredCommands.value = [...registeredCommands.peek(), commands];
  return () => {
    registeredCommands.value = registeredCommands.peek().filter((each) => each !== commands);
  };
}

export function useCommands(make: () => readonly Command[], inputs: readonly unknown[]): void {
  useEffect(() => registerCommands(make()), [...inputs]);
}
