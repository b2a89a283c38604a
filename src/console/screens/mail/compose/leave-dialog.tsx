import { compose as m } from "../../../messages/compose.ts";
import { shell } from "../../../messages/shell.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";

interface LeaveDialogProps {
  reason: string;
  onClose(): void;
  onDiscard(): void;
  onLeave(): void;
}

/** Closing an email that the service does not have yet: the three ways on. */
export function LeaveDialog({ reason, onClose, onDiscard, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      title={m.leave.title}
      typed="none"
      onClose={onClose}
      footer={
        <>
          <Button tone="danger" onClick={onDiscard}>
            {m.discard}
          </Button>
          <Button onClick={onLeave}>{m.leave.stay}</Button>
          <Button tone="primary" autofocus onClick={onClose}>
            {shell.discard.keep}
          </Button>
        </>
      }
    >
      <p>{reason}</p>
      <p>{m.leave.text}</p>
    </Dialog>
  );
}
