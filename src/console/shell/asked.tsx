import { useEffect } from "preact/hooks";
import { asked } from "../client/ask.ts";
import { useAttempt } from "../client/attempt.ts";
import { place } from "../lib/router.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** The question of `ask`. */
export function Asked() {
  const question = asked.value;
  const isHere = question?.path === place.value.path;
  const { isBusy, attempt } = useAttempt();
  // A question belongs to the screen that asked it.
  useEffect(() => {
    if (!isHere) question?.answer(false);
  }, [isHere]);
  if (!question || !isHere) return null;
  const { title, text = shell.cannotBeUndone, button, failed = "", run, answer } = question;
  const confirm = async () => (await attempt(failed, async () => run?.())) && answer(true);
  return (
    <Dialog
      title={title}
      size="small"
      onClose={() => answer(false)}
      footer={
        <>
          <Button onClick={() => answer(false)}>{shell.cancel}</Button>
          <Button tone="danger" isBusy={isBusy} onClick={() => void confirm()}>
            {button}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  );
}
