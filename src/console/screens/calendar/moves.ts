import { addDays, DAY_MS } from "../../lib/time.ts";
import { momentAt, wallAt } from "../../lib/zone.ts";
import { SNAP, type Times } from "./layout.ts";

/* New times for an event that is dragged or moved by keys. Days and minutes count on the clock of the person. */

export type NewTimes = Pick<Times, "start" | "end" | "startDate" | "endDate">;

const iso = (moment: number) => new Date(moment).toISOString();

/** The same length at another time. */
export function moved(zone: string, event: Times, days: number, minutes: number): NewTimes {
  if (event.allDay && event.startDate !== null && event.endDate !== null) {
    return {
      start: iso(Date.parse(event.start) + days * DAY_MS),
      end: iso(Date.parse(event.end) + days * DAY_MS),
      startDate: addDays(event.startDate, days),
      endDate: addDays(event.endDate, days),
    };
  }
  const wall = wallAt(zone, Date.parse(event.start));
  const start = momentAt(zone, { day: addDays(wall.day, days), minutes: wall.minutes + minutes });
  return {
    start: iso(start),
    end: iso(start + Date.parse(event.end) - Date.parse(event.start)),
    startDate: null,
    endDate: null,
  };
}

/** Another start or end; at least a quarter of an hour, or a day, is left. */
export function resized(zone: string, event: Times, edge: "start" | "end", days: number, minutes: number): NewTimes {
  if (event.allDay && event.startDate !== null && event.endDate !== null) {
    const startDate = edge === "start" ? addDays(event.startDate, days) : event.startDate;
    const endDate = edge === "end" ? addDays(event.endDate, days) : event.endDate;
    if (startDate >= endDate) return event;
    const by = (text: string, isMoved: boolean) => (isMoved ? iso(Date.parse(text) + days * DAY_MS) : text);
    return { start: by(event.start, edge === "start"), end: by(event.end, edge === "end"), startDate, endDate };
  }
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)];
  const wall = wallAt(zone, edge === "start" ? start : end);
  const at = momentAt(zone, { day: addDays(wall.day, days), minutes: wall.minutes + minutes });
  const least = SNAP * 60_000;
  return {
    start: iso(edge === "start" ? Math.min(at, end - least) : start),
    end: iso(edge === "end" ? Math.max(at, start + least) : end),
    startDate: null,
    endDate: null,
  };
}
