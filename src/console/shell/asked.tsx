import { useEffect } from "preact/hooks";
import { asked } from "../client/ask.ts";
import { place } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";
import { Confirm } from "../ui/confirm.tsx";

/** The question of `ask`. */
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
