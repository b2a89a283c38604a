import type { Address } from "../../../lib/addresses.ts";
import { replyCalendar } from "../../../lib/ics/write-reply.ts";
import { DAY_MS, dateOf, toWall } from "../../../lib/time-zone.ts";
import type { CalendarReply } from "../../../providers/mail.ts";
import { type EventRow, intervalOf } from "../events/event.ts";
import type { Answer } from "../events/response.ts";

const WORDS: Record<Answer, string> = { accepted: "Accepted", declined: "Declined", tentative: "Tentatively accepted" };

/** What the reply is about: the event, the series or the occurrence as it is now, and who sends the reply. */
export interface ReplySubject {
  row: EventRow;
  /** The series of an occurrence. */
  series: EventRow | null;
  organizer: Address;
  attendee: Address;
  sender: Address;
}

/** The email that tells the organizer. */
export function replyEmail(subject: ReplySubject, response: Answer, comment: string | null, now: Date): CalendarReply {
  const { row, organizer } = subject;
  const title = `${WORDS[response]}: ${row.title}`;
  return {
    to: organizer,
    subject: title,
    text: [`${title}, ${whenOf(row)}`, ...(comment ? [comment] : [])].join("\n\n"),
    calendar: calendarOf(subject, response, comment, now),
  };
}

function calendarOf(
  { row, series, organizer, attendee, sender }: ReplySubject,
  response: Answer,
  comment: string | null,
  now: Date,
): string {
  const whole = series ?? row;
  const isOccurrence = row.originalStart !== null;
  return replyCalendar({
    uid: row.icalUid,
    sequence: row.externalSequence ?? 0,
    stamp: now.getTime(),
    title: row.title,
    ...intervalOf(row),
    allDay: row.startDate !== null,
    dateZone: row.timeZone,
    recurrence: isOccurrence
      ? { start: row.originalStart?.getTime() ?? 0, allDay: whole.startDate !== null, zone: whole.timeZone }
      : null,
    organizer,
    attendee: { ...attendee, response },
    sentBy: sender.email.toLowerCase() === attendee.email ? null : sender.email,
    comment,
  });
}

const LONG_DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** "Tuesday 17 November 2026, 10:00–11:00 (Europe/Berlin)" */
function whenOf(row: EventRow): string {
  const { start, end } = intervalOf(row);
  const [from, until] = [toWall(row.timeZone, start), toWall(row.timeZone, end)];
  const day = (wall: number) => LONG_DAY.format(wall).replace(",", "");
  const clock = (wall: number) => new Date(wall).toISOString().slice(11, 16);
  const repeats = row.rrule === null ? "" : ", repeating";
  if (row.startDate !== null) {
    const last = until - DAY_MS;
    return `${day(from)}${last > from ? ` – ${day(last)}` : ""}${repeats}`;
  }
  const isOneDay = dateOf(from) === dateOf(until);
  return `${day(from)}, ${clock(from)}–${isOneDay ? "" : `${day(until)}, `}${clock(until)} (${row.timeZone})${repeats}`;
}
