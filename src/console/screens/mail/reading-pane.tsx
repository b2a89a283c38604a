import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api } from "../../client/api.ts";
import { attempt, toast } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { queryClient } from "../../client/queries.ts";
import { navigate, place, withQuery } from "../../lib/router.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { fullText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { shell } from "../../messages/shell.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Empty, Pending } from "../../ui/states.tsx";
import { Analysis } from "./analysis.tsx";
import type { BoxName, Email } from "./boxes.ts";
import { startComposing } from "./compose/opening.ts";
import { DraftNote } from "./draft-note.tsx";
import { noteRead } from "./email-changes.ts";
import { FoldedMessage, Message } from "./message.tsx";
import { Toolbar } from "./reading-toolbar.tsx";
import { TagLine, TagsDialog } from "./tags.tsx";
import { listedEmail, useEmail, useThread } from "./use-mail.ts";

interface ReadingPaneProps {
  id: number;
  box: BoxName;
  habits: TimeHabits;
  now: Date;
  /** The email leaves the list. */
  onLeave(): void;
  onSnooze(email: Email): void;
}

export function ReadingPane({ id, box, habits, now, onLeave, onSnooze }: ReadingPaneProps) {
  const { email: full, error, refetch } = useEmail(id);
  const email: Email | undefined = full ?? listedEmail(id);
  const thread = useThread(email);
  const [showsText, setShowsText] = useState(false);
  const [isTagging, setIsTagging] = useState(false);
  const subject = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (full && !full.isRead && full.direction === "inbound") noteRead(full);
  }, [full?.id]);
  useEffect(() => subject.current?.focus({ preventScroll: true }), [email === undefined]);
  // On a phone it takes the place of the list, and would begin where the list was scrolled to.
  useLayoutEffect(() => {
    if (!place.peek().isReturn) scrollTo(0, 0);
  }, [id]);
  useShortcuts(() => {
    if (!email) return [];
    const group = m.boxes.inbox;
    return [
      { keys: "r", label: m.reply, group, run: () => startComposing({ kind: "reply", email }) },
      { keys: "a", label: m.replyAll, group, run: () => startComposing({ kind: "replyAll", email }) },
      { keys: "f", label: m.forward, group, run: () => startComposing({ kind: "forward", email }) },
    ];
  }, [email]);
  if (!email) {
    if (isProblem(error, "not_found")) {
      return <Empty icon="mail" title={m.gone} text={m.goneText} />;
    }
    return <Pending of={{ error, refetch }} rows={8} form="text" />;
  }
  return (
    <article class="reading" aria-label={email.subject || m.noSubject}>
      <Toolbar
        email={email}
        box={box}
        showsText={showsText}
        hasHtml={full?.html !== null && full?.html !== undefined}
        onLeave={onLeave}
        onSnooze={() => onSnooze(email)}
        onTags={() => setIsTagging(true)}
        onToggleText={() => setShowsText(!showsText)}
      />
      <div class="reading-body stack gap-16">
        <h2 ref={subject} tabIndex={-1}>
          {email.subject || m.noSubject}
        </h2>
        <TagLine email={email} onEdit={() => setIsTagging(true)} />
        {email.snoozedUntil && new Date(email.snoozedUntil) > now && (
          <p class="muted line gap-6">
            <Icon name="snooze" size={14} />
            {m.snoozedUntil(fullText(habits, new Date(email.snoozedUntil)))}
          </p>
        )}
        {email.status === "spam" && (
          <Callout tone="danger" role="note">
            {m.spamNote}
          </Callout>
        )}
        <DeliveryNote email={email} habits={habits} />
        {email.direction === "inbound" && (
          <Analysis
            email={email}
            habits={habits}
            now={now}
            onQuote={(start) => {
              // The formatted email is closed to us: what is marked stands in its text.
              setShowsText(true);
              requestAnimationFrame(() => showMark(start));
            }}
          />
        )}
        {thread.length > 1 && <p class="visually-hidden">{m.messages(thread.length)}</p>}
        {(thread.some((each) => each.id === id) ? thread : [email]).map((each) =>
          each.id === id ? (
            <Message key={each.id} email={email} full={full} habits={habits} now={now} showsText={showsText} />
          ) : (
            <FoldedMessage
              key={each.id}
              email={each}
              href={withQuery({}, `/app/mail/${box}/${each.id}`)}
              habits={habits}
              now={now}
            />
          ),
        )}
        <DraftNote emailId={email.id} />
        <div class="wrap">
          <Button icon="reply" onClick={() => startComposing({ kind: "reply", email })}>
            {m.reply}
          </Button>
          <Button icon="reply-all" onClick={() => startComposing({ kind: "replyAll", email })}>
            {m.replyAll}
          </Button>
          <Button icon="forward" onClick={() => startComposing({ kind: "forward", email })}>
            {m.forward}
          </Button>
        </div>
      </div>
      {isTagging && <TagsDialog email={email} onClose={() => setIsTagging(false)} />}
      <span class="visually-hidden">{shell.shortcuts.lists}</span>
    </article>
  );
}

function showMark(start: number): void {
  const mark = document.getElementById(`quote-${start}`);
  mark?.scrollIntoView({ block: "center" });
  mark?.focus({ preventScroll: true });
}

/** Says that an email has not left yet, or never will. */
function DeliveryNote({ email, habits }: { email: Email; habits: TimeHabits }) {
  if (email.delivery === "failed") {
    return (
      <Callout tone="danger" role="note">
        {m.failedDelivery(email.deliveryError ?? "")}
      </Callout>
    );
  }
  if (email.delivery !== "scheduled" || !email.sendAt) return null;
  return (
    <Callout role="note" action={<Button onClick={() => void cancel(email.id)}>{m.cancelSend}</Button>}>
      {m.leavesAt(fullText(habits, new Date(email.sendAt)))}
    </Callout>
  );
}

async function cancel(id: number): Promise<void> {
  await attempt(m.notCancelled, async () => {
    await api.post("/api/emails/{id}/cancel-send", { params: { id } });
    toast(m.sendCancelled);
    navigate("/app/mail/drafts");
    void queryClient.invalidateQueries({ queryKey: ["email"] });
  });
}
