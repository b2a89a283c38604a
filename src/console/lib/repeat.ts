import { repeat as m } from "../messages/repeat.ts";
import { known } from "./cast.ts";
import { partsOf, WEEKDAYS } from "./rule.ts";
import { addDays, type TimeHabits, writeDay } from "./time.ts";

/** Index 0 is a Monday. */
export function weekdayName(habits: TimeHabits, index: number, weekday: "long" | "short"): string {
  return writeDay(habits, addDays("2024-01-01", index), { weekday });
}

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
  const name = weekdayName(habits, Math.max(0, WEEKDAYS.indexOf(known(day))), "long");
  return ordinal === "" ? name : m.nth(Number(ordinal), name);
}
