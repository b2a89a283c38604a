import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, toInstant } from "../time-zone.ts";
import { timeZoneName } from "../zone-names.ts";
import { ianaOfWindowsZone } from "./windows-zones.ts";

interface Person {
  name: string | null;
  email: string | null;
}

/** Words of the text: `slice(start, end)`. */
interface Quote {
  text: string;
  start: number;
  end: number;
}

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
}

const DEFAULT_MS = 30 * MINUTE_MS;
const MAX_INVITES = 20;

/** Every event in iCalendar text and in schema.org markup. */
export function invitesIn(text: string, timeZone: string): Invite[] {
  return [...calendarEvents(text, timeZone), ...markedUpEvents(text, timeZone)].slice(0, MAX_INVITES);
}

function calendarEvents(text: string, timeZone: string): Invite[] {
  const invites: Invite[] = [];
  const isCancelled = /^METHOD:CANCEL\s*$/m.test(text.slice(0, 50_000));
  let at = text.indexOf("BEGIN:VEVENT");
  while (at >= 0 && invites.length < MAX_INVITES) {
    const close = text.indexOf("END:VEVENT", at);
    if (close < 0) break;
    const invite = calendarEvent(text, at, close, timeZone, isCancelled);
    if (invite) invites.push(invite);
    at = text.indexOf("BEGIN:VEVENT", close);
  }
  return invites;
}

interface Property {
  name: string;
  parameters: Map<string, string>;
  value: string;
  start: number;
  end: number;
}

function* propertiesOf(text: string, from: number, to: number): Generator<Property> {
  let at = from;
  while (at < to) {
    let end = lineEnd(text, at, to);
    let raw = text.slice(at, end);
    // A line that begins with a space continues the one before (RFC 5545, section 3.1).
    while (end + 1 < to && /[ \t]/.test(text.charAt(nextLine(text, end)))) {
      const next = nextLine(text, end);
      end = lineEnd(text, next, to);
      raw += text.slice(next + 1, end);
    }
    const colon = valueColon(raw);
    if (colon > 0) {
      const [name = "", ...rest] = raw.slice(0, colon).split(";");
      const parameters = new Map(
        rest.map((part) => [
          part.split("=")[0]?.toUpperCase() ?? "",
          part.slice(part.indexOf("=") + 1).replaceAll('"', ""),
        ]),
      );
      yield { name: name.toUpperCase(), parameters, value: raw.slice(colon + 1), start: at, end };
    }
    at = nextLine(text, end);
  }
}

function lineEnd(text: string, at: number, to: number): number {
  const newline = text.indexOf("\n", at);
  const end = newline < 0 || newline > to ? to : newline;
  return end > at && text.charAt(end - 1) === "\r" ? end - 1 : end;
}

function nextLine(text: string, end: number): number {
  return text.charAt(end) === "\r" ? end + 2 : end + 1;
}

/** The colon before the value, not one inside a quoted parameter. */
function valueColon(line: string): number {
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const char = line.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === ":" && !quoted) return at;
  }
  return -1;
}

const unescapeText = (value: string) =>
  value.replace(/\\([nN,;\\])/g, (_, char: string) => (char.toLowerCase() === "n" ? "\n" : char)).trim();

function calendarEvent(text: string, from: number, to: number, timeZone: string, isCancelled: boolean): Invite | null {
  let title = "";
  let location: string | null = null;
  let url: string | null = null;
  let status = "";
  let duration: number | null = null;
  let start: { time: Date; allDay: boolean; zone: string; quote: Quote } | null = null;
  let end: Date | null = null;
  const attendees: Person[] = [];
  for (const property of propertiesOf(text, from, to)) {
    const { name, value } = property;
    if (name === "SUMMARY") title = unescapeText(value);
    else if (name === "LOCATION") location = unescapeText(value) || null;
    else if (name === "STATUS") status = value.trim().toUpperCase();
    else if (name === "URL" || name === "X-GOOGLE-CONFERENCE" || name === "X-MICROSOFT-SKYPETEAMSMEETINGURL")
      url = value.trim();
    else if (name === "DURATION") duration = durationMs(value);
    else if (name === "DTEND") end = timeOf(property, timeZone)?.time ?? null;
    else if (name === "DTSTART") {
      const time = timeOf(property, timeZone);
      if (time)
        start = {
          ...time,
          quote: { text: text.slice(property.start, property.end), start: property.start, end: property.end },
        };
    } else if (name === "ATTENDEE" || name === "ORGANIZER") {
      const email = /^mailto:([^\s@]+@\S+)$/i.exec(value.trim())?.[1]?.toLowerCase() ?? null;
      const person = { name: property.parameters.get("CN") ?? null, email };
      const isSame = (known: Person) => (email ? known.email === email : known.name === person.name);
      if (!attendees.some(isSame)) attendees.push(person);
    }
  }
  if (!start) return null;
  const length = duration ?? (start.allDay ? DAY_MS : DEFAULT_MS);
  const finish = end && end > start.time ? end : new Date(start.time.getTime() + length);
  return {
    title: title || "Meeting",
    start: start.time,
    end: finish,
    allDay: start.allDay,
    timeZone: start.zone,
    location,
    meetingUrl: url,
    attendees,
    cancelled: isCancelled || status === "CANCELLED",
    quote: start.quote,
  };
}

function timeOf(
  { parameters, value }: Property,
  timeZone: string,
): { time: Date; allDay: boolean; zone: string } | null {
  const match = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/.exec(value.trim());
  if (!match) return null;
  const [, year, month, day, hour = "0", minute = "0", second = "0", utc = ""] = match;
  const wall = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const requested = parameters.get("TZID") ?? timeZone;
  const zone = utc ? "UTC" : (timeZoneName(requested) ?? ianaOfWindowsZone(requested) ?? timeZone);
  return { time: new Date(toInstant(zone, wall)), allDay: match[4] === undefined, zone: utc ? timeZone : zone };
}

function durationMs(value: string): number | null {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+S)?)?$/.exec(value.trim());
  if (!match) return null;
  const [, weeks = 0, days = 0, hours = 0, minutes = 0] = match;
  return (Number(weeks) * 7 + Number(days)) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS;
}

const LD_JSON = '<script type="application/ld+json">';

/** schema.org events, as JSON-LD. */
function markedUpEvents(text: string, timeZone: string): Invite[] {
  const invites: Invite[] = [];
  let at = text.indexOf(LD_JSON);
  while (at >= 0 && invites.length < MAX_INVITES) {
    const start = at + LD_JSON.length;
    const end = text.indexOf("</script>", start);
    if (end < 0) break;
    for (const node of nodesOf(text.slice(start, end))) {
      const invite = markedUpEvent(node, { text: text.slice(start, end), start, end }, timeZone);
      if (invite) invites.push(invite);
    }
    at = text.indexOf(LD_JSON, end);
  }
  return invites;
}

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);
const stringOf = (value: unknown): string | null =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : null;

function nodesOf(json: string): Node[] {
  try {
    const parsed: unknown = JSON.parse(json);
    const list: unknown[] = Array.isArray(parsed)
      ? parsed
      : isNode(parsed) && Array.isArray(parsed["@graph"])
        ? parsed["@graph"]
        : [parsed];
    return list.filter(isNode).map((node) => (isNode(node.reservationFor) ? node.reservationFor : node));
  } catch {
    return [];
  }
}

function markedUpEvent(node: Node, quote: Quote, timeZone: string): Invite | null {
  const type = stringOf(node["@type"]);
  const start = momentOf(node.startDate, timeZone);
  if (!type?.endsWith("Event") || !start) return null;
  const end = momentOf(node.endDate, timeZone);
  const place = isNode(node.location)
    ? (stringOf(node.location.name) ?? stringOf(node.location.address))
    : stringOf(node.location);
  const length = start.allDay ? DAY_MS : DEFAULT_MS;
  return {
    title: stringOf(node.name) ?? "Event",
    start: new Date(start.time),
    end: new Date(end && end.time > start.time ? end.time : start.time + length),
    allDay: start.allDay,
    timeZone,
    location: place,
    meetingUrl: isNode(node.location) ? stringOf(node.location.url) : null,
    attendees: [],
    cancelled: stringOf(node.eventStatus)?.endsWith("EventCancelled") ?? false,
    quote,
  };
}

function momentOf(value: unknown, timeZone: string): { time: Instant; allDay: boolean } | null {
  const text = stringOf(value);
  if (!text || !/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const allDay = text.length === 10;
  const isZoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const time = Date.parse(isZoned ? text : `${allDay ? `${text}T00:00:00` : text}Z`);
  if (Number.isNaN(time)) return null;
  return { time: isZoned ? time : toInstant(timeZone, time), allDay };
}
