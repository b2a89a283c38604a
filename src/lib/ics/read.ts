import ICAL from "ical.js";
import { assertType } from "../cast.ts";
import { AppError } from "../errors.ts";
import {
  DAY_MS,
  dateOf,
  type Instant,
  MINUTE_MS,
  offsetAt,
  timeZoneName,
  toInstant,
  type Wall,
  wallDay,
} from "../time-zone.ts";
import { ianaOfWindowsZone } from "./windows-zones.ts";
import type { IcsAttendee, IcsPerson, IcsSubject } from "./write.ts";

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;
type Time = InstanceType<typeof ICAL.Time>;

const MAX_CHARACTERS = 512 * 1024;
/** Each takes up to five statements, and a mail brings up to four files: 800 of the 1,000 an invocation has. */
const MAX_EVENTS = 40;
const DEFAULT_MINUTES = 30;

/** A VEVENT as it was sent. Moments as ISO texts, or dates when it is of whole days. */
export interface InvitedEvent extends IcsSubject {
  uid: string;
  sequence: number;
  stamp: Instant | null;
  /** Which occurrence of the series it is about; null when it is about all of it. */
  recurrenceStart: Instant | null;
  start: string;
  end: string;
  allDay: boolean;
  timeZone: string;
  attendees: IcsAttendee[];
  rrule: string | null;
  exdates: string[];
  comment: string | null;
}

export interface Invitation {
  method: string;
  events: InvitedEvent[];
}

function malformed(reason: string): AppError {
  return new AppError("validation_failed", `The calendar data cannot be used: ${reason}.`, {
    errors: [{ path: "calendar", message: reason }],
  });
}

/**
 * Reads text/calendar as it comes by mail. Dates, and times without a zone, are those of `home`, where its reader
 * lives. Throws when any part of it makes no sense.
 */
export function readInvitation(text: string, home: string): Invitation {
  if (text.length > MAX_CHARACTERS) throw malformed("it is too large");
  const calendar = parse(text);
  const method = String(calendar.getFirstPropertyValue("method") ?? "PUBLISH").toUpperCase();
  const components = calendar.getAllSubcomponents("vevent");
  if (components.length === 0) throw malformed("it holds no event");
  if (components.length > MAX_EVENTS) throw malformed(`it holds more than ${MAX_EVENTS} events`);
  const zones = new Zones(calendar, home);
  const events = components.map((component) => readSafely(component, zones));
  // A series before its occurrences, which need it.
  return { method, events: events.sort((a, b) => (a.recurrenceStart ?? -Infinity) - (b.recurrenceStart ?? -Infinity)) };
}

/** ical.js reads a value when it is asked for, and throws then if it makes no sense. */
function readSafely(component: Component, zones: Zones): InvitedEvent {
  try {
    return readEvent(component, zones);
  } catch (error) {
    throw error instanceof AppError ? error : malformed("a value in it cannot be read");
  }
}

function parse(text: string): Component {
  let root: Component;
  try {
    root = new ICAL.Component(assertType<unknown[]>(ICAL.parse(text.trim())));
  } catch {
    throw malformed("it is not iCalendar");
  }
  if (root.name !== "vcalendar") throw malformed("it is not a calendar");
  return root;
}

function readEvent(component: Component, zones: Zones): InvitedEvent {
  const uid = textOf(component, "uid", 500);
  if (!uid) throw malformed("an event has no UID");
  const startProperty = component.getFirstProperty("dtstart");
  if (!startProperty) throw malformed("an event has no DTSTART");
  const start = zones.read(startProperty);
  const recurrence = component.getFirstProperty("recurrence-id");
  if (recurrence?.getParameter("range")) throw malformed("RECURRENCE-ID with RANGE is not supported");
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
    rrule: recurrence ? null : (component.getFirstPropertyValue("rrule")?.toString() ?? null),
    exdates: recurrence ? [] : component.getAllProperties("exdate").flatMap((property) => zones.readAll(property)),
    comment: textOf(component, "comment", 1000),
  };
}

function endText(component: Component, start: Moment, zones: Zones): string {
  const end = component.getFirstProperty("dtend");
  const duration = component.getFirstPropertyValue("duration");
  const usual = start.isDate ? DAY_MS : DEFAULT_MINUTES * MINUTE_MS;
  const length = duration instanceof ICAL.Duration ? duration.toSeconds() * 1000 : usual;
  if (!end) return start.later(start.isDate ? Math.max(DAY_MS, length) : length || usual);
  const read = zones.read(end);
  if (read.isDate !== start.isDate) throw malformed("DTSTART and DTEND are of different kinds");
  // Some programs write a day's event, or a moment, as one that ends where it begins.
  if (read.text === start.text) return start.later(usual);
  if (read.instant < start.instant) throw malformed("DTEND is before DTSTART");
  return read.text;
}

function textOf(component: Component, name: string, max: number): string | null {
  const value = component.getFirstPropertyValue(name);
  const text = value === null || value === undefined ? "" : String(value).trim();
  return text === "" ? null : [...text].slice(0, max).join("");
}

function sequenceOf(component: Component): number {
  const value = Number(component.getFirstPropertyValue("sequence") ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function urlOf(component: Component): string | null {
  const named = ["conference", "url"].map((name) => textOf(component, name, 2000) ?? "");
  // Many programs write the link to a call where others write the room.
  const inPlace = textOf(component, "location", 1000)?.match(/https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]]/i)?.[0] ?? "";
  return [...named, inPlace].find((text) => /^https?:\/\/\S+$/i.test(text)) ?? null;
}

function statusOf(component: Component): InvitedEvent["status"] {
  const status = textOf(component, "status", 20)?.toLowerCase();
  return status === "tentative" || status === "cancelled" ? status : "confirmed";
}

function personOf(property: Property | null): IcsPerson | null {
  if (!property) return null;
  const email = String(property.getFirstValue())
    .replace(/^mailto:/i, "")
    .trim()
    .toLowerCase();
  if (!/^\S+@\S+$/.test(email)) return null;
  const name = property.getFirstParameter("cn")?.trim();
  return { name: name ? name.slice(0, 200) : null, email };
}

const RESPONSES: Record<string, IcsAttendee["response"]> = {
  ACCEPTED: "accepted",
  DECLINED: "declined",
  TENTATIVE: "tentative",
};

function attendeeOf(property: Property): IcsAttendee[] {
  const person = personOf(property);
  const kind = property.getFirstParameter("cutype")?.toUpperCase();
  if (!person || kind === "ROOM" || kind === "RESOURCE") return [];
  return [
    { ...person, response: RESPONSES[property.getFirstParameter("partstat")?.toUpperCase() ?? ""] ?? "needs_action" },
  ];
}

/** A time of the file, with the zone it was written in. */
class Moment {
  readonly isDate: boolean;
  readonly zone: string;
  readonly #wall: Wall;
  readonly #isUtc: boolean;

  constructor(time: Time, zone: string, isUtc: boolean) {
    this.isDate = time.isDate;
    this.zone = zone;
    this.#isUtc = isUtc;
    this.#wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
    if (Number.isNaN(this.#wall)) throw malformed("a time in it is not one");
  }

  get instant(): Instant {
    return this.instantIn(this.zone);
  }

  /** A date has no zone of its own: it means the day where the event is. */
  instantIn(zone: string): Instant {
    if (this.isDate) return toInstant(zone, wallDay(this.#wall));
    return this.#isUtc ? this.#wall : toInstant(this.zone, this.#wall);
  }

  get text(): string {
    return this.isDate ? dateOf(this.#wall) : new Date(this.instant).toISOString();
  }

  later(ms: number): string {
    return this.isDate ? dateOf(this.#wall + ms) : new Date(this.instant + ms).toISOString();
  }
}

/** Tried first when a zone has to be told by its clocks, so that the name is one people know. */
const KNOWN_ZONES = [
  "Europe/Berlin",
  "Europe/London",
  "Europe/Athens",
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Asia/Kolkata",
  "Asia/Shanghai",
  "Asia/Tokyo",
  "Australia/Sydney",
];

/**
 * The zones a file speaks of, by IANA name where it has one; where not, as with Outlook's, by their clocks, or
 * when the file does not describe those, by what Windows means by the name.
 */
class Zones {
  readonly #calendar: Component;
  readonly #home: string;
  readonly #names = new Map<string, string>();

  constructor(calendar: Component, home: string) {
    this.#calendar = calendar;
    this.#home = home;
  }

  read(property: Property): Moment {
    return this.#moment(property, property.getFirstValue());
  }

  readAll(property: Property): string[] {
    return property.getValues().map((value: unknown) => this.#moment(property, value).text);
  }

  #moment(property: Property, value: unknown): Moment {
    if (!(value instanceof ICAL.Time)) throw malformed(`${property.name.toUpperCase()} is not a time`);
    const isUtc = value.zone === ICAL.Timezone.utcTimezone;
    return new Moment(value, isUtc ? "UTC" : this.#zoneOf(property, value), isUtc);
  }

  #zoneOf(property: Property, time: Time): string {
    const id = property.getFirstParameter("tzid") ?? textOf(this.#calendar, "x-wr-timezone", 200);
    if (time.isDate || !id) return this.#home;
    let name = this.#names.get(id);
    if (!name) {
      name = ianaName(id) ?? this.#byClocks(id, time.year);
      this.#names.set(id, name);
    }
    return name;
  }

  #byClocks(id: string, year: number): string {
    const component = this.#calendar
      .getAllSubcomponents("vtimezone")
      .find((candidate) => candidate.getFirstPropertyValue("tzid") === id);
    if (!component) {
      const known = ianaOfWindowsZone(id);
      if (!known) throw malformed(`the time zone ${id} is not known`);
      return known;
    }
    const named = ianaName(String(component.getFirstPropertyValue("x-lic-location") ?? ""));
    if (named) return named;
    const zone = new ICAL.Timezone({ component, tzid: id });
    const probes = [1, 4, 7, 10].map((month) => {
      const time = ICAL.Time.fromData({ year, month, day: 15, hour: 12, minute: 0, second: 0 }, zone);
      return { instant: time.toUnixTime() * 1000, offset: zone.utcOffset(time) * 1000 };
    });
    const fits = (name: string) => probes.every(({ instant, offset }) => offsetAt(name, instant) === offset);
    const found = KNOWN_ZONES.find(fits) ?? Intl.supportedValuesOf("timeZone").find(fits);
    if (!found) throw malformed(`the time zone ${id} is not known`);
    return found;
  }
}

/** Some programs put a path before the name: "/example.com/20260101/Europe/Berlin". */
function ianaName(id: string): string | undefined {
  const parts = id.split("/").filter(Boolean);
  const candidates = [id, parts.slice(-2).join("/"), parts.slice(-3).join("/")];
  const known = candidates.filter((name) => name.includes("/") || name === "UTC").map(timeZoneName);
  return known.find((name) => name !== null) ?? undefined;
}
