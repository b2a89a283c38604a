import type { Signal } from "@preact/signals";
import type { TimeHabits } from "../../lib/time.ts";
import { momentAt } from "../../lib/zone.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { createdRange, type Drag } from "./drag.ts";
import { conflictsWith, type Event, hueOf, overlapText, whenText } from "./event.ts";
import { linesOf, place, segmentOn, type Times } from "./layout.ts";
import { moved, resized } from "./moves.ts";

interface GhostProps {
  habits: TimeHabits;
  days: readonly string[];
  events: readonly Event[];
  drag: Signal<Drag | null>;
}

/** Where what is dragged would be. Only this is drawn again while something moves. */
export function Ghost({ habits, days, events, drag }: GhostProps) {
  const now = drag.value;
  const found = now && shapeOf(habits, now);
  if (!found) return null;
  const { shape, self } = found;
  const placed = place(habits.timeZone, shape);
  if (placed.isBar) return null;
  const inTheWay = conflictsWith(events, { ...shape, self });
  return (
    <div class="cal-ghosts" aria-hidden="true">
      {days.map((day, index) => {
        const segment = segmentOn(placed, day);
        if (!segment) return null;
        return (
          <div
            key={day}
            class="cal-event block cal-ghost"
            data-colour
            style={{
              ...hueOf(shape),
              "--from": segment.from,
              "--to": segment.to,
              "--column": index,
              "--columns": days.length,
              "--span": 1,
              "--lines": linesOf(segment),
            }}
          >
            <span class="cal-title">{shape.title}</span>
            <span class="cal-detail clip">{whenText(habits, shape)}</span>
            {inTheWay.length > 0 && <span class="cal-detail clip">{overlapText(inTheWay)}</span>}
          </div>
        );
      })}
    </div>
  );
}

interface Shape extends Times {
  title: string;
  tags: string[];
  busy: boolean;
}

function shapeOf(habits: TimeHabits, drag: Drag): { shape: Shape; self: Event | undefined } | null {
  const zone = habits.timeZone;
  if (drag.kind !== "create") {
    const { event } = drag.placed;
    const times =
      drag.kind === "move"
        ? moved(zone, event, drag.days, drag.minutes)
        : resized(zone, event, drag.kind, drag.days, drag.minutes);
    return { shape: { ...event, ...times }, self: event };
  }
  const { start, end } = createdRange(drag);
  if (start.minutes === null || end.minutes === null) return null;
  const iso = (day: string, minutes: number) => new Date(momentAt(zone, { day, minutes })).toISOString();
  const times = { start: iso(start.day, start.minutes), end: iso(end.day, end.minutes) };
  return {
    shape: { ...times, title: m.newEvent, tags: [], busy: true, allDay: false, startDate: null, endDate: null },
    self: undefined,
  };
}
