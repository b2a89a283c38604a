import ICAL from "ical.js";
import { assertType } from "../cast.ts";
import { AppError } from "../errors.ts";
import { withoutTrailing } from "../text.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "../time-zone.ts";
import { invalidCalendar, type Moment, textOf, Zones } from "./read-time.ts";
import type { IcsAttendee, IcsPerson, IcsSubject } from "./write.ts";

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;

const MAX_CHARACTERS = 512 * 1024;
/** Each takes up to five statements and an email has up to four files: 800 of the 1,000 statements of an invocation. */
const MAX_EVENTS = 40;
/** Each takes as long as its rule asks for. */
const MAX_SERIES = 10;
/** As many as the API accepts. Every list of the calendar reads them. */
const MAX_EXCEPTIONS = 1000;
const DEFAULT_MINUTES = 30;

/** A VEVENT. Its times are ISO text, or dates for an all-day event. */
export interface InvitedEvent extends IcsSubject {
  uid: string;
  sequence: number;
  stamp: Instant | null;
  /** The occurrence that it is about; null for a single event or a whole series. */
  recurrenceStart: Instant | null;
  start: string;
  end: string;
  allDay: boolean;
  timeZone: string;
  attendees: IcsAttendee[];
  /** Everyone it names, also without an address: attendees and organizer. */
  people: { name: string | null; email: string | null }[];
  rrule: string | null;
  exdates: string[];
  /** Dates beyond those of its rule (RDATE), which the calendar cannot hold. */
  furtherDates: number;
  comment: string | null;
}

interface Invitation {
  method: string;
  events: InvitedEvent[];
}

/** How a calendar came. What is in an email is limited, and what is in a text needs no identity. */
type WayIn = "email" | "file" | "text";

/**
 * Reads a calendar, whichever way it came. Dates and times without a zone are in `homeZone`. Throws if any part is
 * invalid.
 */
export function readInvitation(text: string, homeZone: string, way: WayIn = "email"): Invitation {
  if (text.length > MAX_CHARACTERS) throw invalidCalendar("it is too large");
  const calendar = parse(text);
  const method = String(calendar.getFirstPropertyValue("method") ?? "PUBLISH").toUpperCase();
  const components = calendar.getAllSubcomponents("vevent");
  if (components.length === 0) throw invalidCalendar("it contains no event");
  // Files and texts are split before.
  if (components.length > MAX_EVENTS && way === "email")
    throw invalidCalendar(`it contains more than ${MAX_EVENTS} events`);
  const series = components.filter((component) => component.hasProperty("rrule")).length;
  if (series > MAX_SERIES && way === "email") throw invalidCalendar(`it contains more than ${MAX_SERIES} series`);
  const zones = new Zones(calendar, homeZone);
  const events = components.map((component) => readSafely(component, zones, way));
  // A series comes before its occurrences, because they refer to it.
  return { method, events: events.sort((a, b) => (a.recurrenceStart ?? -Infinity) - (b.recurrenceStart ?? -Infinity)) };
}

/** ical.js parses a value when it is first read, and only then throws if it is invalid. */
function readSafely(component: Component, zones: Zones, way: WayIn): InvitedEvent {
  try {
    return readEvent(component, zones, way);
  } catch (error) {
    throw error instanceof AppError ? error : invalidCalendar("a value in it cannot be read");
  }
}

function parse(text: string): Component {
  let root: Component;
  try {
    root = new ICAL.Component(assertType<unknown[]>(ICAL.parse(text.trim())));
  } catch {
    throw invalidCalendar("it is not iCalendar");
  }
  if (root.name !== "vcalendar") throw invalidCalendar("it is not a calendar");
  return root;
}

function readEvent(component: Component, zones: Zones, way: WayIn): InvitedEvent {
  const uid = textOf(component, "uid", 500) ?? "";
  if (!uid && way !== "text") throw invalidCalendar("an event has no UID");
  const startProperty = component.getFirstProperty("dtstart");
  if (!startProperty) throw invalidCalendar("an event has no DTSTART");
  const start = zones.read(startProperty);
  const recurrence = component.getFirstProperty("recurrence-id");
  if (recurrence?.getParameter("range")) throw invalidCalendar("RECURRENCE-ID with RANGE is not supported");
  const stamp = component.getFirstProperty("dtstamp");
  return {
    uid,
    sequence: sequenceOf(component),
    stamp: stamp ? zones.read(stamp).instant : null,
    recurrenceStart: recurrence ? zones.read(recurrence).instantIn(start.zone) : null,
    start: start.text,
    end: endText(component, start, zones),
    allDay: start.isDate,
    timeZone: start.zone,
    title: textOf(component, "summary", 500) ?? "Untitled",
    description: textOf(component, "description", 20_000),
    location: textOf(component, "location", 1000),
    url: urlOf(component),
    status: statusOf(component),
    busy: textOf(component, "transp", 20)?.toUpperCase() !== "TRANSPARENT",
    organizer: personOf(component.getFirstProperty("organizer")),
    attendees: component.getAllProperties("attendee").flatMap(attendeeOf),
    people: peopleIn(component),
    rrule: recurrence ? null : (component.getFirstPropertyValue("rrule")?.toString() ?? null),
    exdates: recurrence ? [] : exceptionsOf(component, zones),
    furtherDates: component.getAllProperties("rdate").flatMap((property) => property.getValues()).length,
    comment: textOf(component, "comment", 1000),
  };
}

function exceptionsOf(component: Component, zones: Zones): string[] {
  const starts = component.getAllProperties("exdate").flatMap((property) => zones.readAll(property));
  if (starts.length > MAX_EXCEPTIONS) throw invalidCalendar(`an event has more than ${MAX_EXCEPTIONS} exceptions`);
  return starts;
}

function endText(component: Component, start: Moment, zones: Zones): string {
  const end = component.getFirstProperty("dtend");
  const duration = component.getFirstPropertyValue("duration");
  const usual = start.isDate ? DAY_MS : DEFAULT_MINUTES * MINUTE_MS;
  const length = duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : usual;
  if (!end) return start.later(start.isDate ? Math.max(DAY_MS, length) : length || usual);
  const read = zones.read(end);
  if (read.isDate !== start.isDate) throw invalidCalendar("DTSTART and DTEND are of different kinds");
  // Some programs write an event that ends when it starts.
  if (read.text === start.text) return start.later(usual);
  if (read.instant < start.instant) throw invalidCalendar("DTEND is before DTSTART");
  return read.text;
}

function sequenceOf(component: Component): number {
  const value = Number(component.getFirstPropertyValue("sequence") ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Where programs put the link to a call. */
const CALL_LINKS = ["conference", "x-google-conference", "x-microsoft-skypeteamsmeetingurl", "url"];

function urlOf(component: Component): string | null {
  const named = CALL_LINKS.map((name) => textOf(component, name, 2000) ?? "");
  // Many programs put the link to a call into the location.
  const found = textOf(component, "location", 1000)?.match(/https?:\/\/[^\s<>"]+/i)?.[0] ?? "";
  const inPlace = withoutTrailing(found, /[.,;:!?)\]]/);
  return [...named, inPlace].find((text) => /^https?:\/\/\S+$/i.test(text)) ?? null;
}

function statusOf(component: Component): InvitedEvent["status"] {
  const status = textOf(component, "status", 20)?.toLowerCase();
  return status === "tentative" || status === "cancelled" ? status : "confirmed";
}

function personOf(property: Property | null): IcsPerson | null {
  if (!property) return null;
  const { name, email } = namedBy(property);
  return email === null ? null : { name, email };
}

function namedBy(property: Property): InvitedEvent["people"][number] {
  const email = String(property.getFirstValue())
    .replace(/^mailto:/i, "")
    .trim()
    .toLowerCase();
  const name = property.getFirstParameter("cn")?.trim();
  return { name: name ? name.slice(0, 200) : null, email: /^[^\s@]+@\S+$/.test(email) ? email : null };
}

function peopleIn(component: Component): InvitedEvent["people"] {
  const properties = ["attendee", "organizer"].flatMap((name) => component.getAllProperties(name));
  const people = properties.filter((property) => !isRoom(property)).map(namedBy);
  return [...new Map(people.map((person) => [person.email ?? `name ${person.name}`, person])).values()];
}

function isRoom(property: Property): boolean {
  return /^(?:room|resource)$/i.test(property.getFirstParameter("cutype") ?? "");
}

const RESPONSES: Record<string, IcsAttendee["response"]> = {
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "tentative",
};

function attendeeOf(property: Property): IcsAttendee[] {
  const person = personOf(property);
  if (!person || isRoom(property)) return [];
  return [
    { ...person, response: RESPONSES[property.getFirstParameter("partstat")?.toUpperCase() ?? ""] ?? "needs_action" },
  ];
}
