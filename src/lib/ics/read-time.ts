import ICAL from "ical.js";
import { type AppError, validationFailed } from "../errors.ts";
import { dateOf, type Instant, offsetAt, toInstant, type Wall, wallDay } from "../time-zone.ts";
import { words } from "../words.ts";
import { timeZoneName } from "../zone-names.ts";
import { ianaOfWindowsZone } from "./windows-zones.ts";
import { definedOffsets } from "./zone-offset.ts";

type Component = InstanceType<typeof ICAL.Component>;
type Property = InstanceType<typeof ICAL.Property>;
type Time = InstanceType<typeof ICAL.Time>;

export function invalidCalendar(reason: string): AppError {
  return validationFailed({ path: "calendar", message: `is not valid: ${reason}` });
}

export function textOf(component: Component, name: string, max: number): string | null {
  const value = component.getFirstPropertyValue(name);
  const text = value === null || value === undefined ? "" : String(value).trim();
  return text === "" ? null : [...text].slice(0, max).join("");
}

/** A date or time of the file, with its zone. */
export class Moment {
  readonly isDate: boolean;
  readonly zone: string;
  readonly #wall: Wall;
  readonly #isUtc: boolean;

  constructor(time: Time, zone: string, isUtc: boolean) {
    this.isDate = time.isDate;
    this.zone = zone;
    this.#isUtc = isUtc;
    this.#wall = Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
    if (Number.isNaN(this.#wall)) throw invalidCalendar("a time in it is not one");
  }

  get instant(): Instant {
    return this.instantIn(this.zone);
  }

  /** A date has no zone of its own: it means that day in the event's zone. */
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

/** Tried first when a zone is identified by its offsets, so that the result is a well-known name. */
const KNOWN_ZONES = words(
  "Europe/Berlin Europe/London Europe/Athens America/New_York America/Chicago America/Denver America/Los_Angeles America/Sao_Paulo Asia/Kolkata Asia/Shanghai Asia/Tokyo Australia/Sydney",
);

/** An event has one or two. To identify a zone means to ask hundreds of others for their offsets. */
const MAX_IDENTIFIED = 5;

/**
 * Resolves the zones of a file to IANA names. A zone with another name, as in files from Outlook, is identified by the
 * offsets that the file defines, or by its Windows name.
 */
export class Zones {
  readonly #calendar: Component;
  readonly #homeZone: string;
  readonly #names = new Map<string, string>();
  #identified = 0;

  constructor(calendar: Component, homeZone: string) {
    this.#calendar = calendar;
    this.#homeZone = homeZone;
  }

  read(property: Property): Moment {
    return this.#moment(property, property.getFirstValue());
  }

  readAll(property: Property): string[] {
    return property.getValues().map((value: unknown) => this.#moment(property, value).text);
  }

  #moment(property: Property, value: unknown): Moment {
    if (!(value instanceof ICAL.Time)) throw invalidCalendar(`${property.name.toUpperCase()} is not a time`);
    const isUtc = value.zone === ICAL.Timezone.utcTimezone;
    return new Moment(value, isUtc ? "UTC" : this.#zoneOf(property, value), isUtc);
  }

  #zoneOf(property: Property, time: Time): string {
    const id = property.getFirstParameter("tzid") ?? textOf(this.#calendar, "x-wr-timezone", 200);
    if (time.isDate || !id) return this.#homeZone;
    let name = this.#names.get(id);
    if (!name) {
      name = ianaName(id) ?? this.#byOffsets(id, time.year);
      this.#names.set(id, name);
    }
    return name;
  }

  #byOffsets(id: string, year: number): string {
    const component = this.#calendar
      .getAllSubcomponents("vtimezone")
      .find((candidate) => candidate.getFirstPropertyValue("tzid") === id);
    if (!component) {
      const known = ianaOfWindowsZone(id);
      if (!known) throw invalidCalendar(`the time zone ${id} is unknown`);
      return known;
    }
    const named = ianaName(String(component.getFirstPropertyValue("x-lic-location") ?? ""));
    if (named) return named;
    this.#identified += 1;
    if (this.#identified > MAX_IDENTIFIED) throw invalidCalendar("it defines too many time zones of its own");
    const probes = [0, 3, 6, 9].map((month) => Date.UTC(year, month, 15, 12));
    const offsets = definedOffsets(component, year, probes);
    const fits = (name: string) => probes.every((instant, index) => offsetAt(name, instant) === offsets[index]);
    const found = KNOWN_ZONES.find(fits) ?? Intl.supportedValuesOf("timeZone").find(fits);
    if (!found) throw invalidCalendar(`the time zone ${id} is unknown`);
    return found;
  }
}

/** Some programs put a path in front: "/example.com/20260101/Europe/Berlin". */
function ianaName(id: string): string | undefined {
  const parts = id.split("/").filter(Boolean);
  const candidates = [id, parts.slice(-2).join("/"), parts.slice(-3).join("/")];
  const known = candidates.filter((name) => name.includes("/") || name === "UTC").map(timeZoneName);
  return known.find((name) => name !== null) ?? undefined;
}
