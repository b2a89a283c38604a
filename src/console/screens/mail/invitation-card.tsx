import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { components } from "#api";
import { api } from "../../client/api.ts";
import { useAttempt } from "../../client/attempt.ts";
import { toast } from "../../client/notices.ts";
import { isProblem } from "../../client/problem.ts";
import { queryClient, useGet } from "../../client/queries.ts";
import { addDays, dateText, dayOf, fullText, type TimeHabits, timeText } from "../../lib/time.ts";
import { invitation as m } from "../../messages/invitation.ts";
import { Button } from "../../ui/button.tsx";
import { Callout } from "../../ui/callout.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";

type Found = components["schemas"]["EmailInvitations"]["data"][number];
type Times = Pick<Found, "start" | "end" | "allDay" | "startDate" | "endDate">;

const ANSWERS = ["accepted", "tentative", "declined"] as const;
type Answer = (typeof ANSWERS)[number];

interface CardsProps {
  emailId: number;
  habits: TimeHabits;
}

/** What an email invites to, beside the calendar, and the answers that fit. */
export default function InvitationCards({ emailId, habits }: CardsProps) {
  const { data } = useGet(["event", "invitation", emailId], "/api/emails/{id}/invitation", { params: { id: emailId } });
  if (!data) return null;
  return (
    <>
      {data.problem && <Callout role="note">{m.unreadable}</Callout>}
      {data.data.map((found) => (
        <InvitationCard key={found.n} emailId={emailId} habits={habits} found={found} />
      ))}
    </>
  );
}

/** In the person's time zone, whichever the invitation names. */
function whenText(habits: TimeHabits, { start, end, allDay, startDate, endDate }: Times): string {
  if (allDay && startDate && endDate) {
    const last = addDays(endDate, -1);
    return last > startDate
      ? `${dateText(habits, startDate)} – ${dateText(habits, last)}`
      : dateText(habits, startDate);
  }
  const [from, to] = [new Date(start), new Date(end)];
  const until = dayOf(habits, from) === dayOf(habits, to) ? timeText(habits, to) : fullText(habits, to);
  return `${fullText(habits, from)} – ${until}`;
}

const nameOf = ({ name, email }: { name: string | null; email: string }) => name || email;

const NAMED = 6;

function InvitationCard({ emailId, habits, found }: CardsProps & { found: Found }) {
  const id = useId();
  const { state, event, organizer, attendees, conflicts } = found;
  const isGone = state === "cancelled" || state === "cancellation";
  const names: Partial<Record<Found["state"], string>> = m.names;
  const others = attendees.filter(({ email }) => email !== organizer?.email);
  const people = [
    ...(organizer && state !== "response" ? [m.invitedBy(nameOf(organizer))] : []),
    ...others.slice(0, NAMED).map((person) => m.person(nameOf(person), person.response)),
    ...(others.length > NAMED ? [m.more(others.length - NAMED)] : []),
  ];
  return (
    <section class="invitation-card stack gap-10" aria-labelledby={id} data-state={state}>
      <h3 id={id} class="line gap-6">
        <Icon name="calendar" size={16} />
        {names[state] ?? m.name}
      </h3>
      <p class="invitation-title">
        <strong class={isGone ? "struck" : ""}>{found.title}</strong>
        {found.isOccurrence && <span class="badge"> {m.occurrence}</span>}
        {found.rrule && <span class="badge"> {m.repeats}</span>}
      </p>
      <dl>
        <Fact name={m.when}>{whenText(habits, found)}</Fact>
        <Fact name={m.where}>{found.location}</Fact>
        <Fact name={m.call}>
          {found.meetingUrl && (
            <a href={found.meetingUrl} target="_blank" rel="noopener noreferrer nofollow">
              {found.meetingUrl}
            </a>
          )}
        </Fact>
        <Fact name={m.who}>{people.join(", ")}</Fact>
      </dl>
      {conflicts.length > 0 && (
        <Callout tone="warn">
          <strong>{m.conflicts}</strong>
          <ul>
            {conflicts.slice(0, NAMED).map((other) => (
              <li key={`${other.id} ${other.start}`}>
                {other.title}, {timeText(habits, new Date(other.start))} – {timeText(habits, new Date(other.end))}
              </li>
            ))}
            {conflicts.length > NAMED && <li>{m.more(conflicts.length - NAMED)}</li>}
          </ul>
        </Callout>
      )}
      <State found={found} habits={habits} />
      <Answers emailId={emailId} found={found} />
      {event && (
        <a class="invitation-link" href={`/app/calendar/day/${dayOf(habits, new Date(event.start))}`}>
          {m.open}
        </a>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  if (!children) return null;
  return (
    <div class="invitation-fact">
      <dt class="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function State({ found, habits }: { found: Found; habits: TimeHabits }) {
  const { state, event, isOver, reason, attendees, comment } = found;
  const [replying] = attendees;
  const mine = event?.myResponse;
  const isMoved = event && whenText(habits, event) !== whenText(habits, found);
  const lines = [
    state === "response" && replying && m.says(nameOf(replying), m.responses[replying.response]),
    m.states[state],
    (state === "outdated" || state === "update") && isMoved && m.isNow(whenText(habits, event)),
    isOver && state !== "response" && m.isOver,
    state === "refused" && reason && m.refused(reason),
    mine && mine !== "needs_action" && m.yourAnswer(m.responses[mine]),
  ].filter(Boolean);
  return (
    <>
      {comment && <blockquote>{comment}</blockquote>}
      {lines.length > 0 && (
        <p class="muted" role="status">
          {lines.join(" ")}
        </p>
      )}
    </>
  );
}

function Answers({ emailId, found }: { emailId: number; found: Found }) {
  const { n, state, event, canRespond, canApply } = found;
  const { busy, isBusy, attempt } = useAttempt();
  const [comment, setComment] = useState("");
  const [hasChanged, setHasChanged] = useState(false);
  if (!canRespond && !canApply) return null;
  const send = (response?: Answer) =>
    attempt(
      response ? m.notAnswered : m.notApplied,
      async () => {
        setHasChanged(false);
        try {
          const body = {
            n,
            seenVersion: event?.version ?? null,
            ...(response && { response }),
            ...(response && comment.trim() && { comment: comment.trim() }),
          };
          const saved = await api.post("/api/emails/{id}/invitation", { params: { id: emailId }, body });
          setComment("");
          if (!response) toast(m.applied[state === "update" || state === "cancellation" ? state : "new"]);
          else toast(saved.notified ? m.answered : m.answeredQuietly(saved.notNotifiedBecause ?? ""));
        } catch (error) {
          if (!isProblem(error, "version_conflict", "conflict")) throw error;
          setHasChanged(true);
        } finally {
          await queryClient.invalidateQueries({ queryKey: ["event"] });
        }
      },
      response ?? "apply",
    );
  const mine = event?.myResponse;
  return (
    <>
      {hasChanged && (
        <Callout tone="warn" role="alert">
          {m.changed}
        </Callout>
      )}
      {canRespond && (
        <div class="cluster">
          {ANSWERS.map((each) => (
            <Button
              key={each}
              tone={each === "accepted" && mine !== "accepted" ? "primary" : "plain"}
              aria-pressed={mine === each}
              isBusy={busy === each}
              onClick={() => !isBusy && void send(each)}
            >
              {m.answers[each]}
            </Button>
          ))}
        </div>
      )}
      {canApply && (
        <div class="cluster">
          <Button isBusy={busy === "apply"} onClick={() => !isBusy && void send()}>
            {state === "update" ? m.update : state === "cancellation" ? m.cancel : m.add}
          </Button>
        </div>
      )}
      {canRespond && (
        <details>
          <summary class="muted">{m.addComment}</summary>
          <TextField
            label={m.comment}
            value={comment}
            maxLength={1000}
            onInput={({ currentTarget }) => setComment(currentTarget.value)}
          />
        </details>
      )}
    </>
  );
}
