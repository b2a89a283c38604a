import { AppError } from "../../lib/errors.ts";
import { type InvitedEvent, readInvitation } from "../../lib/ics/read.ts";
import { splitCalendar } from "../../lib/ics/split.ts";
import { startOfDate } from "../../lib/time-zone.ts";
import type { Person, Quote } from "../email/email.ts";

/** A meeting that an email contains as data: an iCalendar part or schema.org markup. */
export interface Invite {
  title: string;
  start: Date;
  end: Date;
  allDay: boolean;
  timeZone: string;
  location: string | null;
  meetingUrl: string | null;
  attendees: Person[];
  cancelled: boolean;
  quote: Quote;
  /** How it repeats, and when it does not. */
  rrule: string | null;
  exdates: readonly string[];
}

export const MAX_INVITES = 20;
const FIRST_LINE = /^BEGIN:V(?:CALENDAR|EVENT)\s*$/im;

/**
 * The events in iCalendar text, read as they are from an email or a file. One that cannot be read is left out: it would be
 * at a wrong time.
 */
export function calendarEvents(text: string, timeZone: string): Invite[] {
  const start = text.search(FIRST_LINE);
  if (start < 0) return [];
  const parts = splitCalendar(text.slice(start)).groups.flatMap((group) =>
    group.parts.map((part) => ({ group, part })),
  );
  return parts
    .sort((a, b) => a.part.start - b.part.start)
    .slice(0, MAX_INVITES)
    .flatMap(({ group, part }) => {
      const calendar = readable(group.text([part]), timeZone);
      const [event] = calendar?.events ?? [];
      if (!calendar || !event) return [];
      const quote = quoteOfStart(text, start + part.start, start + part.end);
      return { ...inviteOf(event), cancelled: calendar.method === "CANCEL" || event.status === "cancelled", quote };
    });
}

/** Why the first calendar in a text cannot be stored as one event; null if it can, or if there is none. */
export function calendarProblem(text: string, timeZone: string): string | null {
  const start = text.search(FIRST_LINE);
  const [group] = start < 0 ? [] : splitCalendar(text.slice(start)).groups;
  if (!group) return null;
  try {
    const { events } = readInvitation(group.text(), timeZone, "text");
    const isChanged = events.some((event) => event.recurrenceStart !== null || event.furtherDates > 0);
    return isChanged ? "has a series with moved or added dates. Import it as a file (.ics) instead" : null;
  } catch (error) {
    if (error instanceof AppError) return error.extras.errors?.[0]?.message ?? error.message;
    throw error;
  }
}

function readable(text: string, timeZone: string) {
  try {
    return readInvitation(text, timeZone, "text");
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function inviteOf(event: InvitedEvent): Omit<Invite, "quote" | "cancelled"> {
  const { title, allDay, timeZone, location, url, people, rrule, exdates } = event;
  const moment = (time: string) => new Date(allDay ? startOfDate(timeZone, time) : time);
  const [start, end] = [moment(event.start), moment(event.end)];
  return { title, start, end, allDay, timeZone, location, meetingUrl: url, attendees: people, rrule, exdates };
}

/** The line that says when the event starts. */
function quoteOfStart(text: string, from: number, to: number): Quote {
  const { 0: line, index } = /^DTSTART[;:].*(?:\r?\n[ \t].*)*/im.exec(text.slice(from, to)) ?? { 0: "", index: 0 };
  const quoted = line.trimEnd();
  return { text: quoted, start: from + index, end: from + index + quoted.length };
}
