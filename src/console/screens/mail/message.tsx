import { useMemo, useState } from "preact/hooks";
import { initials } from "../../lib/initials.ts";
import { fullText, pastText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { Attachments } from "./attachments.tsx";
import type { Email } from "./boxes.ts";
import { MessageText } from "./message-text.tsx";

type Full = Email & { body: string; html: string | null };
type Person = Email["from"];

/** Of the text, of tables, and of styles. */
const REMOTE_PICTURE =
  /(?:<img\b[^<>]*?\bsrc\s{0,9}=|\bbackground\s{0,9}=|\burl\()\s{0,9}(?:["']|&quot;|&#39;)?\s{0,9}(?:https?:)?\/\//gi;

interface MessageProps {
  email: Email;
  full: Full | undefined;
  habits: TimeHabits;
  now: Date;
  showsText: boolean;
}

const nameOf = ({ name, email }: Person) => name || email;
const bothOf = ({ name, email }: Person) => (name ? `${name} <${email}>` : email);

/** The open email of the thread, with all of its content. */
export function Message({ email, full, habits, now, showsText }: MessageProps) {
  const received = new Date(email.receivedAt);
  return (
    <article class="message stack gap-12 card">
      <header class="message-head">
        <span class="avatar" aria-hidden="true">
          {initials(nameOf(email.from))}
        </span>
        <details class="message-people">
          <summary>
            <strong>{nameOf(email.from)}</strong>
            {email.from.name && <span class="message-address muted"> &lt;{email.from.email}&gt;</span>}
            <span class="muted"> {m.to(email.to.map(nameOf).join(", ") || "–")}</span>
          </summary>
          <dl class="stack gap-2 hint">
            <Detail name={m.detailFrom} value={bothOf(email.from)} />
            <Detail name={m.detailTo} value={email.to.map(bothOf).join(", ")} />
            <Detail name={m.detailCc} value={email.cc.map(bothOf).join(", ")} />
            <Detail name={m.detailReplyTo} value={email.replyTo ? bothOf(email.replyTo) : ""} />
            <Detail name={m.detailDate} value={fullText(habits, received)} />
          </dl>
        </details>
        <time class="muted" dateTime={email.receivedAt} title={fullText(habits, received)}>
          {pastText(habits, received, now)}
        </time>
      </header>
      {email.senderProof === "failed" && (
        <Callout tone="danger" role="note">
          {m.unproved}
        </Callout>
      )}
      {full ? <Content full={full} showsText={showsText} /> : <Skeleton rows={5} form="text" />}
      <Attachments email={full ?? email} />
    </article>
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
  if (full.html === null || showsText) return <MessageText text={full.body} analysis={full.analysis} />;
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
        src={`/api/emails/${full.id}/frame${images === "all" ? "?images=all" : ""}`}
        style={{ height: heightOf(full) }}
      />
    </>
  );
}

/** The document in the frame is closed to us, so that its height is a guess from its text. It scrolls if it is too low. */
function heightOf({ body, html }: Full): string {
  const lines = body.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 84)), 0);
  const pictures = (html?.match(/<img\b/gi)?.length ?? 0) * 120;
  return `clamp(160px, ${lines * 23 + pictures + 64}px, 72dvh)`;
}

interface FoldedProps {
  email: Email;
  href: string;
  habits: TimeHabits;
  now: Date;
}

/** Another email of the thread: one line that opens it. */
export function FoldedMessage({ email, href, habits, now }: FoldedProps) {
  return (
    <a class="message stack gap-12 card folded hovers" href={href}>
      <span class="avatar" aria-hidden="true">
        {initials(nameOf(email.from))}
      </span>
      <strong>{nameOf(email.from)}</strong>
      <span class="clip muted">{email.snippet}</span>
      <time class="muted" dateTime={email.receivedAt}>
        {pastText(habits, new Date(email.receivedAt), now)}
      </time>
    </a>
  );
}
