import { mail as m } from "../../messages/mail.ts";
import { triage as t } from "../../messages/triage.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { type BoxName, isUnread, type Row } from "./boxes.ts";
import { countOf, type Meant, markRead, toggleMute, toggleStar } from "./email-changes.ts";
import { countMatching } from "./matching.ts";
import { type Move, movesFrom } from "./moves.ts";
import { setReplyNeeded } from "./reply-needed.ts";
import { allMatching, clearSelection, isCounting, selectAll } from "./selection.ts";
import type { EmailsQuery } from "./use-mail.ts";

interface BulkBarProps {
  box: BoxName;
  meant: Meant;
  /** All that is loaded of the list, and whether there is more. */
  rows: readonly Row[];
  hasMore: boolean;
  query: EmailsQuery;
  onSnooze(): void;
  onTags(): void;
}

/** What can be done with all ticked rows at once. */
export function BulkBar({ box, meant, rows, hasMore, query, onSnooze, onTags }: BulkBarProps) {
  const { emails, areThreads, matching } = meant;
  const moves = movesFrom(box);
  const button = ({ run, ...rest }: Move) => <IconButton {...rest} onClick={() => run(meant, clearSelection)} />;
  const isRead = !emails.some(isUnread);
  const waiting = emails.filter(({ replyNeeded }) => replyNeeded);
  if (isCounting.value) {
    return (
      <div class="bulk" role="status">
        {t.counting}
      </div>
    );
  }
  const count = matching ? t.allSelected(matching.count, matching.hasMore) : m.selected(countOf(meant));
  return (
    <div class="bulk" role="toolbar" aria-label={count}>
      <div class="wrap gap-2">
        <IconButton icon="close" label={m.clearSelection} onClick={clearSelection} />
        <span class="bulk-count" role="status">
          {count}
        </span>
        {button(box === "spam" ? moves.spam : moves.main)}
        {!(matching && box === "trash") && button(moves.trash)}
        <IconButton
          icon={isRead ? "mail" : "check"}
          label={isRead ? m.markUnread : m.markRead}
          keys="u"
          onClick={() => markRead(meant, !isRead)}
        />
        <IconButton icon="star" label={m.star} keys="s" onClick={() => toggleStar(meant)} />
        <IconButton icon="tag" label={m.tags} keys="l" onClick={onTags} />
        {!matching && waiting.length > 0 && (
          <IconButton icon="reply-off" label={m.noAnswer} onClick={() => setReplyNeeded(waiting, false)} />
        )}
        {box !== "spam" && box !== "trash" && box !== "sent" && button(moves.spam)}
        {!matching && areThreads && box !== "spam" && box !== "trash" && (
          <IconButton icon="mute" label={m.mute} keys="m" onClick={() => toggleMute(meant)} />
        )}
        <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
      </div>
      {!matching && (emails.length < rows.length || hasMore) && (
        <Button
          class="bulk-all"
          onClick={async () => {
            selectAll(rows);
            if (!hasMore) return;
            isCounting.value = true;
            const counted = await countMatching(query, areThreads);
            // Something else may have been selected since.
            if (isCounting.value) allMatching.value = counted;
            isCounting.value = false;
          }}
        >
          {hasMore ? (query.q ? t.selectAllFound : t.selectAllIn(m.boxes[box])) : t.selectAll}
        </Button>
      )}
    </div>
  );
}
