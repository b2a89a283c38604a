import { withQuery } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { saveFile } from "./attachments.tsx";
import type { BoxName, Email } from "./boxes.ts";
import {
  archive,
  blockSender,
  deleteForever,
  markRead,
  moveToInbox,
  moveToSpam,
  notSpam,
  setReplyNeeded,
  toggleStar,
  trash,
  unsubscribe,
  wake,
} from "./email-changes.ts";

interface ToolbarProps {
  email: Email;
  box: BoxName;
  showsText: boolean;
  hasHtml: boolean;
  onLeave(): void;
  onSnooze(): void;
  onTags(): void;
  onToggleText(): void;
}

export function Toolbar({ email, box, showsText, hasHtml, onLeave, onSnooze, onTags, onToggleText }: ToolbarProps) {
  const leave = (run: (emails: readonly Email[]) => void) => () => {
    onLeave();
    run([email]);
  };
  const isAway = email.status !== "inbox";
  const isSnoozed = email.snoozedUntil !== null && new Date(email.snoozedUntil) > new Date();
  return (
    <div class="reading-tools" role="toolbar" aria-label={m.moreActions}>
      <a class="icon-button back" href={withQuery({}, `/app/mail/${box}`)} aria-label={m.back(m.boxes[box])}>
        <Icon name="left" />
      </a>
      {email.status === "spam" ? (
        <Button icon="inbox" onClick={leave(notSpam)}>
          {m.notSpam}
        </Button>
      ) : isAway ? (
        <IconButton icon="inbox" label={m.toInbox} keys="e" onClick={leave(moveToInbox)} />
      ) : (
        <IconButton icon="archive" label={m.archive} keys="e" onClick={leave(archive)} />
      )}
      {email.status === "trash" ? (
        <IconButton
          icon="trash"
          label={m.deleteForever}
          keys="#"
          onClick={() => void deleteForever([email], onLeave)}
        />
      ) : (
        <IconButton icon="trash" label={m.trash} keys="#" onClick={leave(trash)} />
      )}
      {isSnoozed ? (
        <IconButton icon="bell" label={m.wakeNow} onClick={() => wake([email])} />
      ) : (
        <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
      )}
      <IconButton
        icon="star"
        label={email.isStarred ? m.unstar : m.star}
        keys="s"
        aria-pressed={email.isStarred}
        class="star-button"
        onClick={() => toggleStar([email])}
      />
      <IconButton
        icon="mail"
        label={email.isRead ? m.markUnread : m.markRead}
        keys="u"
        onClick={() => markRead([email], !email.isRead)}
      />
      <IconButton icon="tag" label={m.tags} onClick={onTags} />
      {hasHtml && (
        <IconButton
          icon="list"
          label={showsText ? m.showHtml : m.plainText}
          aria-pressed={showsText}
          onClick={onToggleText}
        />
      )}
      <Menu label={m.moreActions} button={<Icon name="more" />}>
        <MenuItem icon="down" onChoose={() => void saveFile(`/api/emails/${email.id}/raw`, `email-${email.id}.eml`)}>
          {m.download}
        </MenuItem>
        {email.unsubscribe && (
          <MenuItem icon="close" onChoose={() => void unsubscribe(email)}>
            {m.unsubscribe}
          </MenuItem>
        )}
        {email.direction === "inbound" && email.replyNeeded !== null && (
          <MenuItem icon="reply" onChoose={() => setReplyNeeded([email], !email.replyNeeded)}>
            {email.replyNeeded ? m.noAnswer : m.needsAnswer}
          </MenuItem>
        )}
        {email.direction === "inbound" && email.status !== "spam" && (
          <MenuItem icon="alert" onChoose={leave(moveToSpam)}>
            {m.spam}
          </MenuItem>
        )}
        {email.direction === "inbound" && (
          <MenuItem icon="alert" tone="danger" onChoose={() => void blockSender(email)}>
            {m.block}
          </MenuItem>
        )}
      </Menu>
    </div>
  );
}
