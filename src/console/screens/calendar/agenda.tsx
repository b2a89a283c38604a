import { useId } from "preact/hooks";
import { facts } from "../../lib/plain.ts";
import { durationText, type TimeHabits } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { JoinLink } from "../../ui/join-link.tsx";
import { Empty } from "../../ui/states.tsx";
import { TaskRow } from "../tasks/task-row.tsx";
import { fullDay } from "./day-text.ts";
import { keyOf, type PlacedEvent, whenText } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { touches } from "./layout.ts";
import type { DayTask } from "./use-events.ts";
import { isOver, type ViewProps } from "./view-props.ts";

/** The days that have something, one below the other. */
export function Agenda(props: ViewProps) {
  const { days, placed, tasks } = props;
  const filled = days
    .map((day) => ({
      day,
      placed: placed.filter((each) => touches(each, day)),
      tasks: tasks.filter((each) => each.day === day),
    }))
    .filter((each) => each.placed.length > 0 || each.tasks.length > 0);
  if (filled.length === 0) {
    return <Empty icon="calendar" title={m.nothingInRange} text={m.nothingInRangeText} />;
  }
  return (
    <div class="cal-agenda">
      {filled.map((each) => (
        <AgendaDay key={each.day} {...props} {...each} />
      ))}
    </div>
  );
}

interface AgendaDayProps {
  habits: TimeHabits;
  now: Date;
  today: string;
  day: string;
  placed: readonly PlacedEvent[];
  tasks: readonly DayTask[];
}

export function AgendaDay({ habits, now, today, day, placed, tasks }: AgendaDayProps) {
  const id = useId();
  const sorted = [...placed].sort((a, b) =>
    a.isBar !== b.isBar ? (a.isBar ? -1 : 1) : a.event.start < b.event.start ? -1 : 1,
  );
  return (
    <section class="cal-agenda-day" aria-labelledby={id} data-today={day === today}>
      <h2 id={id} class="group-head">
        <a class="plain" href={`/app/calendar/day/${day}`}>
          {fullDay(habits, day)}
        </a>
        {day === today && <span class="badge">{m.today}</span>}
      </h2>
      {placed.length === 0 && tasks.length === 0 && <p class="muted">{m.nothingInRange}</p>}
      <ul class="cal-list">
        {sorted.map((each) => (
          <li key={keyOf(each.event)} class="line gap-12" data-over={isOver(now, each)}>
            <span class="cal-list-time stack gap-0 hint">
              {each.event.allDay ? m.allDay : whenText(habits, each.event)}
              {!each.isBar && <small>{durationText(minutesOf(each))}</small>}
            </span>
            <EventLink placed={each} habits={habits} form="line" isOver={isOver(now, each)} tabIndex={0} />
            <Facts placed={each} />
          </li>
        ))}
      </ul>
      {tasks.length > 0 && (
        <ul class="cal-agenda-tasks">
          {tasks.map(({ task }) => (
            <TaskRow key={task.id} task={task} habits={habits} now={now} showsToday={false} isCompact />
          ))}
        </ul>
      )}
    </section>
  );
}

function minutesOf({ event }: PlacedEvent): number {
  return Math.round((Date.parse(event.end) - Date.parse(event.start)) / 60_000);
}

function Facts({ placed: { event } }: { placed: PlacedEvent }) {
  const known = facts(
    event.awaitsAnswer && m.facts.awaits,
    event.status !== "confirmed" && !event.awaitsAnswer && m.facts[event.status],
    event.location,
    event.attendees.length > 0 && event.attendees.map(({ name, email }) => name ?? email).join(", "),
  );
  return (
    <span class="cal-list-facts line muted">
      {known && <small class="clip">{known}</small>}
      {event.meetingUrl && <JoinLink href={event.meetingUrl} label={m.joinName(event.title)} text={m.join} />}
    </span>
  );
}
