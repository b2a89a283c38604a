import { dueMoment, dueOfDate } from "../../../lib/due.ts";
import { AppError } from "../../../lib/errors.ts";
import { quoted } from "../../../lib/quoted.ts";
import { exactSpeakerFor } from "../../../lib/spoken-time.ts";
import { draftEvent, type NewEvent } from "../../calendar/events/changes.ts";
import type { CalendarEvent } from "../../calendar/events/event.ts";
import type { Email } from "../../emails/schemas.ts";
import { timeFormatOf } from "../../profile/service.ts";
import type { Task } from "../../tasks/schemas.ts";
import { type RemindersInput, spokenReminders } from "./reminder-input.ts";
import { instantOf, type Preview, type ToolContext } from "./tool.ts";

/*
 * What a proposal would do, in the service's own words. Other people's words stand only between quotation marks, and
 * times are complete: a person decides by nothing else.
 */

const SHOWN_PEOPLE = 3;

async function wordsFor({ ctx, timeZone }: ToolContext) {
  return exactSpeakerFor(timeZone, ctx.now, await timeFormatOf(ctx));
}
type Words = Awaited<ReturnType<typeof wordsFor>>;

interface TaskInput {
  title?: string | undefined;
  description?: string | undefined;
  dueAt?: string | null | undefined;
  priority?: string | undefined;
  status?: string | undefined;
  list?: string | null | undefined;
  rrule?: string | null | undefined;
  tags?: string[] | undefined;
  estimateMinutes?: number | null | undefined;
  reminders?: RemindersInput;
}

/** A date alone is due at its end. */
function dueInstant(text: string, zone: string): number {
  return text.length === 10 ? dueOfDate(text, zone).dueAt.getTime() : instantOf(text, zone).getTime();
}

export async function previewNewTask(context: ToolContext, input: TaskInput & { title: string }): Promise<Preview> {
  const { title, description, dueAt, priority } = input;
  const { due } = await wordsFor(context);
  const parts = [
    `Create task ${quoted(title)}`,
    ...(input.list ? [`in the list ${quoted(input.list)}`] : []),
    ...(dueAt ? [`due ${due(dueInstant(dueAt, context.timeZone))}`] : []),
    ...(input.rrule ? [`repeating by the rule ${quoted(input.rrule)}`] : []),
    ...(priority ? [`${priority} priority`] : []),
    ...(input.tags?.length ? [`tags ${input.tags.map(quoted).join(", ")}`] : []),
    ...(input.estimateMinutes ? [`estimate ${input.estimateMinutes} minutes`] : []),
    ...spokenReminders(input.reminders, due, context.timeZone),
    ...(description?.trim() ? [`with the description ${quoted(description)}`] : []),
  ];
  return { summary: parts.join(", "), record: null };
}

/** `verb`: “Complete task”. */
export async function previewTask(
  context: ToolContext,
  verb: string,
  task: Task,
  changes?: TaskInput,
): Promise<Preview> {
  const { due } = await wordsFor(context);
  const at = dueMoment(task, context.timeZone);
  const dueNow = at === null ? "" : `, due ${due(at)}`;
  const change = changes ? `: ${changedParts(context, changes, due)}` : "";
  return { summary: `${verb} ${quoted(task.title)}${dueNow}${change}`, record: task };
}

function changedParts({ timeZone }: ToolContext, changes: TaskInput, due: Words["due"]): string {
  const { title, dueAt, priority, status, list, rrule, tags, estimateMinutes, reminders } = changes;
  const parts = [
    ...(title === undefined ? [] : [`new title ${quoted(title)}`]),
    ...(dueAt === undefined ? [] : [dueAt === null ? "no due date" : `due ${due(dueInstant(dueAt, timeZone))}`]),
    ...(priority === undefined ? [] : [`${priority} priority`]),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(list === undefined ? [] : [list === null ? "in no list" : `in the list ${quoted(list)}`]),
    ...(rrule === undefined ? [] : [rrule === null ? "no repetition" : `repeating by the rule ${quoted(rrule)}`]),
    ...(tags === undefined ? [] : [`tags ${tags.map(quoted).join(", ") || "none"}`]),
    ...(estimateMinutes === undefined ? [] : [estimateMinutes ? `estimate ${estimateMinutes} minutes` : "no estimate"]),
    ...spokenReminders(reminders, due, timeZone),
  ];
  if (parts.length === 0) throw new AppError("nothing_to_update");
  return parts.join(", ");
}

export async function previewNewEvent(context: ToolContext, input: NewEvent): Promise<Preview> {
  const { startAt, endAt, startDate, rrule, location, description, attendees } = draftEvent(context.ctx, input);
  const { span, due } = await wordsFor(context);
  const people = attendees.slice(0, SHOWN_PEOPLE).map(({ email }) => quoted(email));
  const more = attendees.length - people.length;
  const parts = [
    `Create event ${quoted(input.title)}`,
    span(startAt.getTime(), endAt.getTime(), startDate !== null),
    ...(rrule ? [`repeating by the rule ${quoted(rrule)}`] : []),
    ...(location ? [`at ${quoted(location)}`] : []),
    ...(people.length > 0 ? [`with ${people.join(", ")}${more > 0 ? ` and ${more} more` : ""}`] : []),
    ...(description?.trim() ? [`with the description ${quoted(description)}`] : []),
    ...spokenReminders(reminderInput(input.reminders), due, context.timeZone),
  ];
  return { summary: parts.join(", "), record: null };
}

const reminderInput = (stored: NewEvent["reminders"]): RemindersInput =>
  stored?.map(({ at, minutesBefore }) => (at === undefined ? { minutesBefore } : { at: new Date(at).toISOString() }));

function eventWords({ title, rrule, ...event }: CalendarEvent, span: Words["span"]): string {
  return `${quoted(title)}${rrule ? " with all its occurrences" : ""}, ${timesOf(event, span)}`;
}

function timesOf({ start, end, allDay }: Pick<CalendarEvent, "start" | "end" | "allDay">, span: Words["span"]): string {
  return span(Date.parse(start), Date.parse(end), allDay);
}

export async function previewMove(
  context: ToolContext,
  { before, after }: { before: CalendarEvent; after: CalendarEvent },
): Promise<Preview> {
  const { span } = await wordsFor(context);
  return { summary: `Move ${eventWords(before, span)}, to ${timesOf(after, span)}`, record: before };
}

/** `change`: what is changed, in the service's words. */
export async function previewEvent(context: ToolContext, event: CalendarEvent, change: string): Promise<Preview> {
  const { span } = await wordsFor(context);
  return { summary: `Change event ${eventWords(event, span)}: ${change}`, record: event };
}

export async function previewCancel(
  context: ToolContext,
  event: CalendarEvent,
  reason: string | undefined,
): Promise<Preview> {
  const { span } = await wordsFor(context);
  const why = reason ? `, with the reason ${quoted(reason)}` : "";
  return { summary: `Cancel ${eventWords(event, span)}${why}`, record: event };
}

const ANSWER_VERBS = { accepted: "Accept", declined: "Decline", tentative: "Tentatively accept" } as const;

export async function previewAnswer(
  context: ToolContext,
  event: CalendarEvent,
  response: keyof typeof ANSWER_VERBS,
  comment: string | undefined,
): Promise<Preview> {
  const { span } = await wordsFor(context);
  const told = event.organizer ? `, and tell the organizer ${quoted(event.organizer.email)}` : "";
  const why = comment ? `, with the comment ${quoted(comment)}` : "";
  return {
    summary: `${ANSWER_VERBS[response]} the invitation to ${eventWords(event, span)}${told}${why}`,
    record: event,
  };
}

interface Scheduled {
  task: Task;
  start: Date;
  end: Date;
}

export async function previewSchedules(context: ToolContext, list: readonly Scheduled[]): Promise<Preview[]> {
  const { span } = await wordsFor(context);
  return list.map(({ task, start, end }) => ({
    summary: `Reserve time for task ${quoted(task.title)}: ${span(start.getTime(), end.getTime(), false)}`,
    record: task,
  }));
}

interface EmailInput {
  isRead?: boolean | undefined;
  isStarred?: boolean | undefined;
  status?: string | undefined;
  tags?: readonly string[] | undefined;
  addTags?: readonly string[] | undefined;
  snoozedUntil?: string | null | undefined;
}

const STATUS_WORDS: Record<string, string> = {
  archived: "archive",
  inbox: "move to the inbox",
  trash: "move to the trash",
};

export async function previewEmail(context: ToolContext, email: Email, changes: EmailInput): Promise<Preview> {
  const { due } = await wordsFor(context);
  const { isRead, isStarred, status, tags, addTags, snoozedUntil } = changes;
  const parts = [
    ...(isRead === undefined ? [] : [isRead ? "mark as read" : "mark as unread"]),
    ...(isStarred === undefined ? [] : [isStarred ? "star" : "remove the star"]),
    ...(status === undefined ? [] : [STATUS_WORDS[status] ?? `status ${status}`]),
    ...(tags === undefined ? [] : [tags.length > 0 ? `tags ${tags.map(quoted).join(", ")}` : "remove all tags"]),
    ...(addTags === undefined ? [] : [`add the tags ${addTags.map(quoted).join(", ")}`]),
    ...(snoozedUntil === undefined
      ? []
      : [snoozedUntil === null ? "end the snooze" : `snooze until ${due(Date.parse(snoozedUntil))}`]),
  ];
  const words = `${quoted(email.subject)} from ${quoted(email.from.name || email.from.email)}`;
  return { summary: `Change email ${words}: ${parts.join(", ")}`, record: email };
}
