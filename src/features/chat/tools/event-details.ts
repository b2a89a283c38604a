import * as z from "zod";
import { AppError } from "../../../lib/errors.ts";
import { quoted } from "../../../lib/quoted.ts";
import type { EventInput } from "../../calendar/events/changes.ts";
import type { CalendarEvent } from "../../calendar/events/event.ts";
import { getEvent, updateEvent } from "../../calendar/events/service.ts";
import { addressesOf } from "./addresses.ts";
import { eventRef, isNamed, isWrittenUntrusted, named, which, writtenView } from "./calendar.ts";
import { findEvent } from "./find-record.ts";
import { previewEvent } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf, spokenReminders } from "./reminder-input.ts";
import { AmbiguousMatch, defineTool, type ToolContext } from "./tool.ts";

const Input = z
  .object({
    ...eventRef,
    title: z.string().trim().min(1).max(500).optional(),
    location: z.string().trim().max(500).nullable().optional(),
    description: z.string().max(5000).optional(),
    durationMinutes: z.int().min(1).max(44_640).optional(),
    longerMinutes: z.int().min(-10_080).max(10_080).optional().describe("Minutes to add to its length."),
    addAttendees: z
      .array(z.string().trim().min(1).max(320))
      .max(20)
      .optional()
      .describe("Addresses, or names of people who have written. Nobody is sent an invitation."),
    rrule: z.string().max(200).nullable().optional().describe("An RFC 5545 RRULE; null stops the repetition."),
    removeAttendees: z.union([z.literal("all"), z.array(z.email()).max(20)]).optional(),
    reminders: RemindersInput.describe(REMINDERS_TEXT),
  })
  .refine(isNamed, named);
type Input = z.output<typeof Input>;

async function changesOf(context: ToolContext, input: Input): Promise<{ before: CalendarEvent; changes: EventInput }> {
  const { id = 0, occurrence, title, location, description, durationMinutes, longerMinutes, rrule } = input;
  const before = await getEvent(context.ctx, id, occurrence === undefined ? undefined : new Date(occurrence));
  const length = (Date.parse(before.end) - Date.parse(before.start)) / 60_000;
  const minutes = longerMinutes === undefined ? durationMinutes : length + longerMinutes;
  if (minutes !== undefined && minutes < 1) throw new AppError("validation_failed", "The event would have no length.");
  const times = minutes === undefined ? {} : { start: before.start, durationMinutes: minutes };
  const changes = {
    ...(title !== undefined && { title }),
    ...(location !== undefined && { location }),
    ...(description !== undefined && { description }),
    ...(rrule !== undefined && { rrule }),
    ...(minutes !== undefined && { ...times, ...(before.allDay && { allDay: false }) }),
    ...attendeesAfter(before, input),
    ...remindersOf(input.reminders, context.timeZone),
  };
  if (Object.keys(changes).length === 0) throw new AppError("nothing_to_update");
  return { before, changes };
}

/** A name becomes the address of the one person of that name who has written. */
async function addressesFor(context: ToolContext, people: readonly string[], input: Input): Promise<string[]> {
  const addresses: string[] = [];
  for (const person of people) {
    const found = await addressesOf(context.ctx, person);
    const [only] = found;
    if (!only) throw new AppError("not_found", `I do not know the address of ${person}.`);
    if (found.length > 1) {
      const options = found.slice(0, 6).map((address) => ({
        label: address,
        tool: "update_event",
        input: { ...input, addAttendees: people.map((each) => (each === person ? address : each)) },
      }));
      throw new AmbiguousMatch(`I know more than one address for ${person}.`, options, true);
    }
    addresses.push(only);
  }
  return addresses;
}

function attendeesAfter({ attendees }: CalendarEvent, { addAttendees = [], removeAttendees = [] }: Input) {
  const isRemoved = (email: string) => removeAttendees === "all" || removeAttendees.includes(email);
  const kept = attendees.filter(({ email }) => !isRemoved(email));
  const known = new Set(kept.map(({ email }) => email));
  const added = addAttendees.filter((email) => !known.has(email));
  if (added.length === 0 && kept.length === attendees.length) return {};
  const people = added.map((email) => ({ name: null, email, response: "needs_action" as const }));
  return { attendees: [...kept, ...people] };
}

function wordsOf(input: Input, zone: string): string {
  const { title, location, durationMinutes, longerMinutes, addAttendees, removeAttendees, rrule, reminders } = input;
  const parts = [
    ...(title === undefined ? [] : [`new title ${quoted(title)}`]),
    ...(location === undefined ? [] : [location ? `at ${quoted(location)}` : "no place"]),
    ...(durationMinutes === undefined ? [] : [`${durationMinutes} minutes long`]),
    ...(longerMinutes === undefined
      ? []
      : [`${Math.abs(longerMinutes)} minutes ${longerMinutes < 0 ? "shorter" : "longer"}`]),
    ...(addAttendees ?? []).map((email) => `with ${quoted(email)}`),
    ...(removeAttendees === undefined ? [] : ["fewer attendees"]),
    ...(rrule === undefined ? [] : [rrule === null ? "no repetition" : "another repetition"]),
    ...spokenReminders(reminders, (at) => new Date(at).toISOString(), zone),
  ];
  return parts.join(", ") || "new description";
}

const updateEventTool = defineTool({
  name: "update_event",
  description:
    "Change an event's title, place, description, length, attendees, repetition or reminders. Use move_event for its time.",
  input: Input,
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  returnsUntrusted: isWrittenUntrusted,
  searchScope: "calendar:read",
  async resolve(context, input) {
    const { addAttendees } = input;
    const people = addAttendees && { addAttendees: await addressesFor(context, addAttendees, input) };
    return findEvent(context, { ...input, ...people }, "update_event");
  },
  async preview(context, input) {
    const { before } = await changesOf(context, input);
    return previewEvent(context, before, wordsOf(input, context.timeZone));
  },
  async run(context, input) {
    const { changes } = await changesOf(context, input);
    const { id = 0, occurrence } = input;
    return writtenView(await updateEvent(context.ctx, id, changes, which(context, occurrence)));
  },
});

export const EVENT_DETAIL_TOOLS = [updateEventTool];
