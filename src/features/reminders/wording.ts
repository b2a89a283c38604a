import type { Block } from "../../lib/notice.ts";
import { counted, speakerFor, writerFor } from "../../lib/spoken-time.ts";
import { DAY_MS, dateOf, HOUR_MS, type Instant, MINUTE_MS, toWall } from "../../lib/time-zone.ts";
import type { Person } from "./people.ts";

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
export function pathOf({ kind, id, recordAt }: Subject, timeZone: string): string {
  if (kind === "task") return `/app/tasks/${id}`;
  return `/app/calendar/day/${dateOf(toWall(timeZone, recordAt ?? 0))}`;
}

/** "Due today at 17:00", "Starts in 10 minutes, at 15:00" */
function timing(person: Person, { kind, recordAt, isDay }: Subject, now: Instant): string | null {
  if (recordAt === null) return null;
  const speaker = speakerFor(person.timeZone, new Date(now), person);
  if (isDay) return kind === "task" ? `Due ${speaker.day(recordAt)}` : `All day ${speaker.day(recordAt)}`;
  if (kind === "task") return `Due ${speaker.moment(recordAt)}`;
  const minutes = Math.round((recordAt - now) / MINUTE_MS);
  if (minutes < 0) return `Started ${speaker.moment(recordAt)}`;
  if (minutes === 0) return "Starts now";
  if (minutes < 60) return `Starts in ${counted(minutes, "minute")}, at ${speaker.clock(recordAt)}`;
  return `Starts ${speaker.moment(recordAt)}`;
}

function lateness(person: Person, { at, late }: Occasion, now: Instant): string | null {
  if (!late) return null;
  return `This reminder is late. It was set for ${speakerFor(person.timeZone, new Date(now), person).moment(at)}.`;
}

/** The text of a push message; the console's service worker reads it. */
export function pushText(person: Person, subject: Subject, occasion: Occasion, now: Instant): string {
  const body = [timing(person, subject, now), subject.location, lateness(person, occasion, now)];
  return JSON.stringify({
    id: occasion.reminderId,
    title: subject.title.slice(0, 200),
    body: body
      .filter((line) => line !== null)
      .join("\n")
      .slice(0, 500),
    url: pathOf(subject, person.timeZone),
    tag: `reminder-${occasion.reminderId}`,
    at: new Date(occasion.at).toISOString(),
    late: occasion.late,
    recordType: subject.kind,
    recordId: subject.id,
  });
}

export function emailContent(person: Person, subject: Subject, occasion: Occasion, now: Instant, baseUrl: string) {
  const { title, kind, recordAt, isDay, location, meetingUrl } = subject;
  const writer = writerFor(person.timeZone, person);
  const facts: (readonly [string, string])[] = [];
  if (recordAt !== null) {
    const when = isDay ? writer.date(dateOf(toWall(person.timeZone, recordAt))) : writer.moment(recordAt);
    facts.push([kind === "task" ? "Due" : "Starts", when]);
  }
  if (location) facts.push(["Place", location]);
  if (meetingUrl) facts.push(["Video call", meetingUrl]);
  const opening = [title, timing(person, subject, now)].filter((text) => text !== null).join(". ");
  const late = lateness(person, occasion, now);
  const blocks: Block[] = [
    `${opening}.`,
    ...(late ? [late] : []),
    ...(facts.length > 0 ? [{ facts }] : []),
    {
      button: kind === "task" ? "Open the task" : "Open the calendar",
      url: `${baseUrl}${pathOf(subject, person.timeZone)}`,
    },
  ];
  return { subject: `Reminder: ${title}`, blocks };
}

/** How long a push service keeps a reminder: one of an event is of no use long after its start. */
export function usefulSeconds({ kind, recordAt }: Subject, now: Instant): number {
  const until = kind === "event" && recordAt !== null ? recordAt + HOUR_MS : now + DAY_MS;
  return Math.min(Math.max(Math.ceil((until - now) / 1000), 10 * 60), DAY_MS / 1000);
}
