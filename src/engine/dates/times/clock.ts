import { glued, type Input, skip, tokenAt, wordAt } from "../tokens.ts";

/** A time of day, in seconds after midnight. */
export interface Clock {
  end: number;
  seconds: number;
  grain: "hour" | "minute" | "second";
  /** Morning or afternoon is unknown: no am, no pm, not a 24-hour time. */
  open: boolean;
  /** Only a number ("3"), which is a time only next to something that says so. */
  bare: boolean;
  /** It has am or pm. */
  isSaid?: true;
  /** "end of the day": the person's working hours decide it. */
  isEndOfWork?: true;
  /** "3:30" in the night, because the person writes 24-hour times: unlikely, but what was written. */
  isLiteral?: true;
}

export const HOUR = 3600;

type Meridiem = "am" | "pm" | "either";

/** "am", "p.m.", "p . m .", "a m", and "9a" where `short` allows the lone letter. */
export function meridiem(input: Input, at: number, short: boolean): { end: number; value: Meridiem } | null {
  const word = wordAt(input, at);
  if (word === "." && glued(input, at) && glued(input, at + 1)) {
    const next = wordAt(input, at + 1);
    if (next === "am" || next === "pm") return { end: at + 2, value: next };
    return null;
  }
  if (word === "am" || word === "pm") return { end: at + 1, value: word };
  if (word === "ampm") return { end: at + 1, value: "either" };
  const last = word === "in" && wordAt(input, at + 1) === "the" ? wordAt(input, at + 2) : "";
  if (last === "am" || last === "pm") return { end: at + 3, value: last };
  if (word !== "a" && word !== "p") return null;
  const value = word === "a" ? "am" : "pm";
  // The last full stop of "p.m." belongs to it.
  if (wordAt(input, at + 1) === "." && wordAt(input, at + 2) === "m") return { end: skip(input, at + 3, "."), value };
  if (wordAt(input, at + 1) === "m") return { end: at + 2, value };
  const isLast = !glued(input, at + 1) || tokenAt(input, at + 1).kind === "mark";
  return short && glued(input, at) && isLast ? { end: at + 1, value } : null;
}

export function finish(
  hour: number,
  minute: number,
  second: number,
  grain: Clock["grain"],
  end: number,
  is24: boolean,
  half: Meridiem | null,
): Clock | null {
  if (hour > 24 || minute > 59 || second > 59 || (hour === 24 && minute + second > 0)) return null;
  let full = hour;
  if (half === "am" && hour === 12) full = 0;
  else if (half === "am" && hour > 12) return null;
  else if (half === "pm" && hour < 12) full = hour + 12;
  const open = (half === null || half === "either") && !is24 && hour >= 1 && hour <= 12;
  const isSaid = half === "am" || half === "pm";
  return { end, seconds: full * HOUR + minute * 60 + second, grain, open, bare: false, ...(isSaid && { isSaid }) };
}

/** A time that leaves no doubt, such as noon. */
export function fixed(end: number, seconds: number): Clock {
  return { end, seconds, grain: "hour", open: false, bare: false };
}

/** "o'clock", "ish" or "noon" after an hour. */
export function oClock(input: Input, at: number, hour: number, is24: boolean): Clock | null {
  const word = wordAt(input, at);
  if (word === "o'clock" || word === "oclock" || (word === "o" && wordAt(input, at + 1) === "clock")) {
    const end = word === "o" ? at + 2 : at + 1;
    const half = meridiem(input, end, false);
    return finish(hour, 0, 0, "hour", half?.end ?? end, is24, half?.value ?? null);
  }
  if (word === "ish" && glued(input, at)) {
    const half = meridiem(input, at + 1, false);
    return finish(hour, 0, 0, "hour", half?.end ?? at + 1, is24, half?.value ?? null);
  }
  if (word === "-" && wordAt(input, at + 1) === "ish" && glued(input, at + 1)) {
    return finish(hour, 0, 0, "hour", at + 2, is24, null);
  }
  if (hour === 12 && (word === "noon" || word === "midday")) return fixed(at + 1, 12 * HOUR);
  if (hour === 12 && word === "midnight") return fixed(at + 1, 0);
  return null;
}
