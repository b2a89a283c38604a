import { wordSet } from "../../lib/words.ts";
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

/** Words that can begin a phrase about time. */
const HEADS: ReadonlySet<string> = new Set([
  ...[MONTHS, WEEKDAYS, SMALL_NUMBERS, TENS, ORDINALS, MODIFIERS, NEAREST, SEASONS].flatMap((words) => [
    ...words.keys(),
  ]),
  ...HOLIDAY_STARTERS,
  ...wordSet(
    "today today's tomorrow tomorrow's tomorrows tomoro tmrw tmr tmrrw tomorow tommorow tommorrow overmorrow yesterday yesterday's yday otd day tonight tonite",
  ),
  ...wordSet(
    "noon midday noonish midnight eod cob eob eow eom eoq eoy c end close closest nearest half quarter couple pair few several now right just as",
  ),
  ...wordSet(
    "every each once twice daily weekly biweekly fortnightly monthly quarterly yearly annually weekdays week weekend month year yr within between btw btwn from",
  ),
  ...wordSet("morning afternoon evening night lunchtime fortnight"),
  ...wordSet(
    "early mid late earlier later beginning start middle second rest remainder remaining balance latter all q h final since w wk cw kw first nineties eighties seventies sixties",
  ),
]);
/** Words that begin a phrase about time only if the next word can continue it. */
const LEADS = wordSet("the a an in for on at about exactly from between after");
/** Frequent words that begin a phrase about time only if a word about time follows soon: "this very afternoon". */
const WEAK = wordSet(
  "this as all just new good right following current final prior coming past each close closest rest balance next last few several",
);
const WEAK_REACH = 4;
/** Words that only continue a phrase about time. */
const TAILS = wordSet("work workweek working business");
const BEHIND_AT = wordSet("the present this lunch");

/** Whether a word can be the first of a day or time; a number always can. */
export function isHead(input: Input, at: number): boolean {
  const { kind, lower } = tokenAt(input, at);
  if (kind !== "word") return kind === "number";
  return HEADS.has(lower) || LEADS.has(lower);
}

/**
 * Whether any rule can begin at this token. This check is cheap and lets the scan skip most words of a text.
 * A word joined to a number is its unit or suffix, so nothing begins there.
 */
export function canStart(input: Input, at: number): boolean {
  const token = tokenAt(input, at);
  if (token.kind === "mark") return false;
  if (token.kind === "number") return numberAt(input, at) >= 0;
  if (!token.gap && tokenAt(input, at - 1).kind !== "mark") return false;
  const { lower } = token;
  if (LEADS.has(lower)) {
    const next = wordAt(input, at + 1);
    if (lower === "at") return BEHIND_AT.has(next);
    return canContinue(input, at + 1) || (LEADS.has(next) && canContinue(input, at + 2));
  }
  if (!HEADS.has(lower)) return false;
  if (WEAK.has(lower)) return isTimeSoon(input, at + 1);
  // "q" and "c" begin only "Q3" and "c.o.b."
  if (lower === "w") return wordAt(input, at + 1) === "/";
  return lower.length > 1 || glued(input, at + 1);
}

function isTimeSoon(input: Input, from: number): boolean {
  for (let at = from; at < from + WEAK_REACH; at += 1)
    if (TAILS.has(wordAt(input, at)) || (canContinue(input, at) && !WEAK.has(wordAt(input, at)))) return true;
  return false;
}

function canContinue(input: Input, at: number): boolean {
  const { kind, lower } = tokenAt(input, at);
  return kind === "number" || HEADS.has(lower) || UNITS.has(lower) || DAY_PARTS.has(lower);
}
