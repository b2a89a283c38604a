import * as z from "zod";
import { assertType } from "../../lib/cast.ts";
import { draftEvent, type NewEvent } from "../calendar/events/changes.ts";
import { createEvent, getEvent, previewUpdate, updateEvent } from "../calendar/events/service.ts";
import { type AgentCall, agentWrite, When } from "./agents/agent-tool.ts";
import { Rrule, taskFields } from "./agents/task-input.ts";
import * as agents from "./agents/views.ts";
import { eventRef, hasOwnConflicts, isNamed, named, WRITTEN_EVENT, type WrittenView, writtenView } from "./calendar.ts";
import { findEvent } from "./find-record.ts";
import { Moment } from "./moment.ts";
import { newTimes, startOf, which } from "./moved-times.ts";
import { previewCancel, previewMove } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf, spokenReminders } from "./reminder-input.ts";
import { allOf, ELSEWHERE, factsFor, REPEATING, type Sayings, said, whole } from "./said.ts";
import { defineTool, Id, type ToolContext } from "./tool.ts";

const agentMinutes = z.int().min(1).max(10_080).optional();
const agentRef = { id: Id, occurrence: z.iso.datetime({ offset: true }).optional() };
const eventShown = z.object({ event: agents.EventView.optional(), conflicts: agents.Conflicts.optional() });

/** A new event has no words but those of the call. */
async function writtenEvent(call: AgentCall, result: Record<string, unknown>, { isNew } = { isNew: false }) {
  const { id, occurrence, conflicts } = assertType<WrittenView>(result);
  const event = await getEvent(call.ctx, id, startOf(occurrence ?? undefined));
  const shown = isNew ? { ...event, outside: false } : event;
  return { event: agents.eventView(call, shown), conflicts: agents.conflictsView(call, conflicts) };
}

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
  agents: agentWrite({
    title: "Create an event",
    description:
      "Add an event to the calendar; names what it overlaps with. Nobody is invited. A date as start with allDay.",
    input: z.strictObject({
      title: z.string().trim().min(1).max(500),
      start: When,
      end: When.optional(),
      durationMinutes: agentMinutes,
      allDay: z.boolean().optional(),
      location: z.string().trim().max(500).optional(),
      description: z.string().max(5000).optional(),
      rrule: Rrule.optional(),
      reminders: taskFields.reminders,
    }),
    shown: eventShown,
    show: (call, result) => writtenEvent(call, result, { isNew: true }),
  }),
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
  agents: agentWrite({
    title: "Move an event",
    description: "Move an event. A date alone keeps the time of day; the duration stays unless given.",
    input: z.strictObject({
      ...agentRef,
      start: When,
      end: When.optional(),
      durationMinutes: agentMinutes,
    }),
    shown: eventShown,
    show: (call, result) => writtenEvent(call, result),
  }),
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
  agents: agentWrite({
    title: "Cancel an event",
    description: "Cancel an event in the calendar. Nobody is told.",
    input: z.strictObject({
      ...agentRef,
      reason: z.string().trim().max(500).optional(),
    }),
    shown: eventShown,
    show: (call, result) => writtenEvent(call, result),
  }),
});

export const EVENT_CHANGE_TOOLS = [createEventTool, moveEvent, cancelEvent];
