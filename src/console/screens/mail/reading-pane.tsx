import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isProblem } from "../../client/problem.ts";
import { place } from "../../lib/router.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { shell } from "../../messages/shell.ts";
import { triage as t } from "../../messages/triage.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import type { BoxName, Email, Row } from "./boxes.ts";
import { startComposing } from "./compose/opening.ts";
import type { Meant } from "./email-changes.ts";
import { SnoozeNote } from "./follow-up.tsx";
import { startEvent } from "./from-email.ts";
import type { Asked } from "./later.tsx";
import { Messages } from "./messages.tsx";
import { Toolbar } from "./reading-toolbar.tsx";
import { TagLine, tagsOf } from "./tags.tsx";
import { listedEmail, listedThread, useEmail, useThread } from "./use-mail.ts";

interface ReadingPaneProps {
  id: number;
  box: BoxName;
  /** Whether buttons act on the whole conversation. */
  isThreaded: boolean;
  habits: TimeHabits;
  now: Date;
  /** What is open leaves the list. */
  onLeave(): void;
  onAsk(asked: Asked): void;
}

/** An email with its conversation. */
export function ReadingPane({ id, box, isThreaded, habits, now, onLeave, onAsk }: ReadingPaneProps) {
  const { email: full, error, refetch } = useEmail(id);
  const email: Email | undefined = full ?? listedEmail(id);
  const thread = useThread(email);
  // Whoever answers a conversation answers its newest email.
  const newest = (isThreaded && thread?.at(-1)) || email;
  const { email: newestFull } = useEmail(newest?.id ?? id);
  const [showsText, setShowsText] = useState(false);
  const subject = useRef<HTMLHeadingElement>(null);
  useEffect(() => subject.current?.focus({ preventScroll: true }), [email === undefined]);
  // On a phone it takes the place of the list, and would begin where the list was scrolled to.
  useLayoutEffect(() => {
    if (!place.peek().isReturn) scrollTo(0, 0);
  }, [id]);
  useShortcuts(() => {
    if (!newest) return [];
    const group = m.boxes.inbox;
    return [
      { keys: "r", label: m.reply, group, run: () => startComposing({ kind: "reply", email: newest }) },
      { keys: "a", label: m.replyAll, group, run: () => startComposing({ kind: "replyAll", email: newest }) },
      { keys: "f", label: m.forward, group, run: () => startComposing({ kind: "forward", email: newest }) },
      {
        keys: "t",
        label: t.addTask,
        group,
        run: () => onAsk({ kind: "task", meant: { emails: [newest], areThreads: false } }),
      },
      { keys: "v", label: t.addEvent, group, run: () => startEvent(newest) },
    ];
  }, [newest]);
  if (!email || !newest) {
    if (isProblem(error, "not_found")) {
      return <Empty icon="mail" title={m.gone} text={m.goneText} />;
    }
    return <Pending of={{ error, refetch }} rows={8} form="text" />;
  }
  const open: Row = isThreaded ? openThread(email, thread ?? [email]) : email;
  // Of a conversation, the email that was snoozed.
  const waiting = (isThreaded && thread?.findLast(({ snoozedUntil }) => snoozedUntil !== null)) || email;
  const tags = tagsOf(isThreaded && thread ? thread : [email]);
  const meant: Meant = { emails: [open], areThreads: isThreaded };
  return (
    <article class="reading" aria-label={email.subject || m.noSubject}>
      <Toolbar
        open={open}
        areThreads={isThreaded}
        email={newest}
        box={box}
        showsText={showsText}
        hasHtml={Boolean(newestFull?.html)}
        onLeave={onLeave}
        onSnooze={() => onAsk({ kind: "snooze", meant })}
        onTags={() => onAsk({ kind: "tags", meant })}
        onTask={() => onAsk({ kind: "task", meant: { emails: [newest], areThreads: false } })}
        onToggleText={() => setShowsText(!showsText)}
      />
      <div class="reading-body stack gap-12">
        <h2 ref={subject} tabIndex={-1}>
          {email.subject || m.noSubject}
        </h2>
        <TagLine tags={tags} onEdit={() => onAsk({ kind: "tags", meant })} />
        <SnoozeNote email={waiting} habits={habits} now={now} />
        {open.conversation?.isMuted && (
          <p class="muted line gap-6">
            <Icon name="mute" size={14} />
            {m.mutedNote}
          </p>
        )}
        {email.status === "spam" && (
          <Callout tone="danger" role="note">
            {m.spamNote}
          </Callout>
        )}
        <Messages
          id={id}
          emails={thread ?? [email]}
          isWhole={thread !== undefined}
          isThreaded={isThreaded}
          habits={habits}
          now={now}
          showsText={showsText}
          onShowText={() => setShowsText(true)}
        />
        <div class="wrap">
          <Button icon="reply" onClick={() => startComposing({ kind: "reply", email: newest })}>
            {m.reply}
          </Button>
          <Button icon="reply-all" onClick={() => startComposing({ kind: "replyAll", email: newest })}>
            {m.replyAll}
          </Button>
          <Button icon="forward" onClick={() => startComposing({ kind: "forward", email: newest })}>
            {m.forward}
          </Button>
        </div>
      </div>
      <span class="visually-hidden">{shell.shortcuts.lists}</span>
    </article>
  );
}

/** The open email as the row of its conversation, also where no list has it. */
function openThread(email: Email, thread: readonly Email[]): Row {
  const row = listedThread(email.threadId);
  return {
    ...(row?.status === email.status ? row : email),
    conversation: {
      count: thread.length,
      participants: [],
      hasAttachments: false,
      unreadCount: thread.filter(({ isRead }) => !isRead).length,
      isStarred: thread.some(({ isStarred }) => isStarred),
      isMuted: row?.conversation?.isMuted ?? false,
    },
  };
}
