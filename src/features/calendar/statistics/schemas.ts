import { z } from "@hono/zod-openapi";
import { countsOf, doc, named, TimeZone } from "../../../http/schemas.ts";
import { EVENT_SOURCES, EVENT_STATUSES } from "../../../lib/event-kinds.ts";

export const StatisticsQuery = z.object({
  timeZone: doc(
    TimeZone.optional(),
    "IANA time zone in which days and weeks begin. Default: the time zone of your profile, otherwise UTC.",
  ),
});

const Day = named("CalendarDay", () => ({
  date: doc(z.iso.date(), "The day.", "2026-11-16"),
  events: doc(z.int(), "Number of events on that day.", 4),
  hours: doc(z.number(), "Busy hours on that day.", 3.5),
}));
export type Day = z.infer<typeof Day>;

const HoursBooked = z.object({
  thisWeek: doc(z.number(), "Busy hours this week.", 11.5),
  nextWeek: doc(z.number(), "Busy hours next week.", 8),
});

export const Statistics = named("CalendarStatistics", () => ({
  timeZone: doc(z.string(), "The time zone that was used.", "Europe/Berlin"),
  total: doc(z.int(), "Number of all events; a series counts once.", 40),
  upcoming: doc(z.int(), "Number of events and occurrences now and in the next 30 days that are not cancelled.", 12),
  byStatus: doc(countsOf(EVENT_STATUSES), "Number of events by status."),
  bySource: doc(countsOf(EVENT_SOURCES), "Number of events by source."),
  hoursBooked: doc(
    HoursBooked,
    "Busy hours. Weeks start on Monday; overlapping time counts once; all-day events do not count.",
  ),
  perDay: doc(z.array(Day), "Today and the next 13 days."),
  busiestDay: doc(z.object(Day.shape).nullable(), "The day of `perDay` with the most busy hours."),
}));
