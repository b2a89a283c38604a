import { memo } from "../../lib/memo.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import { type Email, hasStar, isUnread, type Row } from "./boxes.ts";
import { toggleStar } from "./email-changes.ts";
import { backBecause } from "./follow-up.tsx";
import { SignInCode, signInState } from "./sign-in.tsx";

interface EmailRowProps {
  email: Row;
  href: string;
  habits: TimeHabits;
  now: Date;
  isOpen: boolean;
  isSelected: boolean;
  /** Where emails of several mailboxes are listed. */
  showsMailbox: boolean;
  onSelect(email: Row, through: boolean): void;
}

/** Who takes part: in a conversation of several, by their first names. */
function peopleOf(email: Row): string {
  const { count = 1, participants = [] } = email.conversation ?? {};
  if (count > 1 && participants.length > 0) {
    const names = participants.map(({ name, address, isMe }) => (isMe ? m.me : name || address));
    return names.map((name) => (names.length > 1 ? shortName(name) : name)).join(", ");
  }
  if (email.direction === "inbound") return email.from.name || email.from.email;
  const names = email.to.map(({ name, email: address }) => name || address).join(", ");
  return m.to(names || "–");
}

function shortName(name: string): string {
  return name.includes("@") ? (name.split("@")[0] ?? name) : (name.split(/[\s,]/)[0] ?? name);
}

/** The time that matters: when it leaves, when it comes back, or when it came. */
function whenOf(email: Email, habits: TimeHabits, now: Date): { at: Date; text: string } {
  const waits = email.delivery === "scheduled" ? email.sendAt : null;
  const at = new Date(waits ?? email.receivedAt);
  return { at, text: waits ? m.delivery.scheduled(pastText(habits, at, now)) : pastText(habits, at, now) };
}

export const EmailRow = memo(function EmailRow({
  email,
  href,
  habits,
  now,
  isOpen,
  isSelected,
  showsMailbox,
  onSelect,
}: EmailRowProps) {
  const people = peopleOf(email);
  const subject = email.subject || m.noSubject;
  const { at, text } = whenOf(email, habits, now);
  const level = email.analysis?.urgency.level ?? "low";
  const { signIn } = email;
  const back = backBecause(email, now);
  const state = signInState(email, now);
  const { conversation } = email;
  const hasFiles = conversation?.hasAttachments ?? email.attachments.some(({ inline }) => !inline);
  const count = conversation?.count ?? email.threadCount;
  const [isNew, isStarred] = [isUnread(email), hasStar(email)];
  return (
    <li
      class="email hovers"
      data-row
      data-id={email.id}
      data-unread={isNew}
      data-open={isOpen}
      data-selected={isSelected}
    >
      <input
        type="checkbox"
        class="checkbox email-select"
        aria-label={m.select(subject)}
        checked={isSelected}
        onClick={(event) => onSelect(email, event.shiftKey)}
      />
      <a class="email-link bare" data-row-focus href={href} aria-current={isOpen ? "true" : undefined}>
        <span class="email-people clip muted">
          {isNew && <span class="visually-hidden">{m.unread}, </span>}
          {people}
        </span>
        {count > 1 && (
          <span class="email-count">
            {count}
            <span class="visually-hidden"> {m.messagesCounted}</span>
          </span>
        )}
        <time class="email-time hint" dateTime={at.toISOString()}>
          {text}
        </time>
        <span class="email-subject clip">{subject}</span>
        <span class="email-last line">
          <span class="email-snippet grow clip hint">
            {signIn && state === "expired" ? m.signIn.expired[signIn.kind] : email.snippet}
          </span>
          <span class="email-facts line">
            {(level === "critical" || level === "high") && (
              <span class={level === "critical" ? "badge danger" : "badge warn"}>{m.urgency[level]}</span>
            )}
            {signIn && state === "valid" && <span class="badge good">{m.signIn.name[signIn.kind]}</span>}
            {back && <span class="badge">{back}</span>}
            {email.delivery === "failed" && <span class="badge danger">{m.delivery.failed}</span>}
            {email.delivery === "sending" && <span class="badge">{m.delivery.sending}</span>}
            {conversation?.isMuted && <span class="badge">{m.muted}</span>}
            {hasFiles && (
              <span>
                <Icon name="paperclip" size={14} />
                <span class="visually-hidden">{m.attachment}</span>
              </span>
            )}
            {showsMailbox && email.mailboxes[0] && <span class="badge">{email.mailboxes[0].label}</span>}
            {email.tags.slice(0, 3).map((tag) => (
              <span key={tag} class="task-tag">
                {tag}
              </span>
            ))}
          </span>
        </span>
      </a>
      <button
        type="button"
        class="email-star center bare"
        aria-label={isStarred ? m.unstar : m.star}
        aria-pressed={isStarred}
        onClick={() => toggleStar({ emails: [email], areThreads: conversation !== undefined })}
      >
        <Icon name="star" size={16} />
      </button>
      {signIn?.code && state === "valid" && <SignInCode code={signIn.code} />}
    </li>
  );
});
