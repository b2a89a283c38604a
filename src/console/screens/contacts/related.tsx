import type { ComponentChildren } from "preact";
import type { components } from "#api";
import { patched } from "../../client/changes.ts";
import { useHabits, useNow } from "../../client/profile.ts";
import { useGet } from "../../client/queries.ts";
import { eventPath } from "../../lib/event-path.ts";
import { sizeText } from "../../lib/size-text.ts";
import { dayText, fullText, pastText, type TimeHabits } from "../../lib/time.ts";
import { contacts as m } from "../../messages/contacts.ts";
import { Card } from "../../ui/card.tsx";
import { Entry, Rows } from "../../ui/entries.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pending } from "../../ui/states.tsx";
import { saveFile } from "../mail/attachments.tsx";
import { dueOf, dueText } from "../tasks/task.ts";

type Event = components["schemas"]["Event"];
type Status = components["schemas"]["EmailSummary"]["status"];

export const emailPath = (id: number, status: Status) =>
  `/app/mail/${status === "archived" ? "archive" : status}/${id}`;

/** What is open between oneself and a person. Parts without anything are left out. */
export function Related({ id }: { id: number }) {
  const habits = useHabits();
  const now = useNow();
  // Counted from records of several kinds, so whatever changes makes it stale.
  const { data, error, refetch } = useGet(["stats", "contact", id], "/api/contacts/{id}/related", { params: { id } });
  if (!data) return error ? <Pending of={{ error, refetch }} rows={2} /> : null;
  return (
    <>
      <Part heading={m.noAnswer} of={patched("email", data.unanswered)}>
        {({ id: emailId, subject, status, receivedAt }) => (
          <Entry name={<Link href={emailPath(emailId, status)}>{subject || m.noSubject}</Link>}>
            <Time at={receivedAt} text={pastText(habits, new Date(receivedAt), now)} />
          </Entry>
        )}
      </Part>
      <Part heading={m.events} of={data.events}>
        {(event) => (
          <Entry name={<Link href={pathOf(habits, event)}>{event.title}</Link>} hint={event.location}>
            <Time at={event.start} text={whenOf(habits, event)} />
          </Entry>
        )}
      </Part>
      <Part heading={m.tasks} of={patched("task", data.tasks).filter(({ completedAt }) => completedAt === null)}>
        {(task) => {
          const due = dueOf(habits, task);
          return (
            <Entry name={<Link href={`/app/tasks/${task.id}`}>{task.title}</Link>}>
              {due && <span class="hint">{dueText(habits, now, due)}</span>}
            </Entry>
          );
        }}
      </Part>
      <Part heading={m.files} of={data.files}>
        {({ emailId, n, name, size, subject, status, receivedAt }) => (
          <Entry
            icon="paperclip"
            name={name}
            badge={<span class="hint">{sizeText(size)}</span>}
            hint={<Link href={emailPath(emailId, status)}>{subject || m.noSubject}</Link>}
          >
            <Time at={receivedAt} text={pastText(habits, new Date(receivedAt), now)} />
            <button
              type="button"
              class="icon-button"
              aria-label={m.saveFile(name)}
              onClick={() => void saveFile(`/api/emails/${emailId}/attachments/${n}`, name)}
            >
              <Icon name="download" />
            </button>
          </Entry>
        )}
      </Part>
    </>
  );
}

interface PartProps<T> {
  heading: string;
  of: readonly T[];
  children(record: T): ComponentChildren;
}

function Part<T>({ heading, of: records, children }: PartProps<T>) {
  if (records.length === 0) return null;
  return (
    <Card heading={heading}>
      <Rows of={records}>{children}</Rows>
    </Card>
  );
}

const Link = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <a class="plain" href={href}>
    {children}
  </a>
);

const Time = ({ at, text }: { at: string; text: string }) => (
  <time class="hint" dateTime={at}>
    {text}
  </time>
);

function pathOf(habits: TimeHabits, { id, start, startDate, recurringEventId, originalStart }: Event): string {
  return eventPath(habits, { id, start, startDate, at: id === recurringEventId ? originalStart : null });
}

const whenOf = (habits: TimeHabits, { start, startDate }: Event) =>
  startDate ? dayText(habits, startDate) : fullText(habits, new Date(start));
