import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { place } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";
import { Confirm } from "../ui/confirm.tsx";

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

const asked = signal<(Question & { path: string; answer(isSure: boolean): void }) | null>(null);

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

export function Asked() {
  const question = asked.value;
  const isHere = question?.path === place.value.path;
  // A question belongs to the screen that asked it.
  useEffect(() => {
    if (!isHere) question?.answer(false);
  }, [isHere]);
  if (!question || !isHere) return null;
  return (
    <Confirm
      title={question.title}
      button={question.button}
      failed={question.failed ?? ""}
      run={async () => {
        await question.run?.();
        question.answer(true);
      }}
      onClose={() => question.answer(false)}
    >
      {question.text ?? shell.cannotBeUndone}
    </Confirm>
  );
}
