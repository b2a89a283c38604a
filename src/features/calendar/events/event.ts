import type { events } from "../../../db/schema/calendar.ts";
import type { Interval } from "../../../lib/intervals.ts";
import { isoTime, isoTimeOrNull } from "../../../lib/iso-times.ts";
import type { Series } from "../../../lib/recurrence.ts";
import { toReminders } from "../../../lib/reminder-kinds.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";

export type EventRow = typeof events.$inferSelect;
export type Status = EventRow["status"];
export type Source = EventRow["source"];

/** The columns that say when an event takes place. */
export type TimesOfEvent = Pick<
  EventRow,
  "startAt" | "endAt" | "startDate" | "timeZone" | "rrule" | "exdates" | "overrides" | "seriesUntil"
>;

/** A series is one row; its occurrences are computed, unless they were edited. */
export type SeriesRow = EventRow & { rrule: string };

export function isSeries<Row extends { rrule: string | null }>(row: Row): row is Row & { rrule: string } {
  return row.rrule !== null;
}

export function intervalOf(row: Pick<EventRow, "startAt" | "endAt">): Interval {
  return { start: row.startAt.getTime(), end: row.endAt.getTime() };
}

export function seriesOf(row: TimesOfEvent & { rrule: string }): Series {
  return {
    ...intervalOf(row),
    zone: row.timeZone,
    allDay: row.startDate !== null,
    rrule: row.rrule,
    until: row.seriesUntil?.getTime() ?? null,
    except: [...row.exdates, ...row.overrides],
  };
}

/** An occurrence of a series as a row, with the id of the series. */
export function occurrenceRow(series: SeriesRow, { start, end }: Interval): EventRow {
  const isAllDay = series.startDate !== null;
  return {
    ...series,
    startAt: new Date(start),
    endAt: new Date(end),
    startDate: isAllDay ? dateOf(toWall(series.timeZone, start)) : null,
    endDate: isAllDay ? dateOf(toWall(series.timeZone, end)) : null,
    rrule: null,
    exdates: [],
    overrides: [],
    seriesUntil: null,
    seriesEnd: null,
    recurringEventId: series.id,
    originalStart: new Date(start),
  };
}

export function toEvent(row: EventRow) {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    start: isoTime(row.startAt),
    end: isoTime(row.endAt),
    allDay: row.startDate !== null,
    startDate: row.startDate,
    endDate: row.endDate,
    timeZone: row.timeZone,
    location: row.location,
    meetingUrl: row.meetingUrl,
    status: row.status,
    busy: row.busy,
    awaitsAnswer: row.awaitsAnswer,
    myResponse: row.invitation?.response ?? null,
    source: row.source,
    outside: row.outside,
    bookingId: row.bookingId,
    organizer: row.organizer,
    attendees: row.attendees,
    tags: row.tags,
    notes: row.notes,
    reminders: toReminders(row.reminders),
    emailId: row.emailId,
    icalUid: row.icalUid,
    sequence: row.sequence,
    rescheduledFromId: row.rescheduledFromId,
    cancelReason: row.cancelReason,
    externalStatus: row.externalStatus,
    externalUpdatedAt: isoTimeOrNull(row.externalUpdatedAt),
    rrule: row.rrule,
    exdates: row.exdates.map((start) => isoTime(new Date(start))),
    recurringEventId: row.recurringEventId,
    originalStart: isoTimeOrNull(row.originalStart),
    version: row.version,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

export type CalendarEvent = ReturnType<typeof toEvent>;
