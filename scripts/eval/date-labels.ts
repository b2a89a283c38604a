import type { FoundDate } from "../../src/engine/dates/find-dates.ts";
import { toWall } from "../../src/lib/time-zone.ts";

/** Hours within which a part of the day must lie; after 24 they are of the next day. */
const DAY_PARTS: Record<string, readonly [number, number]> = {
  morning: [5, 12],
  afternoon: [12, 18],
  evening: [16, 24],
  night: [18, 30],
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const wallOf = (text: string) => Date.parse(text.includes(" ") ? `${text.replace(" ", "T")}:00Z` : `${text}T00:00:00Z`);

/** Whether a found date has one of the readings of a label: "2026-11-20 17:00|2026-11-20". */
export function matchesDate(found: FoundDate | undefined, label: string, zone: string): boolean {
  return found !== undefined && label.split("|").some((reading) => matchesReading(found, reading, zone));
}

function matchesReading(found: FoundDate, reading: string, zone: string): boolean {
  if (reading.startsWith("length")) {
    const minutes = Number(reading.slice("length".length)) || null;
    return found.type === "duration" && found.durationMinutes === minutes;
  }
  if (reading === "each") return found.type === "set";
  if (reading.startsWith("each ")) return found.type === "set" && matchesTime(found, reading.slice(5), zone);
  if (found.type === "set" || found.type === "duration") return false;
  return matchesTime(found, reading, zone);
}

/** A day, a time, a range or a part of the day. Days of a range are inclusive; "~" allows any range inside. */
function matchesTime(found: FoundDate, reading: string, zone: string): boolean {
  const from = found.from ? toWall(zone, found.from.getTime()) : Number.NaN;
  // The engine ends a day part that lasts until midnight one second before it.
  const to = found.to ? Math.ceil(toWall(zone, found.to.getTime()) / 60_000) * 60_000 : null;
  const [, day = "", part = ""] = /^(\S+) ([a-z]+)$/.exec(reading) ?? [];
  const hours = DAY_PARTS[part];
  if (hours) {
    const [first, last] = hours.map((hour) => wallOf(day) + hour * HOUR_MS);
    return to !== null && from >= (first ?? 0) && to <= (last ?? 0) && found.type !== "date";
  }
  const [start = "", end] = reading.replace(/^~/, "").split("..");
  const isDay = !start.includes(" ");
  if (end === undefined) {
    const isDayFound = to !== null && to - from === DAY_MS;
    return from === wallOf(start) && (isDay ? isDayFound : to === null);
  }
  const last = wallOf(end) + (isDay ? DAY_MS : 0);
  if (reading.startsWith("~")) return from >= wallOf(start) && to !== null && to <= last;
  return from === wallOf(start) && to === last;
}
