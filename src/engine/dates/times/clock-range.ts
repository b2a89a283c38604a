import { wordSet } from "../../../lib/words.ts";
import { glued, type Input, once, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, MONTHS, UNITS } from "../vocabulary.ts";
import type { Clock } from "./clock.ts";
import { clockAt } from "./clock-time.ts";
import { businessHours } from "./working-day.ts";

/** A range of time, in seconds after midnight of its first day; it may end on the next day. */
export interface ClockRange {
  end: number;
  from: number;
  to: number;
  grain: Clock["grain"];
  ambiguous: boolean;
  /** Only numbers ("3-8"), which is a range of time only next to a date. */
  bare: boolean;
  /** "between" or "from" comes before it. */
  led: boolean;
  /** Only times have such a word between them: "6 till 8". */
  isSaid: boolean;
}

const HALF_DAY = 12 * 3600;
const DAY = 24 * 3600;

const RANGE_WORDS = wordSet("to till til until untill through thru");
const UNTIL = wordSet("till til until untill");

/** "to", a dash, "until": the index after it, otherwise -1. */
export function rangeLink(input: Input, at: number, between: boolean): number {
  const word = wordAt(input, at);
  if (word === "-" || word === "–" || word === "—" || word === "~") {
    return wordAt(input, at + 1) === "-" ? at + 2 : at + 1;
  }
  if (RANGE_WORDS.has(word)) return at + 1;
  if (word === "'til" || (word === "'" && wordAt(input, at + 1) === "til")) return at + (word === "'" ? 2 : 1);
  if (word === "up" && wordAt(input, at + 1) === "to") return at + 2;
  return between && (word === "and" || word === "&") ? at + 1 : -1;
}

export const clockRangeAt = once("clock range", readRange);

function readRange(input: Input, at: number): ClockRange | null {
  const lead = wordAt(input, at);
  const led = lead === "between" || lead === "from" || lead === "btw" || lead === "btwn";
  let start = led ? at + 1 : at;
  if (led && wordAt(input, start) === "around") start += 1;
  const first = clockAt(input, start, { bare: true, dotted: true });
  if (!first) return null;
  const link = rangeLink(input, first.end, led && lead !== "from");
  if (link < 0) return null;
  const second = clockAt(input, link, { bare: true, dotted: true });
  if (!second || isCounted(input, second)) return null;
  const dash = tokenAt(input, first.end).kind === "mark";
  // "10:15:00 -0600" is a time and its zone.
  const isOffset = dash && !glued(input, first.end) && glued(input, link) && tokenAt(input, link).text.length === 4;
  if (isOffset && first.grain !== "hour") return null;
  // "555-0199", "2-3-4": a chain of numbers is not a range of time.
  const isChain =
    dash && glued(input, first.end) && glued(input, second.end) && /^[-–/]$/.test(wordAt(input, second.end));
  if (isChain || (first.bare && glued(input, start) && /^[-–/.]$/.test(wordAt(input, start - 1)))) return null;
  return combine(input, first, second, { led, isSaid: UNTIL.has(wordAt(input, first.end)) });
}

function isCounted(input: Input, second: Clock): boolean {
  const next = wordAt(input, second.end);
  // "14:00 to 5 June" goes on to another day.
  return (
    second.bare &&
    (COUNTED.has(next) || (MONTHS.has(next) && next !== "may") || UNITS.has(next) || next === "%" || next === "-")
  );
}

function combine(
  input: Input,
  first: Clock,
  second: Clock,
  signs: Pick<ClockRange, "led" | "isSaid">,
): ClockRange | null {
  const shared = {
    ...signs,
    end: second.end,
    bare: first.bare && second.bare,
    grain: finer(first.grain, second.grain),
  };
  if (first.open && second.open) {
    const from = businessHours(input, first);
    return { ...shared, from, to: after(from, second.seconds), ambiguous: true };
  }
  if (first.open && first.seconds % HALF_DAY >= second.seconds) {
    return { ...shared, from: (first.seconds % HALF_DAY) + HALF_DAY, to: second.seconds + DAY, ambiguous: false };
  }
  if (first.open)
    return { ...shared, from: before(first.seconds, second.seconds), to: second.seconds, ambiguous: false };
  if (second.open)
    return { ...shared, from: first.seconds, to: after(first.seconds, second.seconds), ambiguous: false };
  let to = second.seconds;
  // "10am-12am" by day means noon; otherwise an earlier end is on the next day.
  if (to === 0 && first.seconds >= 6 * 3600 && first.seconds < HALF_DAY) to = HALF_DAY;
  if (to <= first.seconds)
    to = first.seconds >= HALF_DAY ? to + DAY : to + HALF_DAY > first.seconds ? to + HALF_DAY : to + DAY;
  return to === first.seconds ? null : { ...shared, from: first.seconds, to, ambiguous: false };
}

/** The first time after `from` that a twelve-hour dial shows `reading`. */
function after(from: number, reading: number): number {
  let to = reading % HALF_DAY;
  while (to <= from) to += HALF_DAY;
  return to;
}

/** The last time before `to` that a twelve-hour dial shows `reading`, in the same half of the day where it can be. */
function before(reading: number, to: number): number {
  const base = reading % HALF_DAY;
  if (to >= HALF_DAY && base + HALF_DAY < to) return base + HALF_DAY;
  return base < to ? base : base + HALF_DAY;
}

function finer(a: Clock["grain"], b: Clock["grain"]): Clock["grain"] {
  if (a === "second" || b === "second") return "second";
  return a === "minute" || b === "minute" ? "minute" : "hour";
}
