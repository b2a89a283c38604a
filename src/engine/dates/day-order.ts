import type { DateHabits } from "../../lib/date-habits.ts";

const SLASHED = /(?<![\d/.,$€£-])(\d{1,2})\/(\d{1,2})(\/(?:\d{4}|\d{2}))?(?![\d/.%]{0,40}\d)/g;

/**
 * The order of day and month that the dates of a text prove: 25/12 has the day first. Dates with a year outweigh the
 * person's own habit, because somebody else may have written the text.
 */
export function orderIn(text: string, habit: boolean | undefined): Pick<DateHabits, "dayFirst"> {
  if (!text.includes("/")) return {};
  const votes = new Set<boolean>();
  for (const [, a = "", b = "", year] of text.matchAll(SLASHED)) {
    const [first, second] = [Number(a), Number(b)];
    const isFraction = first === 24 && second === 7;
    if (isFraction || (!year && habit !== undefined) || first < 1 || second < 1 || first > 31 || second > 31) continue;
    if (first > 12 !== second > 12) votes.add(first > 12);
  }
  const [dayFirst] = votes;
  return votes.size === 1 && dayFirst !== undefined ? { dayFirst } : {};
}
