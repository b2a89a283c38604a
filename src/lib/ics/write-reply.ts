import type { Instant } from "../time-zone.ts";
import {
  address,
  calendarEnd,
  calendarHead,
  commonName,
  type IcsAttendee,
  type IcsPerson,
  type IcsRecurrence,
  line,
  PARTSTAT,
  recurrenceId,
  text,
  timeLine,
  utcTime,
} from "./write.ts";

/** A response to an invitation. */
interface IcsReply {
  uid: string;
  /** The SEQUENCE of the invitation that it responds to. */
  sequence: number;
  stamp: Instant;
  title: string;
  start: Instant;
  end: Instant;
  allDay: boolean;
  /** The zone of the dates of an all-day event. */
  dateZone: string;
  /** The occurrence that it responds to; null for a single event or a whole series. */
  recurrence: IcsRecurrence | null;
  organizer: IcsPerson;
  attendee: IcsAttendee;
  /** The address that sends it, if that is not the attendee's own. */
  sentBy: string | null;
  comment: string | null;
}

/** An iTIP REPLY (RFC 5546, 3.2.3). Its times are UTC: the organizer's program finds the event by its UID. */
export function replyCalendar(reply: IcsReply): string {
  const { organizer, attendee, recurrence } = reply;
  const times = { allDay: reply.allDay, zone: null, dateZone: reply.dateZone };
  return [
    calendarHead("REPLY"),
    line("BEGIN", "VEVENT"),
    line("UID", text(reply.uid)),
    line("DTSTAMP", utcTime(reply.stamp)),
    line("SEQUENCE", String(reply.sequence)),
    ...(recurrence ? [recurrenceId(recurrence.allDay ? recurrence : { ...recurrence, zone: "UTC" })] : []),
    timeLine("DTSTART", times, [reply.start]),
    timeLine("DTEND", times, [reply.end]),
    line("SUMMARY", text(reply.title)),
    line("ORGANIZER", address(organizer), commonName(organizer)),
    line("ATTENDEE", address(attendee), {
      ...commonName(attendee),
      PARTSTAT: PARTSTAT[attendee.response],
      ...(reply.sentBy !== null && { "SENT-BY": `mailto:${reply.sentBy}` }),
    }),
    ...(reply.comment ? [line("COMMENT", text(reply.comment))] : []),
    line("REQUEST-STATUS", "2.0;Success"),
    line("END", "VEVENT"),
    calendarEnd(),
  ].join("");
}
