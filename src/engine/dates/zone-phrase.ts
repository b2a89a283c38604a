import { pairs, wordSet } from "../../lib/words.ts";
import { timeZoneName } from "../../lib/zone-names.ts";
import { placeAt } from "./places.ts";
import { glued, type Input, numberAt, tokenAt, wordAt } from "./tokens.ts";
import type { Zone } from "./zone.ts";

/** Hours from UTC. */
const OFFSETS = pairs(
  "utc: 0, gmt: 0, z: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3, gst: 4, ist: 5.5",
  "sgt: 8, hkt: 8, awst: 8, jst: 9, kst: 9, aest: 10, aedt: 11, nzst: 12, nzdt: 13",
  "est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, akst: -9, akdt: -8, hst: -10",
);
/** Abbreviations that do not say summer or winter time follow the place. */
const UNDECIDED = pairs("et: America/New_York, ct: America/Chicago, mt: America/Denver, pt: America/Los_Angeles");

/** Regions of North America: their time is named after them. */
const REGIONS = pairs(
  "eastern: America/New_York, central: America/Chicago, mountain: America/Denver, pacific: America/Los_Angeles",
);

function abbreviation(word: string): Zone | null {
  const hours = OFFSETS.get(word);
  if (hours !== undefined) return { offset: Number(hours) * 60 };
  const name = UNDECIDED.get(word);
  return name === undefined ? null : { name };
}

/** A zone written behind a time: "EST", "UTC+2", "+02:00", "Pacific time", "Europe/Berlin". */
export function zoneAt(input: Input, at: number): { end: number; zone: Zone } | null {
  const token = tokenAt(input, at);
  if (token.lower === "(") {
    const inner = zoneAt(input, at + 1);
    return inner && wordAt(input, inner.end) === ")" ? { ...inner, end: inner.end + 1 } : null;
  }
  const isSign = token.lower === "+" || token.lower === "-";
  if (isSign && (glued(input, at) || tokenAt(input, at + 1).text.length === 4)) return offsetAt(input, at, false);
  if (token.kind !== "word") return null;
  const known = abbreviation(token.lower);
  if (known && isWritten(token.text)) {
    const isUniversal = token.lower === "utc" || token.lower === "gmt";
    const sign = wordAt(input, at + 1);
    const shifted = isUniversal && (sign === "+" || sign === "-") ? offsetAt(input, at + 1, true) : null;
    return shifted ?? { end: at + 1, zone: known };
  }
  const region = REGIONS.get(token.lower);
  if (region) {
    const end = timeWordAt(input, at + 1);
    if (end > 0) return { end, zone: { name: region } };
    // "3pm Central", but not "Central Station"
    const next = tokenAt(input, at + 1);
    const isPlain = token.lower === "eastern" || token.lower === "pacific" || token.text !== token.lower;
    return isPlain && (next.kind !== "word" || next.text === next.lower)
      ? { end: at + 1, zone: { name: region } }
      : null;
  }
  const place = placeAt(input, at);
  const end = place ? timeWordAt(input, place.end) : -1;
  if (place && end > 0) return { end, zone: { name: place.zone } };
  return namedZone(input, at);
}

/** "time", "time zone", "standard time": the index after it, otherwise -1. */
function timeWordAt(input: Input, at: number): number {
  const word = wordAt(input, at);
  const time = word === "standard" || word === "daylight" || word === "local" ? at + 1 : at;
  if (wordAt(input, time) === "timezone") return time + 1;
  if (wordAt(input, time) !== "time") return -1;
  return wordAt(input, time + 1) === "zone" ? time + 2 : time + 1;
}

/** Words of English, French and German. */
const OTHER_WORDS = wordSet("west wet est ist");

/** Capitals, or all small as people type; "Est" and "Pt" are other words. */
function isWritten(text: string): boolean {
  return text === text.toUpperCase() || (text.length > 2 && text === text.toLowerCase() && !OTHER_WORDS.has(text));
}

function offsetAt(input: Input, at: number, wide: boolean): { end: number; zone: Zone } | null {
  const sign = wordAt(input, at) === "-" ? -1 : 1;
  const token = tokenAt(input, at + 1);
  const value = numberAt(input, at + 1);
  if (value < 0 || !glued(input, at + 1)) return null;
  if (token.text.length === 4 && value % 100 < 60 && value <= 1400) {
    return { end: at + 2, zone: { offset: sign * (Math.floor(value / 100) * 60 + (value % 100)) } };
  }
  if (token.text.length > 2 || value > 14) return null;
  if (wordAt(input, at + 2) === ":" && glued(input, at + 2) && glued(input, at + 3)) {
    const minutes = numberAt(input, at + 3);
    return minutes >= 0 && minutes < 60 ? { end: at + 4, zone: { offset: sign * (value * 60 + minutes) } } : null;
  }
  return wide ? { end: at + 2, zone: { offset: sign * value * 60 } } : null;
}

const AREAS = wordSet("africa america antarctica asia atlantic australia europe indian pacific");

function namedZone(input: Input, at: number): { end: number; zone: Zone } | null {
  if (!AREAS.has(wordAt(input, at)) || wordAt(input, at + 1) !== "/") return null;
  let name = tokenAt(input, at).text;
  let end = at + 1;
  while (
    end < at + 8 &&
    glued(input, end) &&
    (tokenAt(input, end).kind === "word" || /^[/_-]$/.test(wordAt(input, end)))
  ) {
    name += tokenAt(input, end).text;
    end += 1;
  }
  const known = timeZoneName(name);
  return known === null ? null : { end, zone: { name: known } };
}
