import { eventPath } from "../../lib/event-path.ts";
import { facts } from "../../lib/plain.ts";
import { durationText, type TimeHabits, timeText } from "../../lib/time.ts";
import { today as m } from "../../messages/today.ts";
import { Card } from "../../ui/card.tsx";
import { JoinLink } from "../../ui/join-link.tsx";
import { Pending } from "../../ui/states.tsx";
import { type Event, useEvents, useNextFree } from "./data.ts";

interface AgendaProps {
  habits: TimeHabits;
  now: Date;
  day: string;
}

export function Agenda({ habits, now, day }: AgendaProps) {
  const { events, error, retry } = useEvents(habits, day);
  const free = useNextFree(habits, day);
  const wholeDays = events?.filter(({ allDay }) => allDay) ?? [];
  const timed = (events?.filter(({ allDay }) => !allDay) ?? []).sort((a, b) => (a.start < b.start ? -1 : 1));
  const isOver = (event: Event) => new Date(event.end) <= now;
  const next = timed.findIndex((event) => !isOver(event));
  return (
    <Card heading={m.agenda} class="agenda">
      {!events && <Pending of={{ error, retry }} rows={4} form="text" />}
      {wholeDays.map((event) => (
        <p key={event.id} class="agenda-day">
          <span class="badge">{m.allDay}</span> <EventLink event={event} habits={habits} />
        </p>
      ))}
      {events?.length === 0 && <p class="card-empty stack muted">{m.noEvents}</p>}
      <ol class="stack gap-0">
        {timed.map((event, index) => (
          <>
            {index === next && <NowLine key="now" habits={habits} now={now} />}
            <AgendaItem
              key={`${event.id} ${event.start}`}
              event={event}
              habits={habits}
              isOver={isOver(event)}
              now={now}
            />
          </>
        ))}
        {timed.length > 0 && next < 0 && <NowLine habits={habits} now={now} />}
      </ol>
      {timed.length > 0 && next < 0 && <p class="card-empty stack muted">{m.nothingMore}</p>}
      {free && <p class="agenda-free hint">{freeText(habits, now, free)}</p>}
    </Card>
  );
}

function freeText(habits: TimeHabits, now: Date, { start, end }: { start: string; end: string }): string {
  const [from, to] = [new Date(start), new Date(end)];
  if (from.getTime() - now.getTime() < 60_000) return m.freeNow(timeText(habits, to));
  return m.free(`${timeText(habits, from)} – ${timeText(habits, to)}`);
}

function NowLine({ habits, now }: { habits: TimeHabits; now: Date }) {
  return (
    <li class="now-line line">
      <span class="visually-hidden">{m.now}</span>
      <time dateTime={now.toISOString()}>{timeText(habits, now)}</time>
    </li>
  );
}

function EventLink({ event, habits }: { event: Event; habits: TimeHabits }) {
  const { id, recurringEventId, originalStart, start, startDate, title } = event;
  return (
    <a
      class="agenda-title plain"
      href={eventPath(habits, { id, start, startDate, at: id === recurringEventId ? originalStart : null })}
    >
      {title}
    </a>
  );
}

function AgendaItem({ event, habits, isOver, now }: { event: Event; habits: TimeHabits; isOver: boolean; now: Date }) {
  const [start, end] = [new Date(event.start), new Date(event.end)];
  const isNow = start <= now && end > now;
  const minutes = Math.round((end.getTime() - start.getTime()) / 60_000);
  return (
    <li class="agenda-item" data-over={isOver} data-now={isNow}>
      <span class="agenda-time">
        <time dateTime={event.start}>{timeText(habits, start)}</time>
        <small>{durationText(minutes)}</small>
      </span>
      <span class="agenda-what">
        <EventLink event={event} habits={habits} />
        {(event.location || event.awaitsAnswer || event.status === "tentative") && (
          <small>
            {facts(event.awaitsAnswer && m.awaits, event.status === "tentative" && m.tentative, event.location)}
          </small>
        )}
      </span>
      {event.meetingUrl && !isOver && (
        <JoinLink href={event.meetingUrl} label={m.joinName(event.title)} text={m.join} />
      )}
    </li>
  );
}
