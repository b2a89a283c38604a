import * as z from "zod";
import { copying } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import type { EventInput } from "../calendar/events/changes.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { getEvent, updateEvent } from "../calendar/events/service.ts";
import { addressesOf } from "./addresses.ts";
import { eventRef, isNamed, named, WRITTEN_EVENT, writtenView } from "./calendar.ts";
import { findEvent } from "./find-record.ts";
import { which } from "./moved-times.ts";
import { previewEvent } from "./preview.ts";
import { REMINDERS_TEXT, RemindersInput, remindersOf, spokenReminders } from "./reminder-input.ts";
import { allOf, ELSEWHERE, factsFor, REPEATING, type Sayings, said, whole } from "./said.ts";
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
    isFromEmail: z.boolean().optional().describe("Set by the service: an address was found in an email."),
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
        input: { ...input, isFromEmail: true, addAttendees: people.map((each) => (each === person ? address : each)) },
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

const EVENT_CHANGES: Sayings<Input> = {
  id: ELSEWHERE,
  occurrence: ELSEWHERE,
  match: ELSEWHERE,
  from: ELSEWHERE,
  until: ELSEWHERE,
  title: (title) => `new title ${whole(title)}`,
  location: (place) => (place ? `at ${whole(place)}` : "no place"),
  durationMinutes: (minutes) => `${minutes} minutes long`,
  longerMinutes: (minutes) => `${Math.abs(minutes)} minutes ${minutes < 0 ? "shorter" : "longer"}`,
  addAttendees: (people) => `also with ${allOf(people)} (no invitation is sent)`,
  isFromEmail: () => "whose address is that of an email",
  removeAttendees: (people) => (people === "all" ? "without attendees" : `without ${allOf(people)}`),
  ...REPEATING,
  reminders: spokenReminders,
  description: (text) => (text ? `with the description ${whole(text)}` : "no description"),
};

const updateEventTool = defineTool({
  name: "update_event",
  description:
    "Change an event's title, place, description, length, attendees, repetition or reminders. Use move_event for its time.",
  input: Input,
  scopes: ["calendar:write"],
  writes: true,
  record: "event",
  ownWords: WRITTEN_EVENT,
  searchScope: "calendar:read",
  async resolve(context, input) {
    const { addAttendees } = input;
    if (!addAttendees) return findEvent(context, input, "update_event");
    const found = await addressesFor(context, addAttendees, input);
    const isFound = found.some((address) => !addAttendees.some((given) => given.toLowerCase() === address));
    const people = { addAttendees: found, ...(isFound && { isFromEmail: true }) };
    return findEvent(context, { ...input, ...people }, "update_event");
  },
  async preview(context, input) {
    const { before } = await changesOf(context, input);
    const parts = await said(EVENT_CHANGES, input, await factsFor(context));
    return previewEvent(context, before, parts.join(", "));
  },
  async run(context, input) {
    const { changes } = await changesOf(context, input);
    const { id = 0, occurrence } = input;
    const ctx = copying(context.ctx, { outside: input.isFromEmail === true });
    return writtenView(await updateEvent(ctx, id, changes, which(context, occurrence)));
  },
});

export const EVENT_DETAIL_TOOLS = [updateEventTool];
