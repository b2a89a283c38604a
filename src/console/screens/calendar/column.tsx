import { useMemo } from "preact/hooks";
import { type TimeHabits, timeText } from "../../lib/time.ts";
import { wallAt } from "../../lib/zone.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { isWeekend } from "./days.ts";
import { keyOf, type PlacedEvent } from "./event.ts";
import { EventLink } from "./event-link.tsx";
import { linesOf, segmentOn, sideBySide } from "./layout.ts";
import { isOver } from "./view-props.ts";

interface ColumnProps {
  day: string;
  habits: TimeHabits;
  now: Date;
  today: string;
  isFocused: boolean;
  placed: readonly PlacedEvent[];
  name: string;
  maxColumns: number;
  onFocusDay(day: string): void;
  onCrowd(placed: readonly PlacedEvent[]): void;
}

/** One day by the hour: a cell of the grid with its events side by side. */
export function Column({ day, habits, now, today, isFocused, placed, name, maxColumns, ...on }: ColumnProps) {
  const { boxes, crowds } = useMemo(
    () =>
      sideBySide(
        placed.flatMap((each) => segmentOn(each, day) ?? []),
        maxColumns,
      ),
    [placed, day, maxColumns],
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: the hours of a day are no cell of a table.
    <div
      class="cal-column"
      role="gridcell"
      data-day={day}
      data-hours
      data-today={day === today}
      data-weekend={isWeekend(day)}
      aria-current={day === today ? "date" : undefined}
      tabIndex={isFocused ? 0 : -1}
      onFocusCapture={() => on.onFocusDay(day)}
    >
      <span class="visually-hidden">{name}</span>
      {boxes.map(({ item, from, to, column, columns, span }) => (
        <EventLink
          key={keyOf(item.event)}
          placed={item}
          habits={habits}
          form="block"
          isOver={isOver(now, item)}
          tabIndex={isFocused ? 0 : -1}
          continues={{ before: day > item.first, after: day < item.last }}
          style={{
            "--from": from,
            "--to": to,
            "--column": column,
            "--columns": columns,
            "--span": span,
            "--lines": linesOf({ from, to }),
          }}
        >
          {day === item.first && <span class="cal-edge start" data-edge="start" />}
          {day === item.last && <span class="cal-edge end" data-edge="end" />}
        </EventLink>
      ))}
      {crowds.map(({ from, to, items, columns }) => (
        <button
          key={`${from}`}
          type="button"
          class="cal-crowd"
          tabIndex={isFocused ? 0 : -1}
          style={{ "--from": from, "--to": to, "--column": columns - 1, "--columns": columns, "--span": 1 }}
          onClick={() => on.onCrowd(placed.filter((each) => overlaps(each, day, from, to)))}
        >
          {m.moreEvents(items.length)}
          <span class="visually-hidden">{m.crowdName(timeText(habits, new Date(items[0]?.event.start ?? now)))}</span>
        </button>
      ))}
      {day === today && <NowLine habits={habits} now={now} />}
    </div>
  );
}

function overlaps(placed: PlacedEvent, day: string, from: number, to: number): boolean {
  const segment = segmentOn(placed, day);
  return segment !== null && segment.from < to && segment.to > from;
}

function NowLine({ habits, now }: { habits: TimeHabits; now: Date }) {
  return (
    <span class="cal-now" aria-hidden="true" style={{ "--from": wallAt(habits.timeZone, now.getTime()).minutes }} />
  );
}
