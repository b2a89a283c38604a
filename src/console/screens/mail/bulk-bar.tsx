import { mail as m } from "../../messages/mail.ts";
import { IconButton } from "../../ui/button.tsx";
import { type BoxName, isUnread } from "./boxes.ts";
import { type Meant, markRead, toggleMute, toggleStar } from "./email-changes.ts";
import { type Move, movesFrom } from "./moves.ts";
import { setReplyNeeded } from "./reply-needed.ts";
import { clearSelection } from "./selection.ts";

interface BulkBarProps {
  box: BoxName;
  meant: Meant;
  onSnooze(): void;
}

/** What can be done with all ticked rows at once. */
export function BulkBar({ box, meant, onSnooze }: BulkBarProps) {
  const { emails, areThreads } = meant;
  const act = (run: (meant: Meant) => void) => () => {
    run(meant);
    clearSelection();
  };
  const moves = movesFrom(box);
  const button = ({ run, ...rest }: Move) => <IconButton {...rest} onClick={() => run(meant, clearSelection)} />;
  const isRead = !emails.some(isUnread);
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
          onClick={act(() =>
            setReplyNeeded(
              emails.filter(({ replyNeeded }) => replyNeeded),
              false,
            ),
          )}
        />
      )}
      {box !== "spam" && box !== "trash" && box !== "sent" && button(moves.spam)}
      {areThreads && box !== "spam" && box !== "trash" && (
        <IconButton icon="mute" label={m.mute} keys="m" onClick={act((all) => toggleMute(all))} />
      )}
      <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
    </div>
  );
}
