import { signal } from "@preact/signals";
import { place } from "../lib/router.ts";

interface Question {
  /** What is about to happen, as a question: "Delete 3 emails for good?" */
  title: string;
  /** What it means, if it is more than that it cannot be undone. */
  text?: string;
  /** What the person agrees to: "Delete". */
  button: string;
  /** Done when the person agrees, while the question is still shown. It stays if that fails. */
  run?(): Promise<unknown>;
  /** What to say then. */
  failed?: string;
}

/** What is asked now; the shell shows it. */
export const asked = signal<(Question & { path: string; answer(isSure: boolean): void }) | null>(null);

/** Asks before something that cannot be undone, over whatever is open. */
export function ask(question: Question): Promise<boolean> {
  asked.peek()?.answer(false);
  return new Promise((resolve) => {
    const mine = {
      ...question,
      path: place.peek().path,
      answer(isSure: boolean) {
        if (asked.peek() === mine) asked.value = null;
        resolve(isSure);
      },
    };
    asked.value = mine;
  });
}
