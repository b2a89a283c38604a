import type { ComponentChildren } from "preact";
import { useAttempt } from "../client/attempt.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  title: string;
  /** What will happen. */
  children: ComponentChildren;
  button: string;
  failed: string;
  run(): Promise<unknown>;
  onClose(): void;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, button, failed, run, onClose }: ConfirmProps) {
  const { isBusy, attempt } = useAttempt();
  const confirm = async () => (await attempt(failed, run)) && onClose();
  return (
    <Dialog
      title={title}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.cancel}</Button>
          <Button tone="danger" isBusy={isBusy} onClick={() => void confirm()}>
            {button}
          </Button>
        </>
      }
    >
      <div class="prose">{children}</div>
    </Dialog>
  );
}
