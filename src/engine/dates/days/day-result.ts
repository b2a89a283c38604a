import type { Wall } from "../calendar.ts";

/** One day, as a rule of the grammar read it. */
export interface Day {
  /** The token after the phrase. */
  end: number;
  wall: Wall;
  ambiguous: boolean;
  /** How it was written; decides which of two days written side by side counts. */
  kind: "relative" | "weekday" | "date";
  hasYear: boolean;
  /** Only the number of the day is said ("the 18th"): its month may come from another date. */
  isNumberOnly?: true;
  /** Another day that the words may mean: 11/12, or a weekday and a date that disagree. */
  other?: Wall;
  /** The weekday that the words name, if the date falls on another one. */
  claimed?: number;
}

/** A calendar date such as "5 May"; null when the calendar has no such day. */
export const date = (end: number, wall: Wall, hasYear: boolean, ambiguous = false): Day | null =>
  Number.isNaN(wall) ? null : { end, wall, ambiguous, kind: "date", hasYear };

/** A day counted from today, such as "tomorrow". */
export const relativeDay = (end: number, wall: Wall, ambiguous = false): Day => ({
  end,
  wall,
  ambiguous,
  kind: "relative",
  hasYear: true,
});

/** A day named by its weekday, such as "next Friday". */
export const weekdayDay = (end: number, wall: Wall, ambiguous = false): Day => ({
  end,
  wall,
  ambiguous,
  kind: "weekday",
  hasYear: false,
});
