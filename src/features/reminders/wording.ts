import { counted, speakerFor, writerFor } from "../../lib/spoken-time.ts";
import { DAY_MS, dateOf, HOUR_MS, type Instant, MINUTE_MS, toWall } from "../../lib/time-zone.ts";
import type { Notice } from "../notifications/notice.ts";
import type { Person } from "./people.ts";

type Speaker = ReturnType<typeof speakerFor>;

/** What a reminder is about. */
export interface Subject {
  kind: "task" | "event";
  id: number;
  title: string;
  /** When it is due or begins. */
  recordAt: Instant | null;
  /** Whether it is due on a day, or takes whole days. */
  isDay: boolean;
  location: string | null;
  meetingUrl: string | null;
}

export interface Occasion {
  reminderId: number;
  /** The time that the reminder was set for. */
  at: Instant;
  late: boolean;
}

/** Where the console shows the record. */
function pathOf({ kind, id, recordAt }: Subject, timeZone: string): string {
  if (kind === "task") return `/app/tasks/${id}`;
  return `/app/calendar/day/${dateOf(toWall(timeZone, recordAt ?? 0))}`;
}

/** "Due today at 17:00", "Starts in 10 minutes, at 15:00" */
function timing(speaker: Speaker, { kind, recordAt, isDay }: Subject, now: Instant): string | null {
  if (recordAt === null) return null;
  if (isDay) return kind === "task" ? `Due ${speaker.day(recordAt)}` : `All day ${speaker.day(recordAt)}`;
  if (kind === "task") return `Due ${speaker.moment(recordAt)}`;
  const minutes = Math.round((recordAt - now) / MINUTE_MS);
  if (minutes < 0) return `Started ${speaker.moment(recordAt)}`;
  if (minutes === 0) return "Starts now";
  if (minutes < 60) return `Starts in ${counted(minutes, "minute")}, at ${speaker.clock(recordAt)}`;
  return `Starts ${speaker.moment(recordAt)}`;
}

/** What a reminder says: at length, and on a small screen, where its buttons need to know what it is about. */
export function reminderNotice(
  person: Person,
  subject: Subject,
  { reminderId, at, late }: Occasion,
  now: Instant,
  baseUrl: string,
): Notice {
  const { title, kind, id, recordAt, isDay, location, meetingUrl } = subject;
  const speaker = speakerFor(person.timeZone, new Date(now), person);
  const writer = writerFor(person.timeZone, person);
  const when = timing(speaker, subject, now);
  const lateness = late ? `This reminder is late. It was set for ${speaker.moment(at)}.` : null;
  const facts: (readonly [string, string])[] = [];
  if (recordAt !== null) {
    const time = isDay ? writer.date(dateOf(toWall(person.timeZone, recordAt))) : writer.moment(recordAt);
    facts.push([kind === "task" ? "Due" : "Starts", time]);
  }
  if (location) facts.push(["Place", location]);
  if (meetingUrl) facts.push(["Video call", meetingUrl]);
  const url = pathOf(subject, person.timeZone);
  return {
    kind: "reminder",
    subject: `Reminder: ${title}`,
    blocks: [
      `${present(title, when).join(". ")}.`,
      ...present(lateness),
      ...(facts.length > 0 ? [{ facts }] : []),
      { button: kind === "task" ? "Open the task" : "Open the calendar", url: `${baseUrl}${url}` },
    ],
    short: {
      title: title.slice(0, 200),
      body: present(when, location, lateness).join("\n").slice(0, 500),
      url,
      tag: `reminder-${reminderId}`,
      id: reminderId,
      at: new Date(at).toISOString(),
      late,
      recordType: kind,
      recordId: id,
    },
    usefulMs: usefulMs(subject, now),
  };
}

const present = (...texts: (string | null)[]) => texts.filter((text) => text !== null);

/** A reminder of an event is of no use long after its start. */
function usefulMs({ kind, recordAt }: Subject, now: Instant): number {
  const left = kind === "event" && recordAt !== null ? recordAt + HOUR_MS - now : DAY_MS;
  return Math.min(Math.max(left, 10 * MINUTE_MS), DAY_MS);
}
