import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { place } from "../../lib/router.ts";
import type { TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import type { Email } from "./boxes.ts";
import { ComposeSlot } from "./compose/compose-slot.tsx";
import { FoldedMessage, Message } from "./message.tsx";

interface MessagesProps {
  /** The email that was opened. */
  id: number;
  /** Oldest first. */
  emails: readonly Email[];
  /** Whether all of them are there. */
  isWhole: boolean;
  isThreaded: boolean;
  habits: TimeHabits;
  now: Date;
  showsText: boolean;
  onShowText(): void;
}

/** So many unread ones are unfolded at most: each is read by a request of its own. */
const MAX_UNFOLDED = 10;
/** So many folded ones before the first that is unfolded; the others are behind a button. */
const FEW = 4;

/** The messages of a conversation: what was unread when it was opened and the newest are unfolded. */
export function Messages({ id, emails, isWhole, isThreaded, habits, now, showsText, onShowText }: MessagesProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [showsEarlier, setShowsEarlier] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  const first = useRef<Start | null>(null);
  if (isWhole) first.current ??= startOf(emails, id, isThreaded);
  const { known, unfolded } = first.current ?? { known: new Set([id]), unfolded: new Set([id]) };
  const isNew = (email: Email) => !known.has(email.id) && !email.isRead;
  // What comes later stays folded, and unread, until somebody looks at it. What one sends is shown.
  const isOpen = (email: Email) =>
    chosen.get(email.id) ?? (known.has(email.id) ? unfolded.has(email.id) : email.direction === "outbound");

  function fold(folded: readonly Email[], isUnfolded: boolean): void {
    setChosen(new Map([...chosen, ...folded.map((email) => [email.id, isUnfolded] as const)]));
    if (folded.length > 1) setShowsEarlier(true);
    const [{ id: focused } = { id: 0 }] = folded;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-fold="${focused}"]`)?.focus());
  }

  // What is to be read is in view, however much stands before it.
  useLayoutEffect(() => {
    if (!isWhole || place.peek().isReturn) return;
    const begin = list.current?.querySelector("[data-begin]");
    if (begin && begin.getBoundingClientRect().top > innerHeight / 2) begin.scrollIntoView({ block: "start" });
  }, [isWhole]);

  const opened = emails.findIndex(isOpen);
  const hidden = showsEarlier || opened <= FEW ? 0 : opened - 1;
  const areAllOpen = emails.every(isOpen);
  return (
    <>
      {emails.length > 1 && (
        <p class="line between">
          <span class="muted">{m.messages(emails.length)}</span>
          <button type="button" class="quote-link bare hovers" onClick={() => fold(emails, !areAllOpen)}>
            {areAllOpen ? m.foldAll : m.unfoldAll}
          </button>
        </p>
      )}
      {hidden > 0 && (
        <button type="button" class="earlier hovers" onClick={() => setShowsEarlier(true)}>
          {m.earlier(hidden)}
        </button>
      )}
      <ol ref={list} class="messages stack" aria-label={m.messagesName}>
        {emails.slice(hidden).map((email, index) => (
          <li key={email.id} data-begin={index + hidden === opened ? "" : undefined}>
            {isOpen(email) ? (
              <Message
                email={email}
                habits={habits}
                now={now}
                showsText={showsText}
                onShowText={onShowText}
                onFold={emails.length > 1 ? () => fold([email], false) : undefined}
              />
            ) : (
              <FoldedMessage
                email={email}
                habits={habits}
                now={now}
                isNew={isNew(email)}
                onUnfold={() => fold([email], true)}
              />
            )}
            <ComposeSlot emailId={email.id} />
          </li>
        ))}
      </ol>
    </>
  );
}

/** What was there, and what of it was unfolded, when the conversation was opened. */
interface Start {
  known: ReadonlySet<number>;
  unfolded: ReadonlySet<number>;
}

function startOf(emails: readonly Email[], id: number, isThreaded: boolean): Start {
  const idOf = (email: Email) => email.id;
  // The opened one may have been read since, because it is shown before the others are there.
  const unread = emails.filter((email) => email.id === id || (!email.isRead && email.direction === "inbound"));
  const some = [...unread.slice(-MAX_UNFOLDED), ...emails.slice(-1)].map(idOf);
  const unfolded = isThreaded ? [id, ...some] : [id];
  return { known: new Set(emails.map(idOf)), unfolded: new Set(unfolded) };
}
