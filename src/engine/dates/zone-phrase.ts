import { timeZoneName } from "../../lib/time-zone.ts";
import { wordSet } from "../word-set.ts";
import { glued, type Input, numberAt, tokenAt, wordAt } from "./tokens.ts";
import type { Zone } from "./zone.ts";

/** Abbreviations that say summer or winter time keep that offset; those that do not follow the place. */
const ABBREVIATIONS: ReadonlyMap<string, Zone> = new Map<string, Zone>([
  ["utc", { offset: 0 }],
  ["gmt", { offset: 0 }],
  ["z", { offset: 0 }],
  ["et", { name: "America/New_York" }],
  ["est", { offset: -300 }],
  ["edt", { offset: -240 }],
  ["ct", { name: "America/Chicago" }],
  ["cst", { offset: -360 }],
  ["cdt", { offset: -300 }],
  ["mt", { name: "America/Denver" }],
  ["mst", { offset: -420 }],
  ["mdt", { offset: -360 }],
  ["pt", { name: "America/Los_Angeles" }],
  ["pst", { offset: -480 }],
  ["pdt", { offset: -420 }],
  ["akst", { offset: -540 }],
  ["akdt", { offset: -480 }],
  ["hst", { offset: -600 }],
  ["wet", { offset: 0 }],
  ["west", { offset: 60 }],
  ["bst", { offset: 60 }],
  ["cet", { offset: 60 }],
  ["cest", { offset: 120 }],
  ["eet", { offset: 120 }],
  ["eest", { offset: 180 }],
  ["msk", { offset: 180 }],
  ["gst", { offset: 240 }],
  ["ist", { offset: 330 }],
  ["sgt", { offset: 480 }],
  ["hkt", { offset: 480 }],
  ["awst", { offset: 480 }],
  ["jst", { offset: 540 }],
  ["kst", { offset: 540 }],
  ["aest", { offset: 600 }],
  ["aedt", { offset: 660 }],
  ["nzst", { offset: 720 }],
  ["nzdt", { offset: 780 }],
]);

const PLACES: ReadonlyMap<string, string> = new Map([
  ["eastern", "America/New_York"],
  ["central", "America/Chicago"],
  ["mountain", "America/Denver"],
  ["pacific", "America/Los_Angeles"],
  ["london", "Europe/London"],
  ["uk", "Europe/London"],
  ["paris", "Europe/Paris"],
  ["berlin", "Europe/Berlin"],
  ["tokyo", "Asia/Tokyo"],
  ["sydney", "Australia/Sydney"],
  ["india", "Asia/Kolkata"],
]);

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
  const known = ABBREVIATIONS.get(token.lower);
  if (known && isWritten(token.text)) {
    const isUniversal = token.lower === "utc" || token.lower === "gmt";
    const sign = wordAt(input, at + 1);
    const shifted = isUniversal && (sign === "+" || sign === "-") ? offsetAt(input, at + 1, true) : null;
    return shifted ?? { end: at + 1, zone: known };
  }
  const place = PLACES.get(token.lower);
  if (place) {
    const next = wordAt(input, at + 1);
    const isStandard = (next === "standard" || next === "daylight") && wordAt(input, at + 2) === "time";
    if (isStandard) return { end: at + 3, zone: { name: place } };
    if (next === "time" && wordAt(input, at + 2) === "zone") return { end: at + 3, zone: { name: place } };
    if (next === "time" || next === "timezone") return { end: at + 2, zone: { name: place } };
    return token.lower === "eastern" || token.lower === "pacific" ? { end: at + 1, zone: { name: place } } : null;
  }
  return namedZone(input, at);
}

/** Capitals, or all small as people type; "Est" and "Pt" are other words. */
function isWritten(text: string): boolean {
  return (
    text === text.toUpperCase() || (text.length > 2 && text === text.toLowerCase() && text !== "west" && text !== "est")
  );
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
