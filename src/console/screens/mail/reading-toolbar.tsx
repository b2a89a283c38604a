import { withQuery } from "../../lib/router.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { saveFile } from "./attachments.tsx";
import type { BoxName, Email } from "./boxes.ts";
import { blockSender, markRead, setReplyNeeded, toggleStar, unsubscribe, wake } from "./email-changes.ts";
import { type Move, movesFrom } from "./moves.ts";

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
  const { main, trash, spam } = movesFrom(email.status);
  const act = (move: Move) => () => move.run([email], onLeave);
  const isSnoozed = email.snoozedUntil !== null && new Date(email.snoozedUntil) > new Date();
  return (
    <div class="reading-tools line gap-2" role="toolbar" aria-label={m.moreActions}>
      <a class="icon-button back" href={withQuery({}, `/app/mail/${box}`)} aria-label={m.back(m.boxes[box])}>
        <Icon name="left" />
      </a>
      {email.status === "spam" ? (
        <Button icon={spam.icon} onClick={act(spam)}>
          {spam.label}
        </Button>
      ) : (
        <IconButton {...main} onClick={act(main)} />
      )}
      <IconButton {...trash} onClick={act(trash)} />
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
      <Menu label={m.moreActions}>
        <MenuItem
          icon="down"
          onChoose={() => void saveFile(`/api/emails/${email.id}/raw`, `email-${email.id}.eml`)}
          label={m.download}
        />
        {email.unsubscribe && <MenuItem icon="close" onChoose={() => void unsubscribe(email)} label={m.unsubscribe} />}
        {email.direction === "inbound" && email.replyNeeded !== null && (
          <MenuItem
            icon={email.replyNeeded ? "reply-off" : "reply"}
            onChoose={() => setReplyNeeded([email], !email.replyNeeded)}
            label={email.replyNeeded ? m.noAnswer : m.needsAnswer}
          />
        )}
        {email.direction === "inbound" && email.status !== "spam" && (
          <MenuItem icon={spam.icon} onChoose={act(spam)} label={spam.label} />
        )}
        {email.direction === "inbound" && (
          <MenuItem icon="alert" tone="danger" onChoose={() => void blockSender(email, onLeave)} label={m.block} />
        )}
      </Menu>
    </div>
  );
}
