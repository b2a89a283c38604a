import { mail as m } from "../../messages/mail.ts";
import { IconButton } from "../../ui/button.tsx";
import type { BoxName, Email } from "./boxes.ts";
import {
  archive,
  deleteForever,
  markRead,
  moveToInbox,
  moveToSpam,
  notSpam,
  setReplyNeeded,
  toggleStar,
  trash,
} from "./email-changes.ts";
import { clearSelection } from "./selection.ts";

interface BulkBarProps {
  box: BoxName;
  emails: readonly Email[];
  onSnooze(): void;
}

/** What can be done with all ticked emails at once. */
export function BulkBar({ box, emails, onSnooze }: BulkBarProps) {
  const act = (run: (emails: readonly Email[]) => void) => () => {
    run(emails);
    clearSelection();
  };
  const isRead = emails.every((email) => email.isRead);
  return (
    <div class="bulk" role="toolbar" aria-label={m.selected(emails.length)}>
      <IconButton icon="close" label={m.clearSelection} onClick={clearSelection} />
      <span class="bulk-count">{m.selected(emails.length)}</span>
      {box === "spam" ? (
        <IconButton icon="inbox" label={m.notSpam} keys="!" onClick={act(notSpam)} />
      ) : box === "archive" || box === "trash" ? (
        <IconButton icon="inbox" label={m.toInbox} onClick={act(moveToInbox)} />
      ) : (
        <IconButton icon="archive" label={m.archive} keys="e" onClick={act(archive)} />
      )}
      {box === "trash" ? (
        <IconButton icon="trash" label={m.deleteForever} onClick={() => void deleteForever(emails, clearSelection)} />
      ) : (
        <IconButton icon="trash" label={m.trash} keys="#" onClick={act(trash)} />
      )}
      <IconButton
        icon={isRead ? "mail" : "check"}
        label={isRead ? m.markUnread : m.markRead}
        keys="u"
        onClick={act((all) => markRead(all, !isRead))}
      />
      <IconButton icon="star" label={m.star} keys="s" onClick={act(toggleStar)} />
      {emails.some(({ replyNeeded }) => replyNeeded) && (
        <IconButton
          icon="reply"
          label={m.noAnswer}
          onClick={act((all) =>
            setReplyNeeded(
              all.filter(({ replyNeeded }) => replyNeeded),
              false,
            ),
          )}
        />
      )}
      {box !== "spam" && box !== "trash" && box !== "sent" && (
        <IconButton icon="alert" label={m.spam} keys="!" onClick={act(moveToSpam)} />
      )}
      <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
    </div>
  );
}
