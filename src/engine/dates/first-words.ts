import { HOLIDAY_STARTERS } from "./days/holidays.ts";
import { glued, type Input, numberAt, tokenAt, wordAt } from "./tokens.ts";
import {
  DAY_PARTS,
  MODIFIERS,
  MONTHS,
  NEAREST,
  ORDINALS,
  SEASONS,
  SMALL_NUMBERS,
  TENS,
  UNITS,
  WEEKDAYS,
} from "./vocabulary.ts";

/** Words that say something about time by themselves or with what follows. */
const HEADS: ReadonlySet<string> = new Set([
  ...MONTHS.keys(),
  ...WEEKDAYS.keys(),
  ...SMALL_NUMBERS.keys(),
  ...TENS.keys(),
  ...ORDINALS.keys(),
  ...MODIFIERS.keys(),
  ...NEAREST.keys(),
  ...SEASONS.keys(),
  ...HOLIDAY_STARTERS,
  ..."today today's tomorrow tomorrow's tmrw tmr tmrrw tomorow tommorow tommorrow overmorrow yesterday yesterday's yday otd day tonight tonite".split(
    " ",
  ),
  ..."noon midday noonish midnight eod cob eob eow eom eoq eoy c end close half quarter couple few several now right just as".split(
    " ",
  ),
  ..."every each daily weekly biweekly fortnightly monthly quarterly yearly annually weekdays week weekend month year yr within between btw btwn from".split(
    " ",
  ),
  ..."early mid late later beginning start middle second rest remainder q fy fiscal final".split(" "),
]);
/** Small words that only lead into something: what follows them decides. */
const LEADS: ReadonlySet<string> = new Set([
  "the",
  "a",
  "an",
  "in",
  "for",
  "on",
  "at",
  "about",
  "exactly",
  "from",
  "between",
]);
const BEHIND_AT: ReadonlySet<string> = new Set(["the", "present", "this"]);

/** Whether a word can be the first of a day or time; a number always can. */
export function isHead(input: Input, at: number): boolean {
  const { kind, lower } = tokenAt(input, at);
  if (kind !== "word") return kind === "number";
  return HEADS.has(lower) || LEADS.has(lower);
}

/**
 * Whether any rule can begin here: a cheap look that spares most words of a text all the rules.
 * A word glued to a number is its unit or suffix, never a beginning.
 */
export function canStart(input: Input, at: number): boolean {
  const token = tokenAt(input, at);
  if (token.kind === "mark") return false;
  if (token.kind === "number") return numberAt(input, at) >= 0;
  if (!token.gap && tokenAt(input, at - 1).kind !== "mark") return false;
  const { lower } = token;
  if (LEADS.has(lower)) {
    const next = tokenAt(input, at + 1);
    if (lower === "at") return BEHIND_AT.has(next.lower);
    if (next.kind === "number" || HEADS.has(next.lower)) return true;
    if (UNITS.has(next.lower) || DAY_PARTS.has(next.lower)) return true;
    return (
      LEADS.has(next.lower) &&
      (tokenAt(input, at + 2).kind === "number" ||
        HEADS.has(wordAt(input, at + 2)) ||
        UNITS.has(wordAt(input, at + 2)) ||
        DAY_PARTS.has(wordAt(input, at + 2)))
    );
  }
  if (!HEADS.has(lower)) return false;
  // "q" and "c" begin only "Q3" and "c.o.b."
  return lower.length > 1 || glued(input, at + 1);
}
