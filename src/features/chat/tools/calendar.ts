import * as z from "zod";
import { assertType } from "../../../lib/cast.ts";
import { DAY_MS, dateOf, toInstant, toWall } from "../../../lib/time-zone.ts";
import { dailyBrief } from "../../brief/service.ts";
import type { NewEvent } from "../../calendar/events/changes.ts";
import type { CalendarEvent } from "../../calendar/events/event.ts";
import { listEvents } from "../../calendar/events/list.ts";
import type { EventFilter } from "../../calendar/events/schemas.ts";
import { createEvent, getEvent, previewUpdate, updateEvent } from "../../calendar/events/service.ts";
import { freeSlots } from "../../calendar/free-time/service.ts";
import { timeStyleOf } from "../../people/speaking.ts";
import { findEvent, matchingEvents } from "./find-record.ts";
import { previewCancel, previewMove, previewNewEvent } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf } from "./reminder-input.ts";
import { defineTool, Id, instantOf, isOutside, Match, Moment, NEVER_UNTRUSTED, type ToolContext } from "./tool.ts";

type SharedFields = Pick<
  CalendarEvent,
  "title" | "start" | "end" | "allDay" | "location" | "status" | "busy" | "source" | "outside" | "version"
>;

export interface EventView extends SharedFields {
  id: number;
  /** For one occurrence of a series: identifies it. */
  occurrence: string | null;
  attendees: string[];
}

export function eventView(event: CalendarEvent): EventView {
  const { id, originalStart, recurringEventId, title, start, end, allDay, location, status } = event;
  const { busy, source, outside, version } = event;
  const shared = { title, start, end, allDay, location, status, busy, source, outside, version };
  const attendees = event.attendees.slice(0, 10).map(({ name, email }) => name ?? email);
  return { id: recurringEventId ?? id, occurrence: originalStart, ...shared, attendees };
}

interface Conflicting {
  conflicts: { title: string; start: string; end: string; outside: boolean }[];
}

export type WrittenView = EventView & Conflicting;

export function writtenView(event: CalendarEvent & Conflicting): WrittenView {
  const conflicts = event.conflicts
    .slice(0, 5)
    .map(({ title, start, end, outside }) => ({ title, start, end, outside }));
  return { ...eventView(event), conflicts };
}

const hasOutsideConflicts = ({ conflicts }: Conflicting) => conflicts.some(isOutside);
export const isWrittenUntrusted = (event: WrittenView) => isOutside(event) || hasOutsideConflicts(event);

export const eventRef = {
  id: Id.optional(),
  occurrence: z.iso.datetime({ offset: true }).optional().describe("For a series: which occurrence."),
  match: Match.optional().describe("Words of its title or attendees, if you do not know its id."),
  from: Moment.optional().describe("With match: only events after this."),
  until: Moment.optional().describe("With match: only events before this."),
};
export const named = { error: "give id, match or from and until", path: ["id"] };
export const isNamed = (given: { id?: unknown; match?: unknown; from?: unknown }) =>
  given.id !== undefined || given.match !== undefined || given.from !== undefined;

const LIST_DAYS = 7;

const listEventsTool = defineTool({
  name: "list_events",
  description: "List the person's events between two times, by start. Default: the next 7 days.",
  input: z.object({
    start: Moment.optional(),
    end: Moment.optional(),
    match: Match.optional().describe("Only events with these words in title or attendees."),
    limit: z.int().min(1).max(50).default(25),
  }),
  scopes: ["calendar:read"],
  writes: false,
  returnsUntrusted: ({ events }) => events.some(isOutside),
  async run({ ctx, timeZone }, { start, end, match, limit }) {
    if (match !== undefined) {
      const named = await matchingEvents({ ctx, timeZone }, { match, from: start, until: end });
      return { events: named.slice(0, limit).map(eventView), more: named.length > limit };
    }
    const from = start === undefined ? ctx.now : instantOf(start, timeZone);
    const until = end === undefined ? new Date(from.getTime() + LIST_DAYS * DAY_MS) : instantOf(end, timeZone);
    const query: EventFilter = { start: from, end: until, limit, status: ["tentative", "confirmed"] };
    const { data, nextCursor } = await listEvents(ctx, query);
    return { events: data.map(eventView), more: nextCursor !== null };
  },
});

const createEventTool = defineTool({
  name: "create_event",
  description: "Add an event to the calendar. Returns the events it overlaps with.",
  input: z
    .object({
      title: z.string().trim().min(1).max(500),
      start: Moment.describe("A date, if allDay."),
      end: Moment.optional(),
      durationMinutes: z.int().min(1).max(44_640).optional(),
      allDay: z.boolean().optional(),
      busy: z.boolean().optional().describe("Whether it blocks its time. Default: true, or false if allDay."),
      location: z.string().trim().max(500).optional(),
      description: z.string().max(5000).optional(),
      attendees: z.array(z.email()).max(20).optional(),
      rrule: z.string().max(200).optional().describe("An RFC 5545 RRULE, if it repeats."),
      reminders: RemindersInput.describe(REMINDERS_TEXT),
    })
    .refine(({ end, durationMinutes }) => end === undefined || durationMinutes === undefined, {
      error: "give end or durationMinutes, not both",
      path: ["end"],
    }),
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  // A new event has no words but those of this call.
  returnsUntrusted: hasOutsideConflicts,
  preview: (context, input) => previewNewEvent(context, newEventOf(context, input)),
  run: async (context, input) => writtenView((await createEvent(context.ctx, newEventOf(context, input))).event),
});

interface NewEventInput {
  attendees?: string[] | undefined;
  reminders?: RemindersInput;
}

function newEventOf({ timeZone }: ToolContext, { attendees = [], reminders, ...input }: NewEventInput) {
  const people = attendees.map((email) => ({ name: null, email, response: "needs_action" as const }));
  const own = { ...input, ...remindersOf(reminders, timeZone) };
  return assertType<NewEvent>({ ...own, attendees: people, timeZone, source: "chat" });
}

const startOf = (occurrence: string | undefined) => (occurrence === undefined ? undefined : new Date(occurrence));

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

async function newTimes(context: ToolContext, move: Move) {
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

const moveEvent = defineTool({
  name: "move_event",
  description: "Move an event to another time. Its duration stays, unless end or durationMinutes is given.",
  input: z
    .object({
      ...eventRef,
      start: Moment.optional().describe("The new start; a date alone keeps the time of day."),
      time: z
        .string()
        .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
        .optional()
        .describe("Instead of start: only a new time of day, such as 15:30."),
      shiftMinutes: z
        .int()
        .min(-525_600)
        .max(525_600)
        .optional()
        .describe("Instead of start: minutes to move it later."),
      end: Moment.optional(),
      durationMinutes: z.int().min(1).max(10_080).optional(),
    })
    .refine(isNamed, named)
    .refine(({ start, time, shiftMinutes }) => start ?? time ?? shiftMinutes, {
      error: "give start, time or shiftMinutes",
      path: ["start"],
    }),
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  returnsUntrusted: isWrittenUntrusted,
  searchScope: "calendar:read",
  resolve: (context, input) => findEvent(context, input, "move_event"),
  async preview(context, input) {
    const { id = 0, occurrence } = input;
    return previewMove(
      context,
      await previewUpdate(context.ctx, id, await newTimes(context, input), startOf(occurrence)),
    );
  },
  async run(context, input) {
    const { id = 0, occurrence } = input;
    return writtenView(await updateEvent(context.ctx, id, await newTimes(context, input), which(context, occurrence)));
  },
});

const cancellation = (reason: string | undefined) => ({
  status: "cancelled" as const,
  ...(reason && { cancelReason: reason }),
});

const cancelEvent = defineTool({
  name: "cancel_event",
  description: "Cancel an event.",
  input: z.object({ ...eventRef, reason: z.string().trim().max(500).optional() }).refine(isNamed, named),
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  returnsUntrusted: isWrittenUntrusted,
  searchScope: "calendar:read",
  resolve: (context, input) => findEvent(context, input, "cancel_event"),
  async preview(context, { id = 0, occurrence, reason }) {
    const { before } = await previewUpdate(context.ctx, id, cancellation(reason), startOf(occurrence));
    return previewCancel(context, before, reason);
  },
  run: async (context, { id = 0, occurrence, reason }) =>
    writtenView(await updateEvent(context.ctx, id, cancellation(reason), which(context, occurrence))),
});

const findFreeSlots = defineTool({
  name: "find_free_slots",
  description: "Find free times within working hours. Default: the next 7 days.",
  input: z.object({
    durationMinutes: z.int().min(5).max(1440).default(30),
    start: Moment.optional(),
    end: Moment.optional(),
    limit: z.int().min(1).max(50).default(10),
  }),
  scopes: ["calendar:read"],
  writes: false,
  returnsUntrusted: NEVER_UNTRUSTED,
  async run({ ctx, timeZone }, { durationMinutes, start, end, limit }) {
    const found = await freeSlots(ctx, {
      durationMinutes,
      timeZone,
      ...(start && { start: instantOf(start, timeZone) }),
      ...(end && { end: instantOf(end, timeZone) }),
    });
    return { ...found, slots: found.slots.slice(0, limit) };
  },
});

const dailyBriefTool = defineTool({
  name: "daily_brief",
  description: "Today at a glance: events, tasks due, urgent emails, the next free time.",
  input: z.object({}),
  scopes: ["calendar:read", "tasks:read", "emails:read"],
  writes: false,
  returnsUntrusted: isOutside,
  async run({ ctx, timeZone }) {
    const { date, text, nextFreeSlot, events, overdueTasks, tasksDueToday, urgentEmails } = await dailyBrief(ctx, {
      timeZone,
      ...timeStyleOf(ctx),
    });
    const records = [...events, ...overdueTasks.first, ...tasksDueToday.first];
    return { date, text, nextFreeSlot, outside: urgentEmails.count > 0 || records.some(isOutside) };
  },
});

export const CALENDAR_TOOLS = [listEventsTool, createEventTool, moveEvent, cancelEvent, findFreeSlots, dailyBriefTool];
