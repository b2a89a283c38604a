import { dueMoment } from "../../lib/due.ts";
import { quoted } from "../../lib/quoted.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import type { Preview } from "../conversations/proposals.ts";
import type { Email } from "../emails/schemas.ts";
import type { Task } from "../tasks/schemas.ts";
import { type Facts, factsFor, whole } from "./said.ts";
import type { ToolContext } from "./tool.ts";

/* How summaries name the record that a write is about. Its words may be cut: they only tell which one it is. */

/** `verb`: “Complete task”. `change`: what is changed, in the service's words. */
export async function previewTask(
  context: ToolContext,
  verb: string,
  task: Task,
  change?: string | undefined,
): Promise<Preview> {
  const { due } = await factsFor(context);
  const at = dueMoment(task, context.timeZone);
  const dueNow = at === null ? "" : `, due ${due(at)}`;
  return { summary: `${verb} ${quoted(task.title)}${dueNow}${change ? `: ${change}` : ""}`, record: task };
}

type Named = Pick<CalendarEvent, "title" | "rrule" | "recurringEventId" | "start" | "end" | "allDay">;

function eventWords({ title, rrule, recurringEventId, ...event }: Named, span: Facts["span"]): string {
  const which = rrule ? " with all its occurrences" : recurringEventId === null ? "" : " (this occurrence only)";
  return `${quoted(title)}${which}, ${timesOf(event, span)}`;
}

function timesOf({ start, end, allDay }: Pick<CalendarEvent, "start" | "end" | "allDay">, span: Facts["span"]): string {
  return span(Date.parse(start), Date.parse(end), allDay);
}

export async function previewMove(
  context: ToolContext,
  { before, after }: { before: CalendarEvent; after: CalendarEvent },
): Promise<Preview> {
  const { span } = await factsFor(context);
  const rule = after.rrule === before.rrule ? "" : `, repeating by the rule ${whole(after.rrule ?? "none")}`;
  return { summary: `Move ${eventWords(before, span)}, to ${timesOf(after, span)}${rule}`, record: before };
}

/** `change`: what is changed, in the service's words. */
export async function previewEvent(context: ToolContext, event: CalendarEvent, change: string): Promise<Preview> {
  const { span } = await factsFor(context);
  return { summary: `Change event ${eventWords(event, span)}: ${change}`, record: event };
}

export async function previewCancel(
  context: ToolContext,
  event: CalendarEvent,
  reason: string | undefined,
): Promise<Preview> {
  const { span } = await factsFor(context);
  const why = reason ? `, with the reason ${whole(reason)}` : "";
  return { summary: `Cancel ${eventWords(event, span)}${why}`, record: event };
}

const ANSWER_VERBS = { accepted: "Accept", declined: "Decline", tentative: "Tentatively accept" } as const;

export async function previewAnswer(
  context: ToolContext,
  event: Named & Pick<CalendarEvent, "organizer">,
  { response, comment }: { response: keyof typeof ANSWER_VERBS; comment?: string | undefined },
  record: Preview["record"],
): Promise<Preview> {
  const { span } = await factsFor(context);
  const told = event.organizer ? `, and tell the organizer ${whole(event.organizer.email)}` : "";
  const why = comment ? `, with the comment ${whole(comment)}` : "";
  return {
    summary: `${ANSWER_VERBS[response]} the invitation to ${eventWords(event, span)}${told}${why}`,
    record,
  };
}

export function emailWords({ subject, from }: Pick<Email, "subject" | "from">): string {
  const sender = from.name ? `${from.name} <${from.email}>` : from.email;
  return `${quoted(subject)} from ${quoted(sender)}`;
}
