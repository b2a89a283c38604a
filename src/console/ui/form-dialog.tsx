import type { ComponentChildren } from "preact";
import { shell } from "../messages/shell.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Form, type FormProps } from "./form.tsx";

interface FormDialogProps<Result> extends Omit<FormProps, "send"> {
  title: string;
  size?: "small" | "large";
  /** What happens to what was typed when the dialog is left: see `Dialog`. */
  typed?: "none";
  lead?: ComponentChildren;
  send(values: Record<string, string>): Promise<Result>;
  /** Called with what `send` returned. Without it, the dialog is closed. */
  onDone?(result: Result): void;
  onClose(): void;
}

/** A dialog with a form: goes when it is sent, and says at its fields why if it is not. What is typed stays. */
export function FormDialog<Result>(given: FormDialogProps<Result>) {
  const { title, size, typed, lead, send, beside, onClose, onDone = onClose, ...form } = given;
  return (
    <Dialog title={title} {...(size && { size })} {...(typed && { typed })} onClose={onClose}>
      {lead && <p class="dialog-lead muted">{lead}</p>}
      <Form
        {...form}
        beside={
          <>
            {beside}
            <Button onClick={onClose}>{shell.cancel}</Button>
          </>
        }
        send={async (values) => {
          onDone(await send(values));
        }}
      />
    </Dialog>
  );
}
