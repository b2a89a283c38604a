import { momentAt, wallAt } from "./zone.ts";

/* RFC 5545 recurrence rules as a form has them. A rule that says more stays as it is: `readRule` returns null for it. */

export const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const;
type Weekday = (typeof WEEKDAYS)[number];
export type Frequency = "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";

export interface Rule {
  every: Frequency;
  interval: number;
  /** For weeks: the weekdays. */
  on: Weekday[];
  /** For months: by the day's number, or by its weekday ("the second Friday", -1 for the last). */
  nth: { which: number; weekday: Weekday } | null;
  ends: { kind: "never" } | { kind: "after"; times: number } | { kind: "on"; day: string };
}

const KNOWN = new Set(["FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "COUNT", "UNTIL", "WKST"]);

export function partsOf(text: string): Map<string, string> {
  const pairs = text
    .replace(/^RRULE:/i, "")
    .split(";")
    .filter(Boolean)
    .map((part) => part.split("=", 2));
  return new Map(pairs.map(([name = "", value = ""]) => [name.toUpperCase(), value.toUpperCase()]));
}

export function weekdayOf(day: string): Weekday {
  const at = (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7;
  return WEEKDAYS[at] ?? "MO";
}

function isWeekday(text: string): text is Weekday {
  return WEEKDAYS.some((day) => day === text);
}

/** The rule for the form; null if the form cannot say it. `day` is the first day of the series, in its zone. */
export function readRule(text: string, day: string, zone: string): Rule | null {
  const parts = partsOf(text);
  const every = parts.get("FREQ");
  if (every !== "DAILY" && every !== "WEEKLY" && every !== "MONTHLY" && every !== "YEARLY") return null;
  if ([...parts.keys()].some((name) => !KNOWN.has(name))) return null;
  const interval = Number(parts.get("INTERVAL") ?? 1);
  const listed = (parts.get("BYDAY") ?? "").split(",").filter(Boolean);
  const rule: Rule = { every, interval, on: [], nth: null, ends: endOf(parts, zone) };
  const date = parts.get("BYMONTHDAY");
  if (date !== undefined && (every !== "MONTHLY" || Number(date) !== Number(day.slice(8)))) return null;
  if (listed.length === 0) return rule;
  if (every === "WEEKLY" && listed.every(isWeekday)) return { ...rule, on: listed.filter(isWeekday) };
  const [, which = "", weekday = ""] = /^(-1|[1-4])([A-Z]{2})$/.exec(listed[0] ?? "") ?? [];
  if (every !== "MONTHLY" || listed.length > 1 || !isWeekday(weekday)) return null;
  return { ...rule, nth: { which: Number(which), weekday } };
}

function endOf(parts: ReadonlyMap<string, string>, zone: string): Rule["ends"] {
  const [count, until] = [parts.get("COUNT"), parts.get("UNTIL")];
  if (count) return { kind: "after", times: Number(count) };
  const [, date, time, isUtc] = /^(\d{8})(?:T(\d{6})(Z?))?$/.exec(until ?? "") ?? [];
  if (!date) return { kind: "never" };
  const day = date.replace(/(....)(..)(..)/, "$1-$2-$3");
  if (!isUtc || !time) return { kind: "on", day };
  return { kind: "on", day: wallAt(zone, Date.parse(`${day}T${time.replace(/(..)(..)(..)/, "$1:$2:$3")}Z`)).day };
}

/** The last day counts whole, in the zone of the series. */
export function writeRule({ every, interval, on, nth, ends }: Rule, zone: string): string {
  const parts = [`FREQ=${every}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  const days = WEEKDAYS.filter((day) => on.includes(day));
  if (every === "WEEKLY" && days.length > 0) parts.push(`BYDAY=${days.join(",")}`);
  if (every === "MONTHLY" && nth) parts.push(`BYDAY=${nth.which}${nth.weekday}`);
  if (ends.kind === "after") parts.push(`COUNT=${ends.times}`);
  if (ends.kind === "on") {
    const last = new Date(momentAt(zone, { day: ends.day, minutes: 1439 })).toISOString();
    parts.push(`UNTIL=${last.slice(0, 16).replace(/[-:]/g, "")}59Z`);
  }
  return parts.join(";");
}

/** Which Friday of its month a day is: 1 to 4, or -1 for the last. */
export function nthOf(day: string): number {
  const date = Number(day.slice(8));
  const isLast =
    new Date(Date.parse(`${day}T12:00:00Z`) + 7 * 86_400_000).getUTCMonth() !== Number(day.slice(5, 7)) - 1;
  return isLast ? -1 : Math.ceil(date / 7);
}

/**
 * The rule of a series that is moved by some days, or null if no rule says that: the 31st of each month, a day later, is
 * no day of the month.
 */
export function shiftRule(text: string, days: number): string | null {
  if (days === 0) return text;
  const parts = partsOf(text);
  if ([...parts.keys()].some((name) => name.startsWith("BY") && name !== "BYDAY") || parts.get("FREQ") === "YEARLY") {
    return parts.get("FREQ") === "YEARLY" && ![...parts.keys()].some((name) => name.startsWith("BY")) ? text : null;
  }
  const listed = (parts.get("BYDAY") ?? "").split(",").filter(Boolean);
  if (!listed.every(isWeekday)) return null;
  const moved = listed.map((day) => WEEKDAYS[(((WEEKDAYS.indexOf(day) + days) % 7) + 7) % 7]);
  if (moved.length > 0) parts.set("BYDAY", moved.join(","));
  return [...parts].map(([name, value]) => `${name}=${value}`).join(";");
}
