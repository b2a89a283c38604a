import { AppError, type FieldError } from "../../../lib/errors.ts";
import { parseRule, RuleError } from "../../../lib/recurrence.ts";
import {
  DAY_MS,
  dateOf,
  MINUTE_MS,
  toInstant,
  toWall,
  type Wall,
  wallDay,
  wallOfDate,
} from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, isSeries } from "./event.ts";
import { LONGEST_EVENT_MS, spanOf } from "./overlap.ts";

const DEFAULT_MINUTES = 30;
const FAR_AWAY = 8_640_000_000_000_000;

/** When an event is, as a client says it: moments with an offset, local times in `timeZone`, or dates. */
export interface When {
  start?: string;
  end?: string;
  durationMinutes?: number;
  allDay?: boolean;
  timeZone?: string;
  rrule?: string | null;
  exdates?: string[];
}

const WHEN_KEYS = ["start", "end", "durationMinutes", "allDay", "timeZone", "rrule", "exdates"] as const;

export type Placement = Pick<
  EventRow,
  | "startAt"
  | "endAt"
  | "startDate"
  | "endDate"
  | "timeZone"
  | "span"
  | "rrule"
  | "exdates"
  | "overrides"
  | "seriesUntil"
  | "seriesEnd"
>;

/** Works out when a new event is, or when `current` is after the change. */
export function place(when: When & { start: string }): Placement;
export function place(when: When, current: EventRow | undefined): Placement;
export function place(when: When, current?: EventRow): Placement {
  if (current && WHEN_KEYS.every((key) => when[key] === undefined)) return current;
  const zone = when.timeZone ?? current?.timeZone ?? "UTC";
  const allDay = when.allDay ?? (current !== undefined && current.startDate !== null);
  const interval = allDay ? placeDates(when, zone, current) : placeMoments(when, zone, current);
  if (interval.end <= interval.start) throw broken("end", "must be after start");
  if (interval.end - interval.start > LONGEST_EVENT_MS) throw broken("end", "an event lasts at most five years");
  const times = {
    startAt: new Date(interval.start),
    endAt: new Date(interval.end),
    startDate: allDay ? dateOf(toWall(zone, interval.start)) : null,
    endDate: allDay ? dateOf(toWall(zone, interval.end)) : null,
    timeZone: zone,
  };
  const rule = when.rrule === undefined ? (current?.rrule ?? null) : when.rrule;
  if (rule === null) {
    if (when.exdates && when.exdates.length > 0) throw broken("exdates", "only a series with `rrule` has them");
    return {
      ...times,
      span: spanOf(interval),
      rrule: null,
      exdates: [],
      overrides: [],
      seriesUntil: null,
      seriesEnd: null,
    };
  }
  return { ...times, ...placeSeries(when, rule, { ...interval, zone, allDay }, current), span: null };
}

function placeMoments(when: When, zone: string, current: EventRow | undefined) {
  if (!when.start && current?.startDate && when.allDay === false) throw broken("start", "needed to give it a time");
  const start = when.start ? momentOf("start", when.start, zone) : current?.startAt.getTime();
  if (start === undefined) throw broken("start", "is required");
  const usual = current && !current.startDate ? current.endAt.getTime() - current.startAt.getTime() : undefined;
  const length = when.durationMinutes ? when.durationMinutes * MINUTE_MS : (usual ?? DEFAULT_MINUTES * MINUTE_MS);
  return { start, end: when.end ? momentOf("end", when.end, zone) : start + length };
}

/** Reckoned in days of the calendar, which are not always 24 hours long. */
function placeDates(when: When, zone: string, current: EventRow | undefined) {
  const days = current && daysOf(current);
  const start = when.start ? dayOf("start", when.start, zone) : days?.start;
  if (start === undefined) throw broken("start", "is required");
  const usual = days ? days.end - days.start : DAY_MS;
  const length = when.durationMinutes ? Math.ceil((when.durationMinutes * MINUTE_MS) / DAY_MS) * DAY_MS : usual;
  const end = when.end ? dayOf("end", when.end, zone) : start + length;
  return { start: toInstant(zone, start), end: toInstant(zone, end) };
}

/** The days it has a part in, whether or not it takes up the whole of them. */
function daysOf({ startAt, endAt, timeZone }: EventRow): { start: Wall; end: Wall } {
  const dayAt = (instant: number) => wallDay(toWall(timeZone, instant));
  return { start: dayAt(startAt.getTime()), end: dayAt(endAt.getTime() - 1) + DAY_MS };
}

function momentOf(path: string, text: string, zone: string): number {
  if (isDate(text)) throw broken(path, "needs a time, unless the event is allDay");
  const isLocal = !/(Z|[+-]\d\d:?\d\d)$/i.test(text);
  return inReach(path, isLocal ? toInstant(zone, Date.parse(`${text}Z`)) : Date.parse(text));
}

/**
 * The day a text names. A moment that is the very start of a day in the event's zone means that day, as this
 * service writes it; any other moment means the date it is written with.
 */
function dayOf(path: string, text: string, zone: string): Wall {
  if (!isDate(text)) {
    const wall = toWall(zone, momentOf(path, text, zone));
    if (toInstant(zone, wallDay(wall)) === momentOf(path, text, zone)) return wallDay(wall);
  }
  const day = wallOfDate(text.slice(0, 10));
  if (Number.isNaN(day)) throw broken(path, "is not a date");
  return inReach(path, day);
}

function isDate(text: string): boolean {
  return text.length === 10;
}

function inReach(path: string, instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  if (!(year >= 1900 && year <= 2999)) throw broken(path, "must be a time from 1900 to 2999");
  return instant;
}

type Frame = { start: number; end: number; zone: string; allDay: boolean };

function placeSeries(when: When, text: string, frame: Frame, current: EventRow | undefined) {
  const before = current && isSeries(current) ? current : undefined;
  // A series that moves takes its end and its exceptions with it: the same days, by the same clock.
  const moved = (start: number) => (before ? moveWith(before, frame, start) : start);
  const end = when.rrule === undefined ? before?.seriesUntil?.getTime() : undefined;
  const { rrule, until } = readRule(text, frame, end === undefined ? end : moved(end));
  const exdates = when.exdates
    ? when.exdates.map((text, index) => exceptionOf(`exdates.${index}`, text, frame))
    : (before?.exdates ?? []).map(moved);
  return {
    rrule,
    exdates: [...new Set(exdates)].sort((a, b) => a - b),
    overrides: (before?.overrides ?? []).map(moved),
    seriesUntil: until === null ? null : new Date(until),
    // A day more, since the last occurrence can be longer than the first by a clock change.
    seriesEnd: until === null ? FAR_AWAY : until + (frame.end - frame.start) + DAY_MS,
  };
}

function exceptionOf(path: string, text: string, { zone, allDay }: Frame): number {
  return allDay ? toInstant(zone, dayOf(path, text, zone)) : momentOf(path, text, zone);
}

function readRule(text: string, frame: Frame, movedUntil: number | undefined) {
  try {
    return parseRule(text, frame, movedUntil);
  } catch (error) {
    throw error instanceof RuleError ? broken("rrule", error.message) : error;
  }
}

/** Where an occurrence that started at `start` starts now that its series has moved. */
function moveWith(before: EventRow, after: { start: number; zone: string }, start: number): number {
  const shift = toWall(after.zone, after.start) - toWall(before.timeZone, intervalOf(before).start);
  return toInstant(after.zone, toWall(before.timeZone, start) + shift);
}

export function broken(path: string, message: string): AppError {
  const errors: FieldError[] = [{ path, message }];
  return new AppError("validation_failed", `${path}: ${message}`, { errors });
}
