import { floorTo, stepBy } from "./calendar-units.ts";

/*
 * Compares found times with the labels of the public date sets; docs/engine.md describes the rules. All times are
 * local clock readings in milliseconds as if they were UTC.
 */

/** A time the engine found; `to` is exclusive, and null for a point in time. */
export interface FoundTime {
  start: number;
  end: number;
  from: number | null;
  to: number | null;
  grain: string;
}

const DAY_MS = 86_400_000;
const GRAINS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
const at = (text: string) => Date.parse(`${text.replace(" ", "T")}${text.includes(":") ? "" : "T00:00:00"}Z`);
/** The end of a period may be written as its last second. */
const roundEnd = (time: number) => (Math.floor(time / 1000) % 60 === 59 ? Math.floor(time / 1000) * 1000 + 1000 : time);
const isBetween = (time: number | null, [low, high]: readonly [number, number]) =>
  time !== null && time >= low && time <= high;

/** Whether a result is coarser than the label; an exact time may call itself a minute or an hour. */
function isTooCoarse(grain: string, wanted: string): boolean {
  const found = GRAINS.indexOf(grain);
  return found > GRAINS.indexOf(wanted) && found >= GRAINS.indexOf("day");
}

export interface DucklingCase {
  kind: "point" | "interval" | "negative";
  input: string;
  start: string;
  end: string;
  grain: string;
  /** Other accepted readings. */
  also?: { start: string; end: string; grain?: string }[];
  /** Bounds for the edges of a vague period. */
  within?: { start: [string, string]; end: [string, string] };
  /** Only the end counts, as in "by 2pm". */
  edge?: "end";
}

/** The longest resolved phrase is the answer. */
export function isDucklingRight(item: DucklingCase, found: readonly FoundTime[]): boolean {
  if (item.kind === "negative") return found.length === 0;
  const longest = found.filter(({ from }) => from !== null).sort((a, b) => b.end - b.start - (a.end - a.start))[0];
  if (!longest || longest.from === null) return false;
  const { from, grain } = longest;
  const to = longest.to === null ? null : roundEnd(longest.to);
  if (item.kind === "point")
    return !isTooCoarse(grain, item.grain) && floorTo(from, item.grain) === floorTo(at(item.start), item.grain);
  if (item.edge === "end") return to === at(item.end) || from === at(item.end);
  if (to === null) return false;
  if (item.within) return isBetween(from, bounds(item.within.start, at)) && isBetween(to, bounds(item.within.end, at));
  return [item, ...(item.also ?? [])].some((reading) => {
    const unit = reading.grain ?? item.grain;
    const last = at(reading.end);
    return floorTo(from, unit) === floorTo(at(reading.start), unit) && (to === last || to === stepBy(last, unit, -1));
  });
}

const bounds = ([low, high]: readonly [string, string], read: (text: string) => number): [number, number] => [
  read(low),
  read(high),
];

interface Reading {
  value?: string;
  start?: string;
  end?: string;
  within?: { start: [string, string]; end: [string, string] };
}
export interface RecognizerCase {
  input: string;
  ref: string;
  group?: string;
  results: { start: number; end: number; type: string; values: Reading[] }[];
}

/** Every labelled date needs a result over the same words with one of the accepted readings. */
export function isRecognizerRight({ ref, results }: RecognizerCase, found: readonly FoundTime[]): boolean {
  return results.every(({ start, end, values }) => {
    const shared = (time: FoundTime) => Math.min(time.end, end + 1) - Math.max(time.start, start);
    const [best] = found.filter((time) => time.from !== null && shared(time) > 0).sort((a, b) => shared(b) - shared(a));
    if (values.every(({ value }) => value === "not resolved")) return best === undefined;
    return best !== undefined && values.some((reading) => isReading(best, reading, at(ref)));
  });
}

function isReading(found: FoundTime, { value, start, end, within }: Reading, reference: number): boolean {
  const from = found.from ?? 0;
  const to = found.to === null ? null : roundEnd(found.to);
  if (within) {
    const edge = (text: string) => (isTime(text) ? floorTo(from, "day") + timeOf(text) : at(text));
    return isBetween(from, bounds(within.start, edge)) && isBetween(to, bounds(within.end, edge));
  }
  if (value !== undefined)
    return isEdge(from, value, reference) && !isTooCoarse(found.grain, isDate(value) ? "day" : "hour");
  if (start !== undefined && end !== undefined)
    return isEdge(from, start, reference) && isEdge(to, end, reference, true);
  const edge = start ?? end ?? "";
  return isEdge(from, edge, reference) || isEdge(to, edge, reference, true);
}

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
const isTime = (text: string) => /^\d\d:\d\d:\d\d$/.test(text);
const timeOf = (text: string) => Date.parse(`1970-01-01T${text}Z`);

/** Whether a time is the labelled date, time of day or both. The end of a day may be its last second. */
function isEdge(time: number | null, label: string, reference: number, isEnd = false): boolean {
  if (time === null) return false;
  if (isDate(label))
    return isEnd ? time === at(label) || time === at(label) + DAY_MS : floorTo(time, "day") === at(label);
  if (isTime(label)) {
    const days = (floorTo(time, "day") - floorTo(reference, "day")) / DAY_MS;
    const wanted = label === "23:59:59" ? [timeOf(label), 0] : [timeOf(label)];
    return wanted.includes(((time % DAY_MS) + DAY_MS) % DAY_MS) && days >= -1 && days <= 2;
  }
  const exact = Date.parse(`${label.replace(" ", "T")}Z`);
  return time === exact || (label.endsWith("23:59:59") && time === exact + 1000);
}
