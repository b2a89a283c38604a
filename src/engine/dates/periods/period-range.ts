import { wordSet } from "../../../lib/words.ts";
import { addMonths, DAY_MS, midnight, type Wall } from "../calendar.ts";
import { dayAt } from "../days/day.ts";
import { monthAt } from "../days/month-day.ts";
import { type Reading, reading } from "../resolve.ts";
import { rangeLink } from "../times/clock-range.ts";
import { glued, type Input, tokenAt, wordAt } from "../tokens.ts";
import { COUNTED, NUMBERING, type Unit } from "../vocabulary.ts";
import { inYear, type Period } from "./named-period.ts";
import { edgeAt, wholeAt } from "./period.ts";

/** One side of a range: a whole period, a day, or a single edge such as "the end of June". */
interface Side {
  end: number;
  from: Wall;
  to: Wall;
  /** Null for a day or an edge. */
  period: Period | null;
  /** More than a day: two days are a range of days. */
  isLong: boolean;
}

const LONG: ReadonlySet<Unit> = new Set<Unit>(["week", "weekend", "month", "quarter", "year", "decade", "century"]);
const LEADS = wordSet("from between btw btwn since");

/** "from May to October 2027", "2014-2018", "Q1 to Q3", "between Jan 2027 and today", "from 2007 to the end of 2008". */
export function periodRangeAt(input: Input, at: number): Reading | null {
  const lead = wordAt(input, at);
  const isLed = LEADS.has(lead);
  const start = isLed ? at + 1 : at;
  if (!isLed && !isPlainStart(input, at)) return null;
  const first = sideAt(input, start);
  const link = first ? rangeLink(input, first.end, isLed && lead !== "from" && lead !== "since") : -1;
  if (!first || link < 0 || tokenAt(input, link).line) return null;
  const second = wordAt(input, link) === "now" ? nowSide(input, link) : sideAt(input, link);
  if (!second || (!first.isLong && !second.isLong) || isCounted(input, second.end)) return null;
  const [from, to] = aligned(first, second);
  return from < to ? reading(second.end, "daterange", from, to, first.period?.grain ?? "day") : null;
}

/** Without "from", only months and years side by side are a range: "Jan-Feb 2027", "2014 to 2018". */
function isPlainStart(input: Input, at: number): boolean {
  const token = tokenAt(input, at);
  const before = wordAt(input, at - 1);
  if (token.kind === "number") {
    const isYear = token.text.length === 4 && token.value >= 1900 && token.value < 2100;
    const isJoined = glued(input, at) && /^[-/.:#$€£]$/.test(before);
    return isYear && !isJoined && !NUMBERING.has(before) && before !== "#" && before !== "$";
  }
  return monthAt(input, at, false) > 0 || token.lower === "q";
}

function sideAt(input: Input, at: number): Side | null {
  const edge = edgeAt(input, at);
  if (edge) return { end: edge.end, from: edge.wall, to: edge.wall, period: null, isLong: true };
  const found = yearAt(input, at) ?? wholeAt(input, at, true);
  const period = found && LONG.has(found.grain) ? found : null;
  const day = dayAt(input, at);
  if (day && (!period || day.end >= period.end)) {
    return { end: day.end, from: day.wall, to: day.wall + DAY_MS, period: null, isLong: false };
  }
  return period && { end: period.end, from: period.from, to: period.to, period, isLong: true };
}

/** A year that a range goes on from, also without a space: "2014-2018". */
function yearAt(input: Input, at: number): Period | null {
  const { text, value } = tokenAt(input, at);
  const isYear = text.length === 4 && value >= 1900 && value < 2100;
  const next = isYear ? rangeLink(input, at + 1, true) : -1;
  const other = next > 0 ? tokenAt(input, next) : null;
  if (other?.kind !== "number" || other.text.length !== 4) return null;
  const from = midnight(value, 1, 1);
  return { end: at + 1, from, to: addMonths(from, 12), grain: "year", vague: false, hasYear: true };
}

const nowSide = (input: Input, at: number): Side => ({
  end: at + 1,
  from: input.now,
  to: input.now,
  period: null,
  isLong: false,
});

const isCounted = (input: Input, at: number) => COUNTED.has(wordAt(input, at)) || wordAt(input, at) === "%";

/** A month or quarter without a year takes that of the other side: "May to October 2027", "Nov to March". */
function aligned(first: Side, second: Side): [Wall, Wall] {
  const { period } = first;
  if (period && !period.hasYear && (!second.period || second.period.hasYear)) {
    const same = inYear(period, new Date(second.from).getUTCFullYear());
    return [same.from < second.to ? same.from : addMonths(same.from, -12), second.to];
  }
  if (second.period && !second.period.hasYear && second.to <= first.from) {
    const later = inYear(second.period, new Date(first.from).getUTCFullYear());
    return [first.from, later.to > first.from ? later.to : addMonths(later.to, 12)];
  }
  return [first.from, second.to];
}
