import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { isCancelled, reasonOf } from "../client/notices.ts";
import { shell } from "../messages/shell.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { REFUSED } from "./typed.ts";

interface FormDialogProps {
  title: string;
  lead?: ComponentChildren;
  submit: string;
  /** Throws what the API said, which the dialog shows. What is typed stays. */
  onSubmit(): Promise<unknown>;
  onClose(): void;
  children?: ComponentChildren;
}

/** A dialog with a form: closes when it is saved, and says why if it is not. */
export function FormDialog({ title, lead, submit, onSubmit, onClose, children }: FormDialogProps) {
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  async function send(event: SubmitEvent) {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setProblem(null);
    try {
      await onSubmit();
      onClose();
    } catch (error) {
      document.getElementById(id)?.dispatchEvent(new Event(REFUSED, { bubbles: true }));
      setProblem(isCancelled(error) ? null : reasonOf(error));
      setIsBusy(false);
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{shell.cancel}</Button>
          <Button tone="primary" type="submit" form={id} isBusy={isBusy}>
            {submit}
          </Button>
        </>
      }
    >
      <form id={id} class="sheet-fields" onSubmit={send}>
        {lead && <p class="muted">{lead}</p>}
        {children}
        {problem && (
          <p class="form-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}
