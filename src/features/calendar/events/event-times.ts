import { validationFailed } from "../../../lib/errors.ts";
import { parseRule, RuleError, type Series } from "../../../lib/recurrence.ts";
import {
  DAY_MS,
  dateOf,
  HOUR_MS,
  MINUTE_MS,
  toInstant,
  toWall,
  type Wall,
  wallDay,
  wallOfDate,
} from "../../../lib/time-zone.ts";
import { type EventRow, intervalOf, isSeries } from "./event.ts";
import { LONGEST_EVENT_MS, lengthClassOf } from "./overlap.ts";

const DEFAULT_MINUTES = 30;
const FAR_AWAY = 8_640_000_000_000_000;

/** The times of an event on input: moments, text with an offset, local times in `timeZone`, or dates. */
export interface TimesInput {
  start?: Date | string;
  end?: Date | string;
  durationMinutes?: number;
  allDay?: boolean;
  timeZone?: string;
  rrule?: string | null;
  exdates?: string[];
}

const INPUT_KEYS = ["start", "end", "durationMinutes", "allDay", "timeZone", "rrule", "exdates"] as const;

/** The columns of `current` that say when it takes place, after the change; without `current`, those of a new event. */
export function resolveTimes(input: TimesInput, current?: EventRow) {
  if (current && INPUT_KEYS.every((key) => input[key] === undefined)) return timesOf(current);
  const zone = input.timeZone ?? current?.timeZone ?? "UTC";
  const allDay = input.allDay ?? (current !== undefined && current.startDate !== null);
  const interval = allDay ? wholeDays(input, zone, current) : moments(input, zone, current);
  if (interval.end <= interval.start) throw validationFailed({ path: "end", message: "must be after start" });
  if (interval.end - interval.start > LONGEST_EVENT_MS) {
    throw validationFailed({ path: "end", message: "must be within five years of start" });
  }
  const times = {
    startAt: new Date(interval.start),
    endAt: new Date(interval.end),
    startDate: allDay ? dateOf(toWall(zone, interval.start)) : null,
    endDate: allDay ? dateOf(toWall(zone, interval.end)) : null,
    timeZone: zone,
  };
  const rule = input.rrule === undefined ? (current?.rrule ?? null) : input.rrule;
  if (rule !== null) {
    return { ...times, ...seriesTimes(input, rule, { ...interval, zone, allDay }, current), span: null };
  }
  if (input.exdates?.length) throw validationFailed({ path: "exdates", message: "can only be set with an rrule" });
  const single = { rrule: null, exdates: [], overrides: [], seriesUntil: null, seriesEnd: null };
  return { ...times, ...single, span: lengthClassOf(interval) };
}

function timesOf(row: EventRow) {
  const { startAt, endAt, startDate, endDate, timeZone, span, rrule, exdates, overrides, seriesUntil, seriesEnd } = row;
  return { startAt, endAt, startDate, endDate, timeZone, span, rrule, exdates, overrides, seriesUntil, seriesEnd };
}

function moments(input: TimesInput, zone: string, current: EventRow | undefined) {
  const mustStart = !current || (current.startDate !== null && input.allDay === false);
  if (!input.start && mustStart)
    throw validationFailed({ path: "start", message: "is required for an event with a time" });
  const start = input.start ? momentOf("start", input.start, zone) : (current?.startAt.getTime() ?? 0);
  const before = current && !current.startDate ? current.endAt.getTime() - current.startAt.getTime() : undefined;
  const length = input.durationMinutes ? input.durationMinutes * MINUTE_MS : (before ?? DEFAULT_MINUTES * MINUTE_MS);
  return { start, end: input.end ? momentOf("end", input.end, zone) : start + length };
}

/** Counted in calendar days, which are not always 24 hours long. */
function wholeDays(input: TimesInput, zone: string, current: EventRow | undefined) {
  const days = current && daysOf(current);
  const start = input.start ? dayOf("start", input.start, zone) : days?.start;
  if (start === undefined) throw validationFailed({ path: "start", message: "is required" });
  const before = days ? days.end - days.start : DAY_MS;
  const length = input.durationMinutes ? Math.ceil((input.durationMinutes * MINUTE_MS) / DAY_MS) * DAY_MS : before;
  const end = input.end ? dayOf("end", input.end, zone) : start + length;
  return { start: toInstant(zone, start), end: toInstant(zone, end) };
}

/** The days the event touches, whether or not it fills them. */
function daysOf({ startAt, endAt, timeZone }: EventRow): { start: Wall; end: Wall } {
  const dayAt = (instant: number) => wallDay(toWall(timeZone, instant));
  return { start: dayAt(startAt.getTime()), end: dayAt(endAt.getTime() - 1) + DAY_MS };
}

function momentOf(path: string, value: Date | string, zone: string): number {
  if (typeof value !== "string") return withinYears(path, value.getTime());
  if (isDate(value)) throw validationFailed({ path, message: "needs a time, unless the event is allDay" });
  const isLocal = !/(Z|[+-]\d\d:?\d\d)$/i.test(value);
  return withinYears(path, isLocal ? toInstant(zone, Date.parse(`${value}Z`)) : Date.parse(value));
}

/**
 * The day that a value names. A moment that is the first one of a day in the event's zone means that day, because this
 * API returns all-day events that way; any other moment means the date it is written with.
 */
function dayOf(path: string, value: Date | string, zone: string): Wall {
  const text = typeof value === "string" ? value : value.toISOString();
  if (!isDate(text)) {
    const moment = momentOf(path, text, zone);
    const day = wallDay(toWall(zone, moment));
    if (toInstant(zone, day) === moment) return day;
  }
  const day = wallOfDate(text.slice(0, 10));
  if (Number.isNaN(day)) throw validationFailed({ path, message: "is not a date that exists" });
  return withinYears(path, day);
}

function isDate(text: string): boolean {
  return text.length === 10;
}

function withinYears(path: string, instant: number): number {
  const year = new Date(instant).getUTCFullYear();
  if (!(year >= 1900 && year <= 2999)) throw validationFailed({ path, message: "must be a time from 1900 to 2999" });
  return instant;
}

type FirstOccurrence = Pick<Series, "start" | "end" | "zone" | "allDay">;

function seriesTimes(input: TimesInput, rule: string, first: FirstOccurrence, current: EventRow | undefined) {
  const before = current && isSeries(current) ? current : undefined;
  // The end and the exceptions of a series move with it: same days, same clock time.
  const moved = (start: number) => (before ? moveWithSeries(before, first, start) : start);
  const end = input.rrule === undefined ? before?.seriesUntil?.getTime() : undefined;
  const { rrule, until } = readRule(rule, first, end === undefined ? end : moved(end));
  const exceptionOf = (text: string, index: number) => {
    const path = `exdates.${index}`;
    return first.allDay ? toInstant(first.zone, dayOf(path, text, first.zone)) : momentOf(path, text, first.zone);
  };
  const exdates = input.exdates?.map(exceptionOf) ?? (before?.exdates ?? []).map(moved);
  return {
    rrule,
    exdates: [...new Set(exdates)].sort((a, b) => a - b),
    overrides: (before?.overrides ?? []).map(moved),
    seriesUntil: until === null ? null : new Date(until),
    // One day more, because a clock change can make the last occurrence longer than the first.
    seriesEnd: until === null ? FAR_AWAY : until + (first.end - first.start) + DAY_MS,
  };
}

function readRule(rule: string, first: FirstOccurrence, movedUntil: number | undefined) {
  try {
    return parseRule(rule, first, movedUntil);
  } catch (error) {
    throw error instanceof RuleError ? validationFailed({ path: "rrule", message: error.message }) : error;
  }
}

/** The new start of an occurrence that started at `start`, now that its series has moved. */
function moveWithSeries(before: EventRow, after: { start: number; zone: string }, start: number): number {
  const shift = toWall(after.zone, after.start) - toWall(before.timeZone, intervalOf(before).start);
  return toInstant(after.zone, toWall(before.timeZone, start) + shift);
}

/** No time zone is further from UTC. */
const MAX_OFFSET_MS = 14 * HOUR_MS;

/**
 * Between which moments an event may lie that gets these times, for whoever has not read it yet; null members where its
 * own times decide. Undefined for times that are wrong, and for a series.
 */
export function reachOf({ start, end, durationMinutes, rrule }: TimesInput) {
  const first = start === undefined ? null : spreadOf(start);
  const last = end === undefined ? null : spreadOf(end);
  if (rrule || first === undefined || last === undefined) return undefined;
  return {
    from: first?.earliest ?? null,
    until: first?.latest ?? null,
    end: last?.latest ?? null,
    length: durationMinutes === undefined ? null : durationMinutes * MINUTE_MS,
  };
}

/** Whether a time says by itself which moment it is. */
export const isMoment = (time: Date | string) =>
  typeof time !== "string" || /^[^T]*T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(time);

/** A local time is some moment around the same time in UTC. */
function spreadOf(time: Date | string): { earliest: number; latest: number } | undefined {
  const isUtc = isMoment(time) || !String(time).includes("T");
  const moment = new Date(isUtc ? time : `${time}Z`).getTime();
  if (Number.isNaN(moment)) return undefined;
  const spread = isMoment(time) ? 0 : MAX_OFFSET_MS;
  return { earliest: moment - spread, latest: moment + spread };
}
