import { DAY_MS, dateOf, toInstant, toWall } from "../../lib/time-zone.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { getEvent } from "../calendar/events/service.ts";
import { instantOf } from "./moment.ts";
import type { ToolContext } from "./tool.ts";

export const startOf = (occurrence: string | undefined) =>
  occurrence === undefined ? undefined : new Date(occurrence);

/** The event, or the occurrence of it, that a write may change. */
export function which({ expected }: ToolContext, occurrence: string | undefined) {
  return {
    ...(occurrence !== undefined && { occurrence: new Date(occurrence) }),
    ...(expected && { expected }),
  };
}

interface Move {
  id?: number | undefined;
  occurrence?: string | undefined;
  end?: string | undefined;
  durationMinutes?: number | undefined;
  start?: string | undefined;
  time?: string | undefined;
  shiftMinutes?: number | undefined;
}

const DAY_MINUTES = 24 * 60;

/** Keeps the local time of the event, also across a change of daylight saving time. */
function inDays({ start, allDay, timeZone }: CalendarEvent, days: number): { start: string } {
  const wall = toWall(timeZone, Date.parse(start)) + days * DAY_MS;
  return { start: allDay ? dateOf(wall) : new Date(toInstant(timeZone, wall)).toISOString() };
}

const WEEK_DAYS = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const ONE_WEEK_DAY = /^(?:RRULE:)?FREQ=WEEKLY(?:;INTERVAL=\d+)?;BYDAY=(?:MO|TU|WE|TH|FR|SA|SU)$/i;

/** A series of one weekday repeats on the day that it is moved to. */
function newRule({ rrule, timeZone }: CalendarEvent, start: string | undefined, isSeries: boolean) {
  if (!isSeries || start === undefined || !rrule || !ONE_WEEK_DAY.test(rrule)) return {};
  const day = new Date(start.length > 10 ? toWall(timeZone, Date.parse(start)) : Date.parse(start)).getUTCDay();
  const moved = rrule.replace(/BYDAY=\w\w$/i, `BYDAY=${WEEK_DAYS[day]}`);
  return moved === rrule ? {} : { rrule: moved };
}

export async function newTimes(context: ToolContext, move: Move) {
  const { end, durationMinutes, id = 0, occurrence } = move;
  const event = await getEvent(context.ctx, id, startOf(occurrence));
  const moved = newStart(context, event, move);
  return {
    ...moved,
    ...newRule(event, moved.start, occurrence === undefined),
    ...(end !== undefined && { end: instantOf(end, context.timeZone).toISOString() }),
    ...(durationMinutes !== undefined && { durationMinutes }),
  };
}

/** A date alone keeps the time of day, a time alone keeps the day. */
function newStart(
  { timeZone }: ToolContext,
  event: CalendarEvent,
  { start, time, shiftMinutes }: Move,
): { start?: string; allDay?: boolean } {
  const timed = (text: string) => ({
    start: instantOf(text, timeZone).toISOString(),
    ...(event.allDay && { allDay: false }),
  });
  const before = new Date(toWall(timeZone, Date.parse(event.start))).toISOString();
  if (shiftMinutes !== undefined && shiftMinutes % DAY_MINUTES === 0) return inDays(event, shiftMinutes / DAY_MINUTES);
  if (shiftMinutes !== undefined) return timed(new Date(Date.parse(event.start) + shiftMinutes * 60_000).toISOString());
  if (time !== undefined) return timed(`${before.slice(0, 10)}T${time}:00`);
  if (start === undefined) return {};
  if (start.length > 10) return timed(start);
  return event.allDay ? { start } : timed(`${start}${before.slice(10, 19)}`);
}
