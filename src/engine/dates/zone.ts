import { type Instant, toInstant, type Wall } from "../../lib/time-zone.ts";

/** A named zone, or a fixed distance from UTC in minutes. */
export type Zone = { name: string } | { offset: number };

export type Converter = (wall: Wall, zone: Zone | null) => Instant;

/** Converts local times to instants. Results are kept, because looking up a time zone is slow. */
export function converter(timeZone: string): Converter {
  const known = new Map<string, Instant>();
  return (wall, zone) => {
    if (zone && "offset" in zone) return wall - zone.offset * 60_000;
    const name = zone?.name ?? timeZone;
    const key = `${name} ${wall}`;
    const instant = known.get(key) ?? toInstant(name, wall);
    known.set(key, instant);
    return instant;
  };
}

/** The instant of a local time in the zone of a phrase, or in the requested one if the phrase names none. */
export function instantOf(wall: Wall, zone: string | null, timeZone: string): Instant {
  const offset = /^([+-])(\d\d):(\d\d)$/.exec(zone ?? "");
  if (!offset) return toInstant(zone ?? timeZone, wall);
  const minutes = Number(offset[2]) * 60 + Number(offset[3]);
  return wall - (offset[1] === "-" ? -minutes : minutes) * 60_000;
}

export function zoneName(zone: Zone | null): string | null {
  if (!zone) return null;
  if ("name" in zone) return zone.name;
  const minutes = Math.abs(zone.offset);
  const clock = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return zone.offset === 0 ? "UTC" : `${zone.offset < 0 ? "-" : "+"}${clock}`;
}
