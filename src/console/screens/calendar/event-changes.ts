import { api } from "../../client/api.ts";
import { change, rememberVersion, versionOf } from "../../client/changes.ts";
import { shiftRule } from "../../lib/rule.ts";
import { addDays, daysBetween, type TimeHabits } from "../../lib/time.ts";
import { localText, minutesBetween, wallAt } from "../../lib/zone.ts";
import { calendar as m } from "../../messages/calendar.ts";
import {
  conflictsWith,
  type Event,
  type EventChanges,
  fullWhenText,
  isDerived,
  isSame,
  overlapText,
  type WrittenEvent,
} from "./event.ts";
import type { NewTimes } from "./moves.ts";

export type Scope = "one" | "all";

/** Changes one event, or one occurrence of a series. */
export async function patchEvent(event: Event, body: EventChanges, { isRefused = false } = {}): Promise<WrittenEvent> {
  const saved = await api.patch("/api/calendar/events/{id}", {
    params: { id: event.id },
    query: {
      ...(isDerived(event) && event.originalStart !== null && { occurrence: event.originalStart }),
      ...(isRefused && { onConflict: "reject" as const }),
    },
    body,
    version: versionOf("event", event),
  });
  // The first edit of an occurrence also gives its series a new version.
  if (isDerived(event)) rememberVersion("event", { id: event.id, version: saved.version });
  return rememberVersion("event", saved);
}

/** Not by way of the cache: a change made elsewhere meanwhile would cancel the request there. */
export function readSeries(event: Event): Promise<Event> {
  return api.get("/api/calendar/events/{id}", { params: { id: event.recurringEventId ?? event.id } });
}

/** The times of a body: dates for whole days, moments otherwise. */
function bodyOf(event: Event, times: NewTimes): EventChanges {
  return event.allDay && times.startDate !== null && times.endDate !== null
    ? { start: times.startDate, end: times.endDate }
    : { start: times.start, end: times.end };
}

interface Move {
  habits: TimeHabits;
  event: Event;
  times: NewTimes;
  scope: Scope;
  /** What is in view, to say what is in the way. */
  others: readonly Event[];
  isResize: boolean;
}

/** Moves an event or makes it longer: one PATCH, shown at once, with the way back. */
export function moveEvent({ habits, event, times, scope, others, isResize }: Move): void {
  const moved = { ...event, ...times };
  const inTheWay = conflictsWith(others, { ...moved, self: event });
  const what = (isResize ? m.resized : m.moved)(event.title, fullWhenText(habits, moved));
  const done = inTheWay.length > 0 ? `${what}. ${overlapText(inTheWay)}.` : what;
  if (scope === "all") {
    void moveSeries(event, times, done);
    return;
  }
  void change<Event, WrittenEvent>({
    kind: "event",
    ids: [event.id],
    edit: (each) => (isSame(each, event) ? { ...each, ...times } : each),
    send: () => patchEvent(event, bodyOf(event, times)),
    failed: m.notMoved,
    undo: { done, send: (saved) => patchEvent(saved, bodyOf(event, event)) },
  });
}

/** How far a move goes on the clock of the series, and what its rule becomes; null if no rule can say it. */
export function seriesShift(event: Event, times: NewTimes, rrule: string): { rrule: string } | null {
  const zone = event.timeZone;
  const [from, to] = [wallAt(zone, Date.parse(event.start)), wallAt(zone, Date.parse(times.start))];
  const shifted = shiftRule(
    rrule,
    event.allDay ? daysBetween(event.startDate ?? "", times.startDate ?? "") : daysBetween(from.day, to.day),
  );
  return shifted === null ? null : { rrule: shifted };
}

/** All occurrences by the same step, on the clock of the series. */
async function moveSeries(event: Event, times: NewTimes, done: string): Promise<void> {
  const seriesId = event.recurringEventId ?? event.id;
  const [byStart, byEnd] = [
    Date.parse(times.start) - Date.parse(event.start),
    Date.parse(times.end) - Date.parse(event.end),
  ];
  const shift = (text: string, ms: number) => new Date(Date.parse(text) + ms).toISOString();
  const byDays = event.allDay && event.startDate && times.startDate ? daysBetween(event.startDate, times.startDate) : 0;
  const toDays = event.allDay && event.endDate && times.endDate ? daysBetween(event.endDate, times.endDate) : 0;
  let before: Event | null = null;
  await change<Event, WrittenEvent>({
    kind: "event",
    ids: [seriesId, event.id],
    // Only those that were read before the change: afterwards they stand where they belong.
    edit: (each) =>
      (each.recurringEventId === seriesId || each.id === seriesId) && each.version <= event.version
        ? {
            ...each,
            start: shift(each.start, byStart),
            end: shift(each.end, byEnd),
            startDate: each.startDate && addDays(each.startDate, byDays),
            endDate: each.endDate && addDays(each.endDate, toDays),
          }
        : each,
    async send() {
      before = await readSeries(event);
      return patchEvent(before, seriesBody(event, times, before));
    },
    failed: m.notMoved,
    undo: {
      done,
      send: async (saved) => before && patchEvent(saved, { ...wallTimes(before), rrule: before.rrule }),
    },
  });
}

/** The times of a series as its own clock shows them, so that they stay when clocks change. */
function wallTimes(series: Event): EventChanges {
  if (series.allDay && series.startDate && series.endDate) return { start: series.startDate, end: series.endDate };
  const zone = series.timeZone;
  return {
    start: localText(wallAt(zone, Date.parse(series.start))) + SECONDS,
    end: localText(wallAt(zone, Date.parse(series.end))) + SECONDS,
  };
}

const SECONDS = ":00";

function seriesBody(event: Event, times: NewTimes, series: Event): EventChanges {
  const zone = series.timeZone;
  const rule = series.rrule === null ? {} : (seriesShift(event, times, series.rrule) ?? {});
  if (series.allDay && series.startDate && series.endDate) {
    const start = addDays(series.startDate, daysBetween(event.startDate ?? "", times.startDate ?? ""));
    const end = addDays(series.endDate, daysBetween(event.endDate ?? "", times.endDate ?? ""));
    return { start, end, ...rule };
  }
  const wall = (text: string) => wallAt(zone, Date.parse(text));
  const by = (from: string, to: string, base: string) => {
    const at = wall(base);
    return localText({ day: at.day, minutes: at.minutes + minutesBetween(wall(from), wall(to)) }) + SECONDS;
  };
  return {
    start: by(event.start, times.start, series.start),
    end: by(event.end, times.end, series.end),
    ...rule,
  };
}

/** Deletes an event, an occurrence or a whole series, with the way back. */
export function deleteEvent(event: Event, scope: Scope): void {
  const seriesId = event.recurringEventId ?? event.id;
  const isAll = scope === "all";
  // An edited occurrence is deleted from its series, or the series would have it again.
  const occurrence = isAll || event.recurringEventId === null ? null : event.originalStart;
  const path = { params: { id: seriesId }, query: { ...(occurrence !== null && { occurrence }) } };
  void change<Event, unknown>({
    kind: "event",
    ids: [seriesId, event.id],
    edit: (each) => {
      const isMeant = isAll ? each.id === seriesId || each.recurringEventId === seriesId : isSame(each, event);
      return isMeant ? null : each;
    },
    // Without a version: a person who deletes an event means whatever it has become.
    send: () => api.delete("/api/calendar/events/{id}", path),
    failed: m.notDeleted,
    alsoStale: ["reminder"],
    undo: {
      done: m.deleted(event.title),
      send: async () => rememberVersion("event", await api.post("/api/calendar/events/{id}/restore", path)),
    },
  });
}
