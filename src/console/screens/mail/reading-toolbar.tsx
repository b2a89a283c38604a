import { withQuery } from "../../lib/router.ts";
import { followUp as f } from "../../messages/follow-up.ts";
import { mail as m } from "../../messages/mail.ts";
import { triage as t } from "../../messages/triage.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { saveMessage } from "./attachments.tsx";
import { type BoxName, type Email, hasStar, isSnoozed, isUnread, type Row } from "./boxes.ts";
import { blockSender, type Meant, markRead, toggleMute, toggleStar, unsubscribe, wake } from "./email-changes.ts";
import { followUp } from "./follow-up.tsx";
import { startEvent, startRule } from "./from-email.ts";
import { type Move, movesFrom } from "./moves.ts";
import { setReplyNeeded } from "./reply-needed.ts";

interface ToolbarProps {
  /** What is open: an email, or the whole conversation. */
  open: Row;
  areThreads: boolean;
  /** What is done with a single email is done with this one. */
  email: Email;
  box: BoxName;
  showsText: boolean;
  hasHtml: boolean;
  onLeave(): void;
  onSnooze(): void;
  onTags(): void;
  onTask(): void;
  onToggleText(): void;
}

export function Toolbar(props: ToolbarProps) {
  const { open, areThreads, email, box, showsText, hasHtml, onLeave, onSnooze, onTags, onTask, onToggleText } = props;
  const { main, trash, spam } = movesFrom(open.status);
  const meant: Meant = { emails: [open], areThreads };
  const act = (move: Move) => () => move.run(meant, onLeave);
  const isStarred = hasStar(open);
  const isMuted = open.conversation?.isMuted ?? false;
  return (
    <div class="reading-tools line gap-2" role="toolbar" aria-label={m.moreActions}>
      <a class="icon-button back" href={withQuery({}, `/app/mail/${box}`)} aria-label={m.back(m.boxes[box])}>
        <Icon name="left" />
      </a>
      {open.status === "spam" ? (
        <Button icon={spam.icon} onClick={act(spam)}>
          {spam.label}
        </Button>
      ) : (
        <IconButton {...main} onClick={act(main)} />
      )}
      <IconButton {...trash} onClick={act(trash)} />
      {isSnoozed(open) ? (
        <IconButton icon="bell" label={m.wakeNow} onClick={() => wake(meant)} />
      ) : (
        <IconButton icon="snooze" label={m.snooze} keys="b" onClick={onSnooze} />
      )}
      <IconButton
        icon="star"
        label={isStarred ? m.unstar : m.star}
        keys="s"
        aria-pressed={isStarred}
        class="star-button"
        onClick={() => toggleStar(meant)}
      />
      <IconButton
        icon="mail"
        label={isUnread(open) ? m.markRead : m.markUnread}
        keys="u"
        onClick={() => markRead(meant, isUnread(open))}
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
        {areThreads && (
          <MenuItem
            icon={isMuted ? "bell" : "mute"}
            onChoose={() => toggleMute(meant, box === "inbox" ? onLeave : undefined)}
            label={isMuted ? m.unmute : m.mute}
          />
        )}
        {!email.signIn && <MenuItem icon="check" onChoose={onTask} label={t.addTask} />}
        {!email.signIn && <MenuItem icon="calendar" onChoose={() => startEvent(email)} label={t.addEvent} />}
        {email.direction === "inbound" && (
          <MenuItem icon="filter" onChoose={() => startRule(email)} label={t.addRule} />
        )}
        {email.direction === "outbound" && email.delivery !== "failed" && (
          <MenuItem
            icon="bell"
            onChoose={() => followUp(email, email.followUpAt ? null : 3)}
            label={email.followUpAt ? f.off : f.after(3)}
          />
        )}
        <MenuItem icon="copy" onChoose={() => window.print()} label={t.print} />
        <MenuItem icon="down" onChoose={() => saveMessage(email.id)} label={m.download} />
        {email.unsubscribe && <MenuItem icon="close" onChoose={() => void unsubscribe(email)} label={m.unsubscribe} />}
        {email.direction === "inbound" && email.replyNeeded !== null && (
          <MenuItem
            icon={email.replyNeeded ? "reply-off" : "reply"}
            onChoose={() => setReplyNeeded([email], !email.replyNeeded)}
            label={email.replyNeeded ? m.noAnswer : m.needsAnswer}
          />
        )}
        {open.direction === "inbound" && open.status !== "spam" && (
          <MenuItem icon={spam.icon} onChoose={act(spam)} label={spam.label} />
        )}
        {email.direction === "inbound" && (
          <MenuItem icon="alert" tone="danger" onChoose={() => void blockSender(email, onLeave)} label={m.block} />
        )}
      </Menu>
    </div>
  );
}
