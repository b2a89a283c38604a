import ICAL from "ical.js";
import { type AppError, validationFailed } from "../errors.ts";
import { wallOf } from "../rule-times.ts";
import { dateOf, type Instant, offsetAt, toInstant, type Wall, wallDay } from "../time-zone.ts";
import { words } from "../words.ts";
import { timeZoneName } from "../zone-names.ts";
import { WINDOWS_ZONES } from "./windows-zones.ts";
import { definedClocks } from "./zone-offset.ts";

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
    this.#wall = wallOf(time);
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

/** A zone of the IANA database, and what the file says of it if only its clocks told which one it is. */
interface Zone {
  name: string;
  definition?: Component;
}

/** Resolves the zones of a file to IANA names: by their own names, those of Windows included, or by their clocks. */
export class Zones {
  readonly #calendar: Component;
  readonly #homeZone: string;
  readonly #zones = new Map<string, Zone>();
  #identified = 0;

  constructor(calendar: Component, homeZone: string) {
    this.#calendar = calendar;
    this.#homeZone = homeZone;
  }

  read(property: Property): Moment {
    const value = property.getFirstValue();
    const moment = this.#moment(property, value);
    const { name, definition } = this.#zones.get(this.#idOf(property)) ?? {};
    const isThere = !moment.isDate && moment.zone === name;
    if (isThere && definition && value instanceof ICAL.Time) checkClocks(definition, moment, value.year);
    return moment;
  }

  readAll(property: Property): string[] {
    return property.getValues().map((value: unknown) => this.#moment(property, value).text);
  }

  #moment(property: Property, value: unknown): Moment {
    if (!(value instanceof ICAL.Time)) throw invalidCalendar(`${property.name.toUpperCase()} is not a time`);
    const isUtc = value.zone === ICAL.Timezone.utcTimezone;
    return new Moment(value, isUtc ? "UTC" : this.#zoneOf(property, value), isUtc);
  }

  #idOf(property: Property): string {
    return (property.getFirstParameter("tzid") ?? textOf(this.#calendar, "x-wr-timezone", 200) ?? "").trim();
  }

  #zoneOf(property: Property, time: Time): string {
    const id = this.#idOf(property);
    if (time.isDate || !id) return this.#homeZone;
    const zone = this.#zones.get(id) ?? this.#identify(id, time.year);
    this.#zones.set(id, zone);
    return zone.name;
  }

  #identify(id: string, year: number): Zone {
    const definition = this.#calendar
      .getAllSubcomponents("vtimezone")
      .find((candidate) => textOf(candidate, "tzid", 2000) === id);
    const named = ianaName(id) ?? ianaName(definition ? (textOf(definition, "x-lic-location", 200) ?? "") : "");
    if (named) return { name: named };
    const windows = ianaOfWindowsZone(id);
    if (windows && !definition) return { name: windows };
    if (!definition) throw invalidCalendar(`the time zone ${id} is unknown`);
    this.#identified += 1;
    if (this.#identified > MAX_IDENTIFIED) throw invalidCalendar("it defines too many time zones of its own");
    const { changes, offsetAt: defined } = definedClocks(definition, year);
    const agrees = (name: string) => (at: Instant) => offsetAt(name, at) === defined(at);
    const seasons = [0, 3, 6, 9].map((month) => Date.UTC(year, month, 15, 12));
    const hasSeasons = (name: string) => seasons.every(agrees(name));
    // Outlook describes some zones by rules that are a week off in some years, so its name counts more than the days.
    if (windows && hasSeasons(windows)) return { name: windows };
    const aroundChanges = changes.flatMap((at) => [at - 1, at]);
    const isSame = (name: string) => hasSeasons(name) && aroundChanges.every(agrees(name));
    const all = Intl.supportedValuesOf("timeZone");
    const name = KNOWN_ZONES.find(isSame) ?? all.find(isSame) ?? KNOWN_ZONES.find(hasSeasons) ?? all.find(hasSeasons);
    if (!name) throw invalidCalendar(`the time zone ${id} is unknown`);
    return { name, definition };
  }
}

/** A zone that fits most of a year may differ around changes of the clocks: there, no event is better than a wrong one. */
function checkClocks(definition: Component, { instant, zone }: Moment, year: number): void {
  if (definedClocks(definition, year).offsetAt(instant) === offsetAt(zone, instant)) return;
  throw invalidCalendar("a time in it is in a time zone that is unknown");
}

/** Some programs put a path in front: "/example.com/20260101/Europe/Berlin". */
function ianaName(id: string): string | undefined {
  const parts = id.split("/").filter(Boolean);
  // Exchange writes "tzone://Microsoft/Utc".
  if (parts.at(-1)?.toUpperCase() === "UTC") return "UTC";
  const candidates = [id, parts.slice(-2).join("/"), parts.slice(-3).join("/")];
  const known = candidates.filter((name) => name.includes("/") || name === "UTC").map(timeZoneName);
  return known.find((name) => name !== null) ?? undefined;
}

let windowsNames: ReadonlyMap<string, string> | undefined;

/**
 * The zone that Windows knows by this name, or shows as this text: "W. Europe Standard Time" or "(UTC+01:00) Amsterdam,
 * Berlin, Bern, Rome, Stockholm, Vienna".
 */
function ianaOfWindowsZone(id: string): string | undefined {
  windowsNames ??= new Map(
    WINDOWS_ZONES.flatMap(([name, shown, zone]) => [
      [name.toLowerCase(), zone],
      [`(utc) ${shown.toLowerCase()}`, zone],
    ]),
  );
  return windowsNames.get(id.toLowerCase().replace(/^\((?:utc|gmt)[^)]{0,9}\)\s{0,3}/, "(utc) "));
}
