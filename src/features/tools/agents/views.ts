import * as z from "zod";
import { hasScope } from "../../../context.ts";
import { DIRECTIONS, EMAIL_KINDS, EMAIL_STATUSES } from "../../../lib/email-kinds.ts";
import { EVENT_STATUSES } from "../../../lib/event-kinds.ts";
import { readBy } from "../../../lib/receipts.ts";
import { PRIORITIES, TASK_STATUSES } from "../../../lib/task-kinds.ts";
import type { CalendarEvent } from "../../calendar/events/event.ts";
import type { EmailSummary } from "../../emails/schemas.ts";
import { quickUrgency } from "../../emails/urgent-unread.ts";
import type { Task } from "../../tasks/schemas.ts";
import { type AgentCall, Id, Time, timeIn, timeOrNull } from "./agent-tool.ts";
import type { Fence } from "./fence.ts";

/*
 * Records as agents see them. Other people's words stand only under `outside`; a record that has none of them shows its
 * own words as members. Every text is cut, so that a page of records stays within what clients accept.
 */

const TEXT = 200;
const SUMMARY = 300;
const MAX_PEOPLE = 10;
const MAX_TAGS = 10;

export const Outside = z.record(z.string(), z.unknown());

export const MailView = z.object({
  id: Id,
  url: z.string(),
  receivedAt: Time,
  direction: z.enum(DIRECTIONS),
  status: z.enum(EMAIL_STATUSES),
  kind: z.enum(EMAIL_KINDS),
  senderProof: z.string().nullable(),
  isRead: z.boolean(),
  isStarred: z.boolean(),
  urgency: z.string(),
  replyNeeded: z.boolean().nullable(),
  hasAttachments: z.boolean(),
  snoozedUntil: Time.nullable(),
  version: z.int(),
  outside: Outside,
});
readBy("emails:read", MailView);

export function mailUrl({ ctx }: AgentCall, id: number): string {
  return `${ctx.baseUrl}/app/mail/inbox/${id}`;
}

export function mailView(call: AgentCall, email: EmailSummary): z.infer<typeof MailView> {
  const { id, direction, status, kind, senderProof, isRead, isStarred, version, analysis } = email;
  const { from, to, subject, snippet } = email;
  const { fence, timeZone } = call;
  const people = { from: addressText(from), to: to.slice(0, MAX_PEOPLE).map(addressText).join(", ") };
  return {
    id,
    url: mailUrl(call, id),
    receivedAt: timeIn(timeZone, email.receivedAt),
    direction,
    status,
    kind,
    senderProof,
    isRead,
    isStarred,
    urgency: analysis?.urgency.level ?? quickUrgency(email),
    replyNeeded: email.replyNeeded,
    hasAttachments: email.attachments.length > 0,
    snoozedUntil: timeOrNull(timeZone, email.snoozedUntil),
    version,
    outside: {
      // One tag is made of the address that the sender wrote to.
      ...fence.members({ tags: email.tags.slice(0, MAX_TAGS).join(", ") }, SUMMARY),
      ...fence.members({ ...people, subject, snippet }, TEXT),
      ...fence.members({ summary: analysis?.summary }, SUMMARY),
    },
  };
}

function addressText({ name, email }: { name: string | null; email: string }): string {
  return name ? `${name} <${email}>` : email;
}

export const TaskView = z.object({
  id: Id,
  url: z.string(),
  status: z.enum(TASK_STATUSES),
  priority: z.enum(PRIORITIES),
  dueAt: Time.nullable(),
  /** A day without a time. */
  dueDate: z.string().nullable(),
  emailId: Id.nullable(),
  listId: Id.nullable(),
  rrule: z.string().nullable(),
  reminders: z.array(z.record(z.string(), z.unknown())).nullable(),
  version: z.int(),
  title: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  outside: Outside.optional(),
});
readBy("tasks:read", TaskView);

export function taskView(call: AgentCall, task: Task): z.infer<typeof TaskView> {
  const { id, status, priority, dueDate, emailId, listId, rrule, reminders, version } = task;
  const { fence, timeZone } = call;
  const dueAt = timeOrNull(timeZone, task.dueAt);
  const url = `${call.ctx.baseUrl}/app/tasks/${id}`;
  const plain = { id, url, status, priority, dueAt, dueDate, emailId, listId, rrule, reminders, version };
  const quote = hasScope(call.ctx.actor, ["emails:read"]) ? task.quote : null;
  return { ...plain, ...taskWords(fence, { ...task, quote }) };
}

function taskWords(fence: Fence, { title, description, tags, quote, outside }: Task) {
  const shown = tags.slice(0, MAX_TAGS);
  if (outside) {
    return { outside: fence.members({ title, description, tags: shown.join(", "), quote }, SUMMARY) };
  }
  return { title, ...(description && { description: description.slice(0, SUMMARY) }), tags: shown };
}

export const EventView = z.object({
  id: Id,
  occurrence: z.string().nullable(),
  url: z.string(),
  start: Time,
  end: Time,
  allDay: z.boolean(),
  status: z.enum(EVENT_STATUSES),
  busy: z.boolean(),
  awaitsAnswer: z.boolean(),
  version: z.int(),
  title: z.string().optional(),
  location: z.string().optional(),
  attendees: z.array(z.string()).optional(),
  outside: Outside.optional(),
});
readBy("calendar:read", EventView);

export function eventView(call: AgentCall, event: CalendarEvent): z.infer<typeof EventView> {
  const { originalStart, recurringEventId, allDay, status, busy, awaitsAnswer, version } = event;
  const start = timeIn(call.timeZone, event.start);
  return {
    id: recurringEventId ?? event.id,
    occurrence: originalStart,
    url: `${call.ctx.baseUrl}/app/calendar/day/${start.at.slice(0, 10)}`,
    start,
    end: timeIn(call.timeZone, event.end),
    allDay,
    status,
    busy,
    awaitsAnswer,
    version,
    ...eventWords(call.fence, event),
  };
}

function eventWords(fence: Fence, { title, location, attendees, description, outside }: CalendarEvent) {
  const people = attendees.slice(0, MAX_PEOPLE).map(({ name, email }) => name ?? email);
  if (outside) return { outside: fence.members({ title, location, attendees: people.join(", "), description }, TEXT) };
  return { title, ...(location && { location }), ...(people.length > 0 && { attendees: people }) };
}

const Conflict = z.object({ start: Time, end: Time, title: z.string().optional(), outside: Outside.optional() });
readBy("calendar:read", Conflict, ["start", "end"]);
export const Conflicts = z.array(Conflict);

/** The events that a new or moved one overlaps with. */
export function conflictsView(
  { timeZone, fence }: AgentCall,
  conflicts: readonly { title: string; start: string; end: string; outside: boolean }[],
): z.infer<typeof Conflicts> {
  return conflicts.map(({ title, start, end, outside }) => ({
    start: timeIn(timeZone, start),
    end: timeIn(timeZone, end),
    ...(outside ? { outside: fence.members({ title }, TEXT) } : { title }),
  }));
}
