import { signal } from "@preact/signals";
import { shell } from "../messages/shell.ts";
import { Confirm } from "../ui/confirm.tsx";

interface Question {
  /** What is about to happen, as a question: "Delete 3 emails for good?" */
  title: string;
  /** What it means, if it is more than that it cannot be undone. */
  text?: string;
  /** What the person agrees to: "Delete". */
  button: string;
}

const asked = signal<(Question & { answer(isSure: boolean): void }) | null>(null);

/** Asks before something that cannot be undone, over whatever is open. */
export function ask(question: Question): Promise<boolean> {
  asked.peek()?.answer(false);
  return new Promise((resolve) => {
    const mine = {
      ...question,
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
  if (!question) return null;
  return (
    <Confirm
      title={question.title}
      button={question.button}
      failed=""
      run={async () => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      {question.text ?? shell.cannotBeUndone}
    </Confirm>
  );
}
