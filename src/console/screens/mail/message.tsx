import { useEffect, useMemo, useState } from "preact/hooks";
import { initials } from "../../lib/initials.ts";
import { fullText, momentText, pastText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Pending } from "../../ui/states.tsx";
import { Analysis } from "./analysis.tsx";
import { Attachments, saveMessage } from "./attachments.tsx";
import type { Email } from "./boxes.ts";
import { startComposing } from "./compose/opening.ts";
import { DeliveryNote } from "./delivery-note.tsx";
import { DraftNote } from "./draft-note.tsx";
import { noteRead, trash } from "./email-changes.ts";
import { Invitations, mayInvite } from "./invitations.tsx";
import { MessageText, markId } from "./message-text.tsx";
import { QuoteButton } from "./quote-button.tsx";
import { hasQuotes, quoteStart } from "./quoted.ts";
import { SignIn, signInState } from "./sign-in.tsx";
import { useEmail } from "./use-mail.ts";

type Full = Email & { body: string; html: string | null };
type Person = Email["from"];

/** Of the text, of tables, and of styles. */
const REMOTE_PICTURE =
  /(?:<img\b[^<>]*?\bsrc\s{0,9}=|\bbackground\s{0,9}=|\burl\()\s{0,9}(?:["']|&quot;|&#39;)?\s{0,9}(?:https?:)?\/\//gi;

interface MessageProps {
  email: Email;
  habits: TimeHabits;
  now: Date;
  showsText: boolean;
  onShowText(): void;
  /** Not for the only message of a conversation. */
  onFold?: (() => void) | undefined;
}

const nameOf = ({ name, email }: Person) => name || email;
const bothOf = ({ name, email }: Person) => (name ? `${name} <${email}>` : email);

/** The first recipients by name. */
const NAMED = 3;

function recipientsOf({ to, cc }: Email): string {
  const all = [...to, ...cc].map(nameOf);
  const names = all.slice(0, NAMED).join(", ");
  return m.to(all.length > NAMED ? m.others(names, all.length - NAMED) : names || "–");
}

/** A message that is unfolded, with all of its content. It has been read once its content is shown. */
export function Message({ email: listed, habits, now, showsText, onShowText, onFold }: MessageProps) {
  const { email: full, error, refetch } = useEmail(listed.id);
  const email: Email = full ?? listed;
  useEffect(() => {
    if (full && !full.isRead && full.direction === "inbound") noteRead(full);
  }, [full?.id]);
  const isInviting = mayInvite(email, full?.body);
  return (
    <article class="message stack gap-12 card">
      <MessageHead email={email} habits={habits} now={now} onFold={onFold} />
      {email.senderProof === "failed" && (
        <Callout tone="danger" role="note">
          {m.unproved}
        </Callout>
      )}
      <DeliveryNote email={email} habits={habits} />
      {isInviting && <Invitations emailId={email.id} habits={habits} />}
      {email.direction === "inbound" && !email.signIn && (
        <Analysis
          isInviting={isInviting}
          email={email}
          habits={habits}
          now={now}
          onQuote={(start) => {
            // The formatted email is closed to us: what is marked stands in its text.
            onShowText();
            requestAnimationFrame(() => showMark(markId(email.id, start)));
          }}
        />
      )}
      <SignIn email={email} habits={habits} now={now}>
        {full ? (
          <Content full={full} showsText={showsText} />
        ) : (
          <Pending of={{ error, refetch }} rows={5} form="text" />
        )}
      </SignIn>
      <Attachments email={full ?? email} />
      <DraftNote emailId={email.id} />
    </article>
  );
}

function showMark(id: string): void {
  const mark = document.getElementById(id);
  mark?.scrollIntoView({ block: "center" });
  mark?.focus({ preventScroll: true });
}

interface MessageHeadProps extends Pick<MessageProps, "email" | "habits" | "now" | "onFold"> {}

function MessageHead({ email, habits, now, onFold }: MessageHeadProps) {
  const received = new Date(email.receivedAt);
  const name = nameOf(email.from);
  return (
    <header class="message-head">
      <span class="avatar" aria-hidden="true">
        {initials(name)}
      </span>
      <details class="message-people">
        <summary>
          <strong>{name}</strong>
          {email.from.name && <span class="message-address muted"> &lt;{email.from.email}&gt;</span>}
          <span class="message-to muted clip"> {recipientsOf(email)}</span>
        </summary>
        <dl class="stack gap-2 hint">
          <Detail name={m.detailFrom} value={bothOf(email.from)} />
          <Detail name={m.detailTo} value={email.to.map(bothOf).join(", ")} />
          <Detail name={m.detailCc} value={email.cc.map(bothOf).join(", ")} />
          <Detail name={m.detailReplyTo} value={email.replyTo ? bothOf(email.replyTo) : ""} />
          <Detail name={m.detailDate} value={fullText(habits, received)} />
          <Detail
            name={m.detailMailbox}
            value={email.mailboxes.map(({ label, folder }) => `${label} (${folder})`).join(", ")}
          />
        </dl>
      </details>
      <time class="muted" dateTime={email.receivedAt} title={fullText(habits, received)}>
        {momentText(habits, received, now)}
      </time>
      {onFold && (
        <span class="message-tools line gap-2">
          <Menu label={m.messageActions(name)}>
            <MenuItem icon="reply" onChoose={() => startComposing({ kind: "reply", email })} label={m.reply} />
            <MenuItem
              icon="reply-all"
              onChoose={() => startComposing({ kind: "replyAll", email })}
              label={m.replyAll}
            />
            <MenuItem icon="forward" onChoose={() => startComposing({ kind: "forward", email })} label={m.forward} />
            <MenuItem icon="down" onChoose={() => saveMessage(email.id)} label={m.download} />
            {email.status !== "trash" && (
              <MenuItem
                icon="trash"
                onChoose={() => trash({ emails: [email], areThreads: false })}
                label={m.trashMessage}
              />
            )}
          </Menu>
          <IconButton
            icon="down"
            class="unfolded"
            label={m.fold(name)}
            aria-expanded
            data-fold={email.id}
            onClick={onFold}
          />
        </span>
      )}
    </header>
  );
}

function Detail({ name, value }: { name: string; value: string }) {
  if (!value) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Content({ full, showsText }: { full: Full; showsText: boolean }) {
  const [images, setImages] = useState<"own" | "all">("own");
  const heldBack = useMemo(() => full.html?.match(REMOTE_PICTURE)?.length ?? 0, [full.html]);
  const isReply = useMemo(() => hasQuotes(full), [full.html]);
  const [isWhole, setIsWhole] = useState(false);
  if (full.html === null || showsText) {
    return <MessageText id={full.id} text={full.body} analysis={full.analysis} />;
  }
  const isFolded = isReply && !isWhole;
  const query = new URLSearchParams({ ...(images === "all" && { images }), ...(isFolded && { quotes: "folded" }) });
  return (
    <>
      {heldBack > 0 && images === "own" && (
        <Callout role="note" action={<Button onClick={() => setImages("all")}>{m.showImages}</Button>}>
          {m.heldBack(heldBack)}
        </Callout>
      )}
      <iframe
        title={m.body}
        class="message-frame"
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        src={`/api/emails/${full.id}/frame${query.size > 0 ? `?${query}` : ""}`}
        style={{ height: heightOf(isFolded ? full.body.slice(0, quoteStart(full.body)) : full.body, full.html) }}
      />
      {isReply && <QuoteButton isShown={isWhole} onToggle={() => setIsWhole(!isWhole)} />}
    </>
  );
}

/** The document in the frame is closed to us, so that its height is a guess from its text. It scrolls if it is too low. */
function heightOf(text: string, html: string): string {
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 84)), 0);
  const pictures = (html.match(/<img\b/gi)?.length ?? 0) * 120;
  return `clamp(${SMALLEST_PX}px, ${lines * 23 + pictures + 64}px, 72dvh)`;
}

const SMALLEST_PX = 120;

interface FoldedProps {
  email: Email;
  habits: TimeHabits;
  now: Date;
  /** It came while the conversation was open. */
  isNew: boolean;
  onUnfold(): void;
}

/** A message of the conversation as one line that unfolds it. */
export function FoldedMessage({ email, habits, now, isNew, onUnfold }: FoldedProps) {
  return (
    <button
      type="button"
      class="message card folded hovers"
      aria-expanded={false}
      data-fold={email.id}
      data-unread={!email.isRead}
      onClick={onUnfold}
    >
      <span class="avatar" aria-hidden="true">
        {initials(nameOf(email.from))}
      </span>
      <span class="folded-from clip">
        {!email.isRead && <span class="visually-hidden">{m.unread}, </span>}
        {nameOf(email.from)}
      </span>
      <span class="clip muted">
        {email.signIn && signInState(email, now) === "expired" ? m.signIn.expired[email.signIn.kind] : email.snippet}
      </span>
      {isNew && <span class="badge good">{m.isNew}</span>}
      <time class="muted" dateTime={email.receivedAt}>
        {pastText(habits, new Date(email.receivedAt), now)}
      </time>
    </button>
  );
}
