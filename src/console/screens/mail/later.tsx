import type { Row } from "./boxes.ts";
import type { Meant } from "./email-changes.ts";
import { keyOf } from "./selection.ts";
import { SnoozeDialog } from "./snooze-dialog.tsx";
import { tagsOf } from "./tags.tsx";
import { TagsDialog } from "./tags-dialog.tsx";
import { TaskDialog } from "./task-dialog.tsx";
import { useThread } from "./use-mail.ts";

export { BulkBar } from "./bulk-bar.tsx";

/** A dialog of Mail, and what it is about. */
export interface Asked {
  kind: "snooze" | "tags" | "task";
  meant: Meant;
}

interface MailDialogsProps {
  asked: Asked;
  rows: readonly Row[];
  onClose(): void;
}

export function MailDialogs({ asked: { kind, meant }, rows, onClose }: MailDialogsProps) {
  const [email] = meant.emails;
  if (!email) return null;
  if (kind === "snooze") return <SnoozeDialog meant={meant} onClose={onClose} />;
  if (kind === "task") return <TaskDialog email={email} onClose={onClose} />;
  return <Tagging meant={meant} rows={rows} onClose={onClose} />;
}

/** The tags are those that the emails have after each change: of a single conversation, those of all its emails. */
function Tagging({ meant, rows, onClose }: { meant: Meant } & Pick<MailDialogsProps, "rows" | "onClose">) {
  const [email, ...more] = meant.emails;
  const thread = useThread(email);
  const keys = new Set(meant.emails.map(keyOf));
  const shown = rows.filter((row) => keys.has(keyOf(row)));
  const emails = meant.areThreads && more.length === 0 && thread ? thread : shown;
  return <TagsDialog meant={meant} tags={tagsOf(emails.length > 0 ? emails : meant.emails)} onClose={onClose} />;
}
