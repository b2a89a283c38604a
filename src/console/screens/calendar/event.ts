import type { components } from "#api";
import { dayText, type TimeHabits, timeText } from "../../lib/time.ts";
import { calendar as m } from "../../messages/calendar.ts";
import { type Placed, place, type Times } from "./layout.ts";

export type Event = components["schemas"]["Event"];
export type EventChanges = components["schemas"]["EventChange"];
export type NewEvent = components["schemas"]["NewEvent"];
export type WrittenEvent = components["schemas"]["WrittenEvent"];
export type Conflict = components["schemas"]["EventConflict"];
export type PlacedEvent = Placed<Event>;

/**
 * Occurrences of a series have one id together, so they are told apart by their place in it. An edit gives an occurrence
 * an id of its own, and leaves its key.
 */
export function keyOf({ id, recurringEventId, originalStart }: Event): string {
  return `${recurringEventId ?? id} ${originalStart ?? ""}`;
}

/** An occurrence that was never edited has no record of its own. */
export function isDerived({ id, recurringEventId }: Event): boolean {
  return id === recurringEventId;
}

export function isOfSeries({ recurringEventId, rrule }: Event): boolean {
  return recurringEventId !== null || rrule !== null;
}

/** The same event, or the same occurrence. */
export function isSame(a: Event, b: Event): boolean {
  return a.id === b.id && (a.originalStart === b.originalStart || !isDerived(a));
}

/** Where the dialog of the event opens. */
export function eventQuery(event: Event): Record<string, string | null> {
  return { new: null, event: String(event.id), at: isDerived(event) ? event.originalStart : null };
}

/** "9:15 – 9:30", or the days of an event of whole days. */
export function whenText(habits: TimeHabits, event: Times): string {
  const { first, last, isBar } = place(habits.timeZone, event);
  if (event.allDay)
    return first === last ? dayText(habits, first) : `${dayText(habits, first)} – ${dayText(habits, last)}`;
  const [from, to] = [timeText(habits, new Date(event.start)), timeText(habits, new Date(event.end))];
  return isBar ? `${dayText(habits, first)}, ${from} – ${dayText(habits, last)}, ${to}` : `${from} – ${to}`;
}

/** With the day: for notices. */
export function fullWhenText(habits: TimeHabits, event: Times): string {
  const { first, isBar } = place(habits.timeZone, event);
  return isBar ? whenText(habits, event) : `${dayText(habits, first)}, ${whenText(habits, event)}`;
}

/** What a screen reader says of an event after its title. */
export function factsOf(habits: TimeHabits, event: Event): string {
  return [
    "",
    event.allDay ? m.allDay : whenText(habits, event),
    event.location,
    event.awaitsAnswer && m.facts.awaits,
    event.status !== "confirmed" && m.facts[event.status],
    isOfSeries(event) && m.facts.repeats,
  ]
    .filter((fact) => typeof fact === "string")
    .join(", ");
}

/** The hues of tags, far from each other, and that of events without one. */
const HUES = [20, 200, 95, 330, 145, 50, 290, 175, 355, 75, 230, 310];
const UNTAGGED = 270;
const hues = new Map<string, number>();

/** The colour of a tag comes from its name. Where two meet, the later one gives way, as long as there is another. */
export function giveColours(events: readonly Pick<Event, "tags">[]): void {
  const tags = [...new Set(events.flatMap(({ tags: [tag] }) => (tag === undefined || hues.has(tag) ? [] : [tag])))];
  for (const tag of tags.sort()) {
    let hash = 0;
    for (const char of tag.toLowerCase()) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 9973;
    const taken = new Set(hues.values());
    const inTurn = HUES.map((_, step) => HUES[(hash + step) % HUES.length] ?? UNTAGGED);
    hues.set(tag, inTurn.find((hue) => !taken.has(hue)) ?? inTurn[0] ?? UNTAGGED);
  }
}

/** For the style of what has `data-colour`. */
export function hueOf({ tags: [tag] }: Pick<Event, "tags">): { "--hue": number } {
  return { "--hue": hues.get(tag ?? "") ?? UNTAGGED };
}

/** The others that take up the same time. */
export function conflictsWith(
  events: readonly Event[],
  { start, end, busy = true, self }: { start: string; end: string; busy?: boolean; self?: Event | undefined },
): Event[] {
  if (!busy) return [];
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return events.filter(
    (other) =>
      other.busy &&
      other.status !== "cancelled" &&
      Date.parse(other.start) < to &&
      Date.parse(other.end) > from &&
      !(self && isSame(self, other)),
  );
}

const NAMED = 3;

export function overlapText(others: readonly { title: string }[]): string {
  const names = [...new Set(others.map(({ title }) => title))];
  return m.overlaps(names.slice(0, NAMED), Math.max(0, names.length - NAMED));
}
