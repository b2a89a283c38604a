import { memo } from "../../lib/memo.ts";
import { pastText, type TimeHabits } from "../../lib/time.ts";
import { mail as m } from "../../messages/mail.ts";
import { Icon } from "../../ui/icon.tsx";
import type { Email } from "./boxes.ts";
import { toggleStar } from "./email-changes.ts";

interface EmailRowProps {
  email: Email;
  href: string;
  habits: TimeHabits;
  now: Date;
  isOpen: boolean;
  isSelected: boolean;
  onSelect(email: Email, through: boolean): void;
}

function peopleOf(email: Email): string {
  if (email.direction === "inbound") return email.from.name || email.from.email;
  const names = email.to.map(({ name, email: address }) => name || address).join(", ");
  return m.to(names || "–");
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
  onSelect,
}: EmailRowProps) {
  const people = peopleOf(email);
  const subject = email.subject || m.noSubject;
  const { at, text } = whenOf(email, habits, now);
  const level = email.analysis?.urgency.level ?? "low";
  const files = email.attachments.filter(({ inline }) => !inline).length;
  return (
    <li
      class="email hovers"
      data-row
      data-id={email.id}
      data-unread={!email.isRead}
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
          {!email.isRead && <span class="visually-hidden">{m.unread}, </span>}
          {people}
        </span>
        {email.threadCount > 1 && <span class="email-count">{email.threadCount}</span>}
        <time class="email-time hint" dateTime={at.toISOString()}>
          {text}
        </time>
        <span class="email-subject clip">{subject}</span>
        <span class="email-last line">
          <span class="email-snippet grow clip hint">{email.snippet}</span>
          <span class="email-facts line">
            {(level === "critical" || level === "high") && (
              <span class={level === "critical" ? "badge danger" : "badge warn"}>{m.urgency[level]}</span>
            )}
            {email.delivery === "failed" && <span class="badge danger">{m.delivery.failed}</span>}
            {email.delivery === "sending" && <span class="badge">{m.delivery.sending}</span>}
            {files > 0 && (
              <span>
                <Icon name="paperclip" size={14} />
                <span class="visually-hidden">{m.attachment}</span>
              </span>
            )}
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
        aria-label={email.isStarred ? m.unstar : m.star}
        aria-pressed={email.isStarred}
        onClick={() => toggleStar([email])}
      >
        <Icon name="star" size={16} />
      </button>
    </li>
  );
});
