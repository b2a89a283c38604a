import * as z from "zod";
import { DAY_MS } from "../../lib/time-zone.ts";
import { dailyBrief } from "../brief/service.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { listEvents } from "../calendar/events/list.ts";
import type { EventFilter } from "../calendar/events/schemas.ts";
import { freeSlots } from "../calendar/free-time/service.ts";
import { timeStyleOf } from "../people/speaking.ts";
import { agentRead, Cursor, given, Limit, since, Time, timeIn, until, When } from "./agents/agent-tool.ts";
import * as agents from "./agents/views.ts";
import { matchingEvents } from "./find-record.ts";
import { instantOf, Moment } from "./moment.ts";
import { defineTool, Id, isOutside, Match, NO_WORDS, type ToolContext, UNMARKED } from "./tool.ts";

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

export const hasOwnConflicts = ({ conflicts }: Conflicting) => !conflicts.some(isOutside);
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
  agents: agentRead({
    title: "List events",
    description: "List calendar events by start. Default: the next 7 days. `match`: words of title or attendees.",
    input: z.strictObject({
      start: When.optional(),
      end: When.optional(),
      match: z.string().trim().min(1).max(200).optional(),
      limit: Limit,
      cursor: Cursor,
    }),
    output: z.object({ events: z.array(agents.EventView), nextCursor: z.string().nullable() }),
    async run(call, { start, end, match, limit, cursor }) {
      const { ctx, timeZone } = call;
      if (match !== undefined) {
        const named = await matchingEvents({ ctx, timeZone }, { match, from: start, until: end });
        return { events: named.slice(0, limit).map((event) => agents.eventView(call, event)), nextCursor: null };
      }
      const from = start === undefined ? ctx.now : since(call, start);
      const to = end === undefined ? new Date(from.getTime() + LIST_DAYS * DAY_MS) : until(call, end);
      const status = ["tentative" as const, "confirmed" as const];
      const { data, nextCursor } = await listEvents(ctx, { start: from, end: to, limit, status, ...given({ cursor }) });
      return { events: data.map((event) => agents.eventView(call, event)), nextCursor };
    },
  }),
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
  agents: agentRead({
    title: "Find free times",
    description: "Find free times within working hours. Default: the next 7 days.",
    input: z.strictObject({
      durationMinutes: z.int().min(5).max(1440).default(30),
      start: When.optional(),
      end: When.optional(),
      limit: Limit,
    }),
    output: z.object({ slots: z.array(z.object({ start: Time, end: Time })), truncated: z.boolean() }),
    async run(call, { durationMinutes, start, end, limit }) {
      const { ctx, timeZone } = call;
      const range = { ...(start && { start: since(call, start) }), ...(end && { end: until(call, end) }) };
      const { slots } = await freeSlots(ctx, { durationMinutes, timeZone, ...range });
      const shown = slots.slice(0, limit);
      return {
        slots: shown.map((slot) => ({ start: timeIn(timeZone, slot.start), end: timeIn(timeZone, slot.end) })),
        truncated: slots.length > shown.length,
      };
    },
  }),
});

async function briefOf({ ctx, timeZone }: ToolContext) {
  const { date, text, nextFreeSlot, events, overdueTasks, tasksDueToday, urgentEmails } = await dailyBrief(ctx, {
    timeZone,
    ...timeStyleOf(ctx),
  });
  const records = [...events, ...overdueTasks.first, ...tasksDueToday.first];
  return { date, text, nextFreeSlot, outside: urgentEmails.count > 0 || records.some(isOutside) };
}

const BRIEF_CHARACTERS = 8000;

const dailyBriefTool = defineTool({
  name: "daily_brief",
  description: "Today at a glance: events, tasks due, urgent emails, the next free time.",
  input: z.object({}),
  scopes: ["calendar:read", "tasks:read", "emails:read"],
  writes: false,
  ownWords: { ...UNMARKED, because: "It counts as outside if an email or a marked task or event is in it." },
  run: briefOf,
  agents: agentRead({
    title: "Daily brief",
    description: "Today at a glance: events, tasks due, urgent emails, the next free time.",
    input: z.strictObject({}),
    output: z.object({ now: Time, text: z.string().optional(), outside: agents.Outside.optional() }),
    async run(call) {
      const { ctx, timeZone, fence } = call;
      const { text, outside } = await briefOf({ ctx, timeZone });
      const now = timeIn(timeZone, ctx.now.getTime());
      if (!outside) return { now, text: text.slice(0, BRIEF_CHARACTERS) };
      return { now, outside: fence.members({ text }, BRIEF_CHARACTERS) };
    },
  }),
});

export const CALENDAR_TOOLS = [listEventsTool, findFreeSlots, dailyBriefTool];
