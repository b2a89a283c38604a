import { DAY_MS, nthWeekday, partsOf, type Wall, wallWeek } from "../calendar.ts";
import { year as yearAt } from "../numbers.ts";
import { glued, type Input, numberAt, skip, tokenAt, wordAt } from "../tokens.ts";

/** A week belongs to the month and year of its Thursday, as ISO 8601 has it. */
export const THURSDAY = 4;

/** The Monday of a week by its ISO number: week 1 has the year's first Thursday. */
function isoWeek(year: number, number: number): Wall {
  const first = wallWeek(nthWeekday(year, 1, THURSDAY, 1));
  const from = first + (number - 1) * 7 * DAY_MS;
  return partsOf(from + 3 * DAY_MS).year === year ? from : Number.NaN;
}

/** "week 23", "CW 7", "week 10 of 2027": the index after it and its Monday. */
export function weekNumberAt(input: Input, at: number): { end: number; from: Wall } | null {
  const word = wordAt(input, at);
  if (word !== "week" && word !== "wk" && word !== "cw" && word !== "kw") return null;
  const number = numberAt(input, at + 1);
  if (number < 1 || number > 53 || tokenAt(input, at + 1).text.length > 2 || tokenAt(input, at + 1).line) return null;
  const next = tokenAt(input, at + 2);
  const isPartOfNumber =
    glued(input, at + 2) && (next.kind !== "mark" || (/^[-/:%.]$/.test(next.lower) && glued(input, at + 3)));
  if (isPartOfNumber) return null;
  const isOf = next.lower === "of" || next.lower === "in";
  const named = yearAt(input, isOf ? at + 3 : skip(input, at + 2, ","));
  // "week 3 of the course" is no week of a year.
  if (isOf && !named && next.lower === "of") return null;
  const from = isoWeek(named?.value ?? partsOf(input.today).year, number);
  return Number.isNaN(from) ? null : { end: named?.end ?? at + 2, from };
}
