import { dateOf, type Instant, toWall, type Wall } from "../time-zone.ts";

/** Writes iCalendar (RFC 5545). `read.ts` reads it, with a library. */

export interface IcsPerson {
  name: string | null;
  email: string;
}

export interface IcsAttendee extends IcsPerson {
  response: keyof typeof PARTSTAT;
}

/** The fields that are both written and read. */
export interface IcsSubject {
  title: string;
  description: string | null;
  location: string | null;
  url: string | null;
  status: "tentative" | "confirmed" | "cancelled";
  busy: boolean;
  organizer: IcsPerson | null;
}

export interface IcsEvent extends IcsSubject {
  uid: string;
  sequence: number;
  stamp: Instant;
  created: Instant;
  modified: Instant;
  start: Instant;
  end: Instant;
  allDay: boolean;
  /** Set for a series, which follows local time; null writes UTC. */
  zone: string | null;
  /** The zone of the dates of an all-day event. */
  dateZone: string;
  categories: readonly string[];
  attendees: readonly IcsAttendee[];
  rrule: string | null;
  exdates: readonly Instant[];
  /** For an edited occurrence: its start in the series, and whether the series is all-day. */
  recurrence: IcsRecurrence | null;
  /** When calendar programs remind of it: minutes before its start, or a time. Default: none. */
  alarms?: readonly ({ minutesBefore: number } | { at: Instant })[];
}

export interface IcsRecurrence {
  start: Instant;
  allDay: boolean;
  zone: string;
}

type TimesOfIcs = Pick<IcsEvent, "allDay" | "zone" | "dateZone">;

export const PARTSTAT = {
  needs_action: "NEEDS-ACTION",
  accepted: "ACCEPTED",
  declined: "DECLINED",
  tentative: "TENTATIVE",
} as const;

const MAX_OCTETS = 75;

const PRODUCT = "-//Personal Operations Assistant//Calendar//EN";

export function calendarHead(method: string): string {
  return [
    line("BEGIN", "VCALENDAR"),
    line("VERSION", "2.0"),
    line("PRODID", PRODUCT),
    line("CALSCALE", "GREGORIAN"),
    line("METHOD", method),
  ].join("");
}

export function calendarStart(name: string): string {
  return [
    calendarHead("PUBLISH"),
    line("NAME", text(name)),
    line("X-WR-CALNAME", text(name)),
    line("REFRESH-INTERVAL", "PT1H", { VALUE: "DURATION" }),
    line("X-PUBLISHED-TTL", "PT1H"),
  ].join("");
}

export function calendarEnd(): string {
  return line("END", "VCALENDAR");
}

export function eventComponent(event: IcsEvent): string {
  const optional = (name: string, value: string | null) => (value ? [line(name, text(value))] : []);
  return [
    line("BEGIN", "VEVENT"),
    line("UID", text(event.uid)),
    line("DTSTAMP", utcTime(event.stamp)),
    line("CREATED", utcTime(event.created)),
    line("LAST-MODIFIED", utcTime(event.modified)),
    line("SEQUENCE", String(event.sequence)),
    ...(event.recurrence ? [recurrenceId(event.recurrence)] : []),
    timeLine("DTSTART", event, [event.start]),
    timeLine("DTEND", event, [event.end]),
    ...(event.rrule ? [line("RRULE", event.rrule)] : []),
    ...(event.exdates.length > 0 ? [timeLine("EXDATE", event, event.exdates)] : []),
    line("SUMMARY", text(event.title)),
    ...optional("DESCRIPTION", event.description),
    ...optional("LOCATION", event.location),
    ...(event.url ? [line("URL", uri(event.url))] : []),
    line("STATUS", event.status.toUpperCase()),
    line("TRANSP", event.busy ? "OPAQUE" : "TRANSPARENT"),
    ...(event.categories.length > 0 ? [line("CATEGORIES", event.categories.map(text).join(","))] : []),
    ...(event.organizer ? [line("ORGANIZER", address(event.organizer), commonName(event.organizer))] : []),
    ...event.attendees.map((attendee) =>
      line("ATTENDEE", address(attendee), {
        ...commonName(attendee),
        ROLE: "REQ-PARTICIPANT",
        PARTSTAT: PARTSTAT[attendee.response],
      }),
    ),
    ...(event.alarms ?? []).map((alarm) => alarmComponent(event, alarm)),
    line("END", "VEVENT"),
  ].join("");
}

function alarmComponent({ title }: IcsEvent, alarm: { minutesBefore: number } | { at: Instant }): string {
  const trigger =
    "at" in alarm
      ? line("TRIGGER", utcTime(alarm.at), { VALUE: "DATE-TIME" })
      : line("TRIGGER", alarm.minutesBefore === 0 ? "PT0S" : `-PT${alarm.minutesBefore}M`);
  return [
    line("BEGIN", "VALARM"),
    line("ACTION", "DISPLAY"),
    line("DESCRIPTION", text(title)),
    trigger,
    line("END", "VALARM"),
  ].join("");
}

export function timeLine(name: string, { allDay, zone, dateZone }: TimesOfIcs, instants: readonly Instant[]): string {
  if (allDay) return line(name, instants.map((at) => dateDigits(toWall(dateZone, at))).join(","), { VALUE: "DATE" });
  if (zone === null) return line(name, instants.map(utcTime).join(","));
  return line(name, instants.map((at) => localTime(toWall(zone, at))).join(","), { TZID: zone });
}

export function recurrenceId({ start, allDay, zone }: IcsRecurrence): string {
  if (allDay) return line("RECURRENCE-ID", dateDigits(toWall(zone, start)), { VALUE: "DATE" });
  if (zone === "UTC") return line("RECURRENCE-ID", utcTime(start));
  return line("RECURRENCE-ID", localTime(toWall(zone, start)), { TZID: zone });
}

/** "20261116T093000" */
export function localTime(wall: Wall): string {
  return new Date(wall).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
}

export function utcTime(instant: Instant): string {
  return `${localTime(instant)}Z`;
}

function dateDigits(wall: Wall): string {
  return dateOf(wall).replaceAll("-", "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 allows no control character but the tab
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/** A TEXT value. */
export function text(value: string): string {
  return value
    .replaceAll(CONTROLS, "")
    .replaceAll("\\", "\\\\")
    .replaceAll(";", "\\;")
    .replaceAll(",", "\\,")
    .replaceAll(/\r\n|\r|\n/g, "\\n");
}

function uri(value: string): string {
  return value.replaceAll(/\s/g, "").replaceAll(CONTROLS, "");
}

export function address({ email }: IcsPerson): string {
  return `mailto:${uri(email)}`;
}

export function commonName({ name }: IcsPerson): Record<string, string> {
  return name ? { CN: name } : {};
}

/** Quotes and line breaks can only be escaped by RFC 6868, which not every program supports. */
function parameter(value: string): string {
  const plain = value
    .replaceAll('"', "'")
    .replaceAll(/[\r\n\t]+/g, " ")
    .replaceAll(CONTROLS, "");
  return /[:;,]/.test(plain) ? `"${plain}"` : plain;
}

/** A content line, folded and terminated. */
export function line(name: string, value: string, parameters: Record<string, string> = {}): string {
  const head = Object.entries(parameters).map(([key, given]) => `;${key}=${parameter(given)}`);
  return fold(`${name}${head.join("")}:${value}`);
}

/** Breaks a line after at most 75 octets, but not within a character. */
function fold(content: string): string {
  let folded = "";
  let octets = 0;
  for (const character of content) {
    const size = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + size > MAX_OCTETS) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return `${folded}\r\n`;
}

function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
