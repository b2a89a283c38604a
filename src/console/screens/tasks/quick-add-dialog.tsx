import { tasks } from "../../messages/tasks.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { QuickAdd } from "./quick-add.tsx";

export default function QuickAddDialog({ onClose, typed }: { onClose(): void; typed: string }) {
  return (
    <Dialog title={tasks.add} typed="none" onClose={onClose}>
      <QuickAdd autofocus initial={typed} onAdded={onClose} />
    </Dialog>
  );
}
