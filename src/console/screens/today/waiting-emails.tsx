import { pastText, type TimeHabits } from "../../lib/time.ts";
import { mail } from "../../messages/mail.ts";
import { today as m } from "../../messages/today.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Pending } from "../../ui/states.tsx";
import { setReplyNeeded } from "../mail/reply-needed.ts";
import { type Email, useWaitingEmails } from "./data.ts";

const SHOWN = 5;

export function WaitingEmails({ habits, now }: { habits: TimeHabits; now: Date }) {
  const { emails, hasMore, error, retry } = useWaitingEmails();
  return (
    <Card
      heading={
        <>
          {m.mail} {emails && emails.length > 0 && <span class="count">{`${emails.length}${hasMore ? "+" : ""}`}</span>}
        </>
      }
    >
      {!emails && <Pending of={{ error, retry }} rows={4} />}
      {emails?.length === 0 && <p class="card-empty stack muted">{m.noMail}</p>}
      <ul>
        {emails?.slice(0, SHOWN).map((email) => (
          <WaitingEmail key={email.id} email={email} habits={habits} now={now} />
        ))}
      </ul>
    </Card>
  );
}

function WaitingEmail({ email, habits, now }: { email: Email; habits: TimeHabits; now: Date }) {
  const { from, subject, receivedAt, analysis, isRead } = email;
  const level = analysis?.urgency.level ?? "low";
  const reason = analysis?.urgency.reasons.join(" · ");
  return (
    <li class="waiting" data-unread={!isRead}>
      <a class="hovers" href={`/app/mail/inbox/${email.id}`}>
        <span class="waiting-from clip">{from.name || from.email}</span>
        <time class="hint" dateTime={receivedAt}>
          {pastText(habits, new Date(receivedAt), now)}
        </time>
        <span class="waiting-subject clip">{subject}</span>
        <span class="waiting-why line hint">
          {(level === "critical" || level === "high") && (
            <span class={level === "critical" ? "badge danger" : "badge warn"}>{m.urgency[level]}</span>
          )}
          {reason && <span class="clip">{reason}</span>}
        </span>
      </a>
      <Button aria-description={subject} onClick={() => setReplyNeeded([email], false)}>
        {mail.noAnswer}
      </Button>
    </li>
  );
}
