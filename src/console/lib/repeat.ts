import { repeat as m } from "../messages/repeat.ts";
import { known } from "./cast.ts";
import { partsOf, WEEKDAYS } from "./rule.ts";
import type { TimeHabits } from "./time.ts";

/** A Monday. */
const MONDAY = Date.UTC(2024, 0, 1);

/** An RFC 5545 rule in words: "Every 2 weeks on Monday and Friday". What it cannot say is left out. */
export function repeatText(habits: TimeHabits, rrule: string, from: "due" | "done" | null): string {
  const rule = partsOf(rrule);
  const unit = { DAILY: m.day, WEEKLY: m.week, MONTHLY: m.month, YEARLY: m.year }[rule.get("FREQ") ?? ""];
  if (!unit) return m.repeats;
  const every = m.every(Number(rule.get("INTERVAL") ?? 1), unit);
  const days = (rule.get("BYDAY") ?? "")
    .split(",")
    .filter(Boolean)
    .map((day) => dayName(habits, day));
  const list = new Intl.ListFormat(habits.locale, { type: "conjunction" });
  const on =
    days.length > 0 ? m.on(list.format(days)) : rule.has("BYMONTHDAY") && m.onDay(Number(rule.get("BYMONTHDAY")));
  return [every, on, from === "done" && m.afterDone].filter(Boolean).join(" ");
}

/** `FR`, or `2FR` for the second Friday. */
function dayName(habits: TimeHabits, text: string): string {
  const [, ordinal = "", day = ""] = /^(-?\d*)([A-Z]{2})$/.exec(text) ?? [];
  const moment = new Date(MONDAY + Math.max(0, WEEKDAYS.indexOf(known(day))) * 86_400_000);
  const name = new Intl.DateTimeFormat(habits.locale, { weekday: "long", timeZone: "UTC" }).format(moment);
  return ordinal === "" ? name : m.nth(Number(ordinal), name);
}
