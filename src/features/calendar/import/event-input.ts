import type { InvitedEvent } from "../../../lib/ics/read.ts";
import type { NewEvent } from "../events/changes.ts";

/** An event of a file as the calendar takes it. Alarms and unknown properties have no place in it. */
export function inputOf(event: InvitedEvent): NewEvent {
  const { title, start, end, allDay, timeZone, description, location, url, status, busy, organizer, attendees } = event;
  const series =
    event.recurrenceStart === null && event.rrule !== null ? { rrule: event.rrule, exdates: event.exdates } : {};
  return {
    ...{ title, start, end, allDay, timeZone, description, location, status, busy, organizer, attendees },
    ...series,
    meetingUrl: url,
  };
}
