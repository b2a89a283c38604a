import { mail as m } from "../../messages/mail.ts";
import { IconButton } from "../../ui/button.tsx";
import type { BoxName, Email } from "./boxes.ts";
import { markRead, setReplyNeeded, toggleStar } from "./email-changes.ts";
import { type Move, movesFrom } from "./moves.ts";
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
  const moves = movesFrom(box);
  const button = ({ run, ...rest }: Move) => <IconButton {...rest} onClick={() => run(emails, clearSelection)} />;
  const isRead = emails.every((email) => email.isRead);
  return (
    <div class="bulk line gap-2" role="toolbar" aria-label={m.selected(emails.length)}>
      <IconButton icon="close" label={m.clearSelection} onClick={clearSelection} />
      <span class="bulk-count">{m.selected(emails.length)}</span>
      {button(box === "spam" ? moves.spam : moves.main)}
      {button(moves.trash)}
      <IconButton
        icon={isRead ? "mail" : "check"}
        label={isRead ? m.markUnread : m.markRead}
        keys="u"
        onClick={act((all) => markRead(all, !isRead))}
      />
      <IconButton icon="star" label={m.star} keys="s" onClick={act(toggleStar)} />
      {emails.some(({ replyNeeded }) => replyNeeded) && (
        <IconButton
          icon="reply-off"
          label={m.noAnswer}
          onClick={act((all) =>
            setReplyNeeded(
              all.filter(({ replyNeeded }) => replyNeeded),
              false,
            ),
          )}
        />
      )}
      {box !== "spam" && box !== "trash" && box !== "sent" && button(moves.spam)}
      <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
    </div>
  );
}
