import { words } from "../../lib/words.ts";
import { partsOf, type Wall, weekdayOf } from "./calendar.ts";

export const MONTH_NAMES = words(
  "January February March April May June July August September October November December",
);
const WEEKDAY_NAMES = words("Monday Tuesday Wednesday Thursday Friday Saturday Sunday");

/** "3 December 2026" */
function spelledDay(wall: Wall): string {
  const { year, month, day } = partsOf(wall);
  return `${day} ${MONTH_NAMES[month - 1]} ${year}`;
}

/** Why a day is in doubt: 11/12 has two readings, or its weekday is another one. */
export function doubtAbout(text: string, wall: Wall, other: Wall, claimed: number | undefined): string {
  if (claimed) {
    const [actual, named] = [weekdayOf(wall), claimed].map((weekday) => WEEKDAY_NAMES[weekday - 1]);
    return `${spelledDay(wall)} is a ${actual}, not a ${named}.`;
  }
  const [first, second] = [wall, other].sort((a, b) => a - b).map(spelledDay);
  return `“${text}” can mean ${first} or ${second}. Write the month as a word.`;
}
