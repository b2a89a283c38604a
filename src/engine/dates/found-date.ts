import { type Wall, wallDay } from "./calendar.ts";
import type { Edge } from "./periods/named-period.ts";
import type { DateType, Reading } from "./resolve.ts";
import { doubtAbout } from "./spelled.ts";
import { type Input, tokenAt, wordAt } from "./tokens.ts";
import type { Unit } from "./vocabulary.ts";
import { type Converter, zoneName, zoneOf } from "./zone.ts";

/** A phrase about time, its offsets in the text and what it means. */
export interface FoundDate {
  text: string;
  /** The phrase is `slice(start, end)` of the whole text. */
  start: number;
  end: number;
  /** The same phrase in the words of the grammar: small letters, and English. */
  words: string;
  type: DateType;
  grain: Unit;
  /** Null for a length of time such as "2 hours". */
  from: Date | null;
  /** Exclusive; null for a point in time. */
  to: Date | null;
  /** Local time in the phrase's own zone, in milliseconds as if it were UTC. */
  wall: { from: Wall | null; to: Wall | null };
  /** Another reading is as likely: no am or pm, the weekday of today, a vague number. */
  ambiguous: boolean;
  /** The zone named in the text; null if the requested zone was used. */
  zone: string | null;
  durationMinutes: number | null;
  /** The part of a period that is meant: "early May", "the end of the month". */
  edge?: Edge;
  /** The other reading of "11/12". */
  alternative?: { from: Date; to: Date | null };
  /** Why nobody can know which time is meant, in one sentence: "There is no 30 February." */
  doubt?: string;
}

export function toFound(text: string, input: Input, at: number, found: Reading, instant: Converter): FoundDate {
  const start = tokenAt(input, at).start;
  const { end } = tokenAt(input, found.end - 1);
  const { from, to, zone, type, grain } = found;
  const isElsewhere = found.isPlaceZone && from !== null && instant(from, zone) !== instant(from, null);
  return {
    text: text.slice(start, end),
    start,
    end,
    words: wordsOf(input, at, found.end),
    type,
    grain,
    from: from === null ? null : new Date(instant(from, zone)),
    to: to === null ? null : new Date(instant(to, zone)),
    wall: { from, to },
    ambiguous: found.ambiguous || isElsewhere === true,
    zone: zoneName(zone),
    durationMinutes: found.minutes,
    ...(found.edge && { edge: found.edge }),
    ...doubtOf(text.slice(start, end), found, instant),
  };
}

function wordsOf(input: Input, at: number, end: number): string {
  return Array.from({ length: end - at }, (_, index) => wordAt(input, at + index)).join(" ");
}

function doubtOf(text: string, { day, doubt, from, to, zone }: Reading, instant: Converter): Partial<FoundDate> {
  if (doubt) return { doubt };
  if (day?.other === undefined || from === null) return {};
  const shift = day.other - day.wall;
  const at = (wall: Wall) => new Date(instant(wall + shift, zone));
  return {
    alternative: { from: at(from), to: to === null ? null : at(to) },
    doubt: doubtAbout(text, day.wall, day.other, day.claimed),
  };
}

/** A time on the day of another: "3pm" of "3pm or 4pm on Friday". */
export function onDayOf(last: FoundDate, found: Reading, instant: Converter): FoundDate {
  const shift = wallDay(found.from ?? 0) - wallDay(last.wall.from ?? 0);
  const move = (wall: Wall | null) => (wall === null ? null : wall + shift);
  const wall = { from: move(last.wall.from), to: move(last.wall.to) };
  const zone = zoneOf(last.zone) ?? found.zone;
  const at = (time: Wall | null) => (time === null ? null : new Date(instant(time, zone)));
  return {
    ...last,
    type: last.type === "time" ? "datetime" : "datetimerange",
    wall,
    from: at(wall.from),
    to: at(wall.to),
    zone: zoneName(zone),
  };
}
