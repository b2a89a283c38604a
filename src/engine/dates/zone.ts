import { DAY_MS, type Instant, offsetAt, toInstant, type Wall, wallDay } from "../../lib/time-zone.ts";

/** A named zone, or a fixed distance from UTC in minutes. */
export type Zone = { name: string } | { offset: number };

export type Converter = (wall: Wall, zone: Zone | null) => Instant;

/** A zone's offset around a day, or null if it changes then. Kept across texts, because looking it up is slow. */
const offsets = new Map<string, number | null>();
const MAX_OFFSETS = 5000;

/** Converts local times to instants. */
export function converter(timeZone: string): Converter {
  return (wall, zone) => {
    if (zone && "offset" in zone) return wall - zone.offset * 60_000;
    const name = zone?.name ?? timeZone;
    const day = wallDay(wall);
    const key = `${name} ${day}`;
    let offset = offsets.get(key);
    if (offset === undefined) {
      const before = offsetAt(name, day - DAY_MS);
      offset = before === offsetAt(name, day + 2 * DAY_MS) ? before : null;
      if (offsets.size >= MAX_OFFSETS) offsets.clear();
      offsets.set(key, offset);
    }
    return offset === null ? toInstant(name, wall) : wall - offset;
  };
}

/** The instant of a local time in the zone of a phrase, or in the requested one if the phrase names none. */
export function instantOf(wall: Wall, zone: string | null, timeZone: string): Instant {
  const named = zoneOf(zone);
  return named && "offset" in named ? wall - named.offset * 60_000 : toInstant(zone ?? timeZone, wall);
}

/** The zone that `zoneName` gave this name. */
export function zoneOf(name: string | null): Zone | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(name ?? "") ?? [];
  if (sign) return { offset: (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1) };
  return name === null ? null : { name };
}

export function zoneName(zone: Zone | null): string | null {
  if (!zone) return null;
  if ("name" in zone) return zone.name;
  const minutes = Math.abs(zone.offset);
  const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return zone.offset === 0 ? "UTC" : `${zone.offset < 0 ? "-" : "+"}${clock}`;
}
