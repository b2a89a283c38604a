import * as z from "zod";
import { assertType } from "../../lib/cast.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { dailyBrief } from "../brief/service.ts";
import { draftEvent, type NewEvent } from "../calendar/events/changes.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { listEvents } from "../calendar/events/list.ts";
import type { EventFilter } from "../calendar/events/schemas.ts";
import { createEvent, previewUpdate, updateEvent } from "../calendar/events/service.ts";
import { freeSlots } from "../calendar/free-time/service.ts";
import { timeStyleOf } from "../people/speaking.ts";
import { findEvent, matchingEvents } from "./find-record.ts";
import { newTimes, startOf, which } from "./moved-times.ts";
import { previewCancel, previewMove } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf, spokenReminders } from "./reminder-input.ts";
import { allOf, ELSEWHERE, factsFor, REPEATING, type Sayings, said, whole } from "./said.ts";
import { defineTool, Id, instantOf, isOutside, Match, Moment, NO_WORDS, type ToolContext, UNMARKED } from "./tool.ts";

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

const hasOwnConflicts = ({ conflicts }: Conflicting) => !conflicts.some(isOutside);
export const WRITTEN_EVENT = {
  because: "The marks of the event and of those it overlaps with cover their titles, places and people.",
  in: (event: WrittenView) => !isOutside(event) && hasOwnConflicts(event),
};

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
  ownWords: {
    because: "The mark of each event covers its title, place and people.",
    in: ({ events }) => !events.some(isOutside),
  },
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

const NewEventInput = z.object({
  title: z.string().trim().min(1).max(500),
  start: Moment.describe("A date, if allDay."),
  end: Moment.optional(),
  durationMinutes: z.int().min(1).max(44_640).optional(),
  allDay: z.boolean().optional(),
  busy: z.boolean().optional().describe("Whether it blocks its time. Default: true, or false if allDay."),
  location: z.string().trim().max(500).optional(),
  description: z.string().max(5000).optional(),
  attendees: z.array(z.email()).max(20).optional().describe("Only noted: nobody is sent an invitation."),
  rrule: z.string().max(200).optional().describe("An RFC 5545 RRULE, if it repeats."),
  reminders: RemindersInput.describe(REMINDERS_TEXT),
});
type NewEventInput = z.output<typeof NewEventInput>;

const NEW_EVENT: Sayings<NewEventInput> = {
  title: ELSEWHERE,
  start: ELSEWHERE,
  end: ELSEWHERE,
  durationMinutes: ELSEWHERE,
  allDay: ELSEWHERE,
  ...REPEATING,
  busy: (busy) => (busy ? "busy" : "free"),
  location: (place) => `at ${whole(place)}`,
  attendees: (addresses) => (addresses.length > 0 ? `with ${allOf(addresses)} (no invitation is sent)` : "with nobody"),
  description: (text) => `with the description ${whole(text)}`,
  reminders: spokenReminders,
};

const createEventTool = defineTool({
  name: "create_event",
  description: "Add an event to the calendar. Returns the events it overlaps with.",
  input: NewEventInput.refine(({ end, durationMinutes }) => end === undefined || durationMinutes === undefined, {
    error: "give end or durationMinutes, not both",
    path: ["end"],
  }),
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  ownWords: {
    because:
      "A new event has no words but those of this call, and the mark of each that it overlaps with covers its title.",
    in: hasOwnConflicts,
  },
  async preview(context, input) {
    const { startAt, endAt, startDate } = draftEvent(context.ctx, newEventOf(context, input));
    const facts = await factsFor(context);
    const times = facts.span(startAt.getTime(), endAt.getTime(), startDate !== null);
    const parts = await said(NEW_EVENT, input, facts);
    return { summary: [`Create event ${whole(input.title)}`, times, ...parts].join(", "), record: null };
  },
  run: async (context, input) => writtenView((await createEvent(context.ctx, newEventOf(context, input))).event),
});

function newEventOf({ timeZone }: ToolContext, { attendees = [], reminders, ...input }: NewEventInput) {
  const people = attendees.map((email) => ({ name: null, email, response: "needs_action" as const }));
  const own = { ...input, ...remindersOf(reminders, timeZone) };
  return assertType<NewEvent>({ ...own, attendees: people, timeZone, source: "chat" });
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
  ownWords: WRITTEN_EVENT,
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
  description: "Cancel an event. Nobody is told.",
  input: z.object({ ...eventRef, reason: z.string().trim().max(500).optional() }).refine(isNamed, named),
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  ownWords: WRITTEN_EVENT,
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
  ownWords: NO_WORDS,
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
  ownWords: { ...UNMARKED, because: "It counts as outside if an email or a marked task or event is in it." },
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
