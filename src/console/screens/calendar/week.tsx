import { useEffect, useRef, useState } from "preact/hooks";
import { hourText, type TimeHabits } from "../../lib/time.ts";
import { momentAt, offsetAt, wallAt } from "../../lib/zone.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Column } from "./column.tsx";
import { fullDay, headDay, monthText } from "./day-text.ts";
import { keyOf, type PlacedEvent, whenText } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { Ghost } from "./ghost.tsx";
import { Lane } from "./lane.tsx";
import { touches } from "./layout.ts";
import { useSize } from "./use-size.ts";
import { isOver, type ViewProps } from "./view-props.ts";

/** The narrowest column that still shows a word of a title. */
const READABLE = 44;

/** One day or seven, by the hour. */
export function Week(props: ViewProps & { secondZone: string | null; heading: string }) {
  const { habits, now, today, days, focusDay, placed, tasks, control, secondZone, heading } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [row, { width }] = useSize<HTMLDivElement>();
  const [crowd, setCrowd] = useState<readonly PlacedEvent[] | null>(null);
  const maxColumns = Math.max(2, Math.floor((width || 980) / days.length / READABLE));
  const timed = placed.filter(({ isBar }) => !isBar);
  useScrollToHours(scroller, days, today, now, habits);
  return (
    <div class="cal-scroll card flush" ref={scroller} data-days={days.length} data-zones={secondZone ? 2 : 1}>
      <div class="cal-head">
        <div class="cal-corner" aria-hidden="true">
          {secondZone && <span>{zoneText(secondZone, days[0] ?? today)}</span>}
          <span>{zoneText(habits.timeZone, days[0] ?? today)}</span>
        </div>
        <div class="cal-names">
          {days.map((day) => {
            const { weekday, date } = headDay(habits, day);
            return (
              <a
                key={day}
                class="line gap-6 hovers"
                href={`/app/calendar/day/${day}`}
                data-today={day === today}
                aria-current={day === today ? "date" : undefined}
              >
                <span>{weekday}</span> <b>{date}</b>
                <span class="visually-hidden"> {monthText(habits, day)}</span>
              </a>
            );
          })}
        </div>
        <div class="cal-corner" aria-hidden="true">
          <span>{m.allDay}</span>
        </div>
        <Lane {...props} />
      </div>
      <div class="cal-body">
        {secondZone && <Hours habits={habits} zone={secondZone} day={days[0] ?? today} />}
        <Hours habits={habits} zone={habits.timeZone} day={days[0] ?? today} />
        {/* biome-ignore lint/a11y/useSemanticElements: the hours of a day are no rows of a table. */}
        <div
          class="cal-grid grow"
          role="grid"
          aria-label={heading}
          onPointerDown={control.onPointerDown}
          onDblClick={control.onDblClick}
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: its cells have the focus. */}
          <div class="cal-row" role="row" ref={row}>
            {days.map((day) => (
              <Column
                key={day}
                day={day}
                habits={habits}
                now={now}
                today={today}
                isFocused={day === focusDay}
                placed={timed.filter((each) => touches(each, day))}
                name={m.cell(
                  fullDay(habits, day),
                  placed.filter((each) => touches(each, day)).length,
                  tasks.filter((each) => each.day === day).length,
                )}
                maxColumns={maxColumns}
                onFocusDay={props.setFocusDay}
                onCrowd={setCrowd}
              />
            ))}
            <Ghost habits={habits} days={days} events={props.events} drag={control.drag} />
          </div>
        </div>
      </div>
      {crowd && <CrowdDialog habits={habits} now={now} placed={crowd} onClose={() => setCrowd(null)} />}
    </div>
  );
}

/** To an hour before now, or before the working day. */
function useScrollToHours(
  scroller: { current: HTMLDivElement | null },
  days: readonly string[],
  today: string,
  now: Date,
  habits: TimeHabits,
): void {
  const isToday = days.includes(today);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const hour = isToday ? wallAt(habits.timeZone, now.getTime()).minutes / 60 : 8;
    const height = element.querySelector(".cal-grid")?.clientHeight ?? 0;
    element.scrollTop = (height / 24) * Math.max(0, Math.min(hour - 1.5, 7.5));
  }, [days.length, isToday]);
}

function Hours({ habits, zone, day }: { habits: TimeHabits; zone: string; day: string }) {
  return (
    <div class="cal-hours" aria-hidden="true">
      {Array.from({ length: 23 }, (_, index) => {
        // At the hours of the person's own clock, what the clock of this zone shows.
        const moment = momentAt(habits.timeZone, { day, minutes: (index + 1) * 60 });
        // The hour as such, also on a day that has it twice or not at all.
        const text =
          zone === habits.timeZone
            ? hourText({ ...habits, timeZone: "UTC" }, new Date(Date.UTC(2026, 0, 1, index + 1)))
            : hourText({ ...habits, timeZone: zone }, new Date(moment));
        return (
          <span key={index} style={{ "--from": (index + 1) * 60 }}>
            {text}
          </span>
        );
      })}
    </div>
  );
}

/** "GMT+1", or the short name of the zone. */
function zoneText(zone: string, day: string): string {
  const moment = momentAt(zone, { day, minutes: 720 });
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "short" }).formatToParts(moment);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
  return name === "UTC" && offsetAt(zone, moment) !== 0 ? zone : name;
}

interface CrowdDialogProps {
  habits: TimeHabits;
  now: Date;
  placed: readonly PlacedEvent[];
  onClose(): void;
}

/** All that takes place at the same time, where the grid has no room for it. */
function CrowdDialog({ habits, now, placed, onClose }: CrowdDialogProps) {
  const sorted = [...placed].sort((a, b) => (a.event.start < b.event.start ? -1 : 1));
  return (
    <Dialog title={m.crowdTitle(placed.length)} size="small" onClose={onClose}>
      <ul class="cal-list">
        {sorted.map((each) => (
          // A click on the link closes the dialog before its event opens.
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on the link is a click.
          <li key={keyOf(each.event)} class="line gap-12" onClick={onClose}>
            <span class="cal-list-time stack gap-0 hint">{whenText(habits, each.event)}</span>
            <EventLink placed={each} habits={habits} form="line" isOver={isOver(now, each)} tabIndex={0} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
