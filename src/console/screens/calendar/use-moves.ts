import { useEffect, useRef, useState } from "preact/hooks";
import type { TimeHabits } from "../../lib/time.ts";
import type { Drag } from "./drag.ts";
import { type Event, isOfSeries, isSame, keyOf } from "./event.ts";
import { moveEvent, type Scope } from "./event-changes.ts";
import { SNAP } from "./layout.ts";
import { moved, type NewTimes, resized } from "./moves.ts";

/** An event that stands elsewhere until it is decided: keys are still held, or its series is asked about. */
interface Pending {
  event: Event;
  times: NewTimes;
  isResize: boolean;
  isAsked: boolean;
}

/** Moves by drag and by keys. Both end in one change. */
export function useMoves(habits: TimeHabits, events: readonly Event[]) {
  const zone = habits.timeZone;
  const [pending, setPending] = useState<Pending | null>(null);
  const latest = useRef({ pending, events });
  latest.current = { pending, events };

  function request(event: Event, times: NewTimes, isResize: boolean) {
    const isChanged = event.allDay
      ? times.startDate !== event.startDate || times.endDate !== event.endDate
      : times.start !== event.start || times.end !== event.end;
    if (!isChanged) setPending(null);
    else if (isOfSeries(event)) setPending({ event, times, isResize, isAsked: true });
    else {
      setPending(null);
      moveEvent({ habits, event, times, scope: "one", others: latest.current.events, isResize });
    }
  }

  function settle(scope: Scope) {
    if (!pending) return;
    const { event, times, isResize } = pending;
    setPending(null);
    moveEvent({ habits, event, times, scope, others: events, isResize });
  }

  function drop(drag: Drag) {
    if (drag.kind === "create") return;
    const { event } = drag.placed;
    if (drag.kind === "move") request(event, moved(zone, event, drag.days, drag.minutes), false);
    else request(event, resized(zone, event, drag.kind, drag.days, drag.minutes), true);
  }

  /** Alt and an arrow move, with Shift they change the end. Sent when the keys are let go. */
  function pressed(event: Event, key: string, isResize: boolean, isMonth: boolean) {
    const before = latest.current.pending;
    const start = before && isSame(before.event, event) ? { ...event, ...before.times } : event;
    const [across, down] = [{ ArrowLeft: -1, ArrowRight: 1 }[key] ?? 0, { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0];
    // Whole days have no minutes, and a month has none to point at: there up and down are other days.
    const isByDays = event.allDay || (isMonth && !isResize);
    const days = across + (isByDays ? down * (isMonth ? 7 : 1) : 0);
    const minutes = isByDays ? 0 : down * SNAP;
    const times = isResize ? resized(zone, start, "end", days, minutes) : moved(zone, start, days, minutes);
    const original = before && isSame(before.event, event) ? before.event : event;
    setPending({ event: original, times, isResize: (before?.isResize ?? false) || isResize, isAsked: false });
  }

  useEffect(() => {
    const release = (event: KeyboardEvent | FocusEvent) => {
      const now = latest.current.pending;
      if (!now || now.isAsked || (event instanceof KeyboardEvent && event.key !== "Alt")) return;
      request(now.event, now.times, now.isResize);
    };
    addEventListener("keyup", release);
    addEventListener("blur", release);
    return () => {
      removeEventListener("keyup", release);
      removeEventListener("blur", release);
    };
  });

  const shown = pending
    ? events.map((each) => (isSame(each, pending.event) ? { ...each, ...pending.times } : each))
    : events;
  return {
    shown,
    pressed,
    drop,
    settle,
    asked: pending?.isAsked ? pending : null,
    cancel: () => setPending(null),
    /** The event that moves by keys, which has to keep the focus wherever it goes. */
    movingKey: pending ? keyOf(pending.event) : null,
  };
}
