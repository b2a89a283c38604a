import { glued, type Input, tokenAt, wordAt } from "../tokens.ts";

/** A reading of the clock, seconds after midnight. */
export interface Clock {
  end: number;
  seconds: number;
  grain: "hour" | "minute" | "second";
  /** The twelve-hour reading is open: no am, no pm, no 24-hour form. */
  open: boolean;
  /** Only a number, which needs something beside it to be a time ("3"). */
  bare: boolean;
}

export const HOUR = 3600;

export type Meridiem = "am" | "pm" | "either";

/** "am", "p.m.", "p . m .", "a m", and "9a" where `short` allows the lone letter. */
export function meridiem(input: Input, at: number, short: boolean): { end: number; value: Meridiem } | null {
  const word = wordAt(input, at);
  if (word === "." && glued(input, at) && glued(input, at + 1)) {
    const next = wordAt(input, at + 1);
    if (next === "am" || next === "pm") return { end: at + 2, value: next };
    return null;
  }
  if (word === "am" || word === "pm") return { end: dotAfter(input, at + 1, false), value: word };
  if (word === "ampm") return { end: at + 1, value: "either" };
  if (word !== "a" && word !== "p") return null;
  const value = word === "a" ? "am" : "pm";
  if (wordAt(input, at + 1) === "." && wordAt(input, at + 2) === "m") {
    return { end: dotAfter(input, at + 3, true), value };
  }
  if (wordAt(input, at + 1) === "m") return { end: dotAfter(input, at + 2, false), value };
  return short && glued(input, at) && !glued(input, at + 1)
    ? { end: at + 1, value }
    : short && glued(input, at) && tokenAt(input, at + 1).kind === "mark"
      ? { end: at + 1, value }
      : null;
}

/** The last full stop of "p.m." belongs to it. */
function dotAfter(input: Input, at: number, dotted: boolean): number {
  return dotted && wordAt(input, at) === "." ? at + 1 : at;
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
  return { end, seconds: full * HOUR + minute * 60 + second, grain, open, bare: false };
}

/** A reading that is open to no doubt. */
export function fixed(end: number, seconds: number): Clock {
  return { end, seconds, grain: "hour", open: false, bare: false };
}
