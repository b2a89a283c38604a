import * as z from "zod";
import { assertType } from "../../../lib/cast.ts";
import { shortQuery } from "../../../lib/search-query.ts";
import { PRIORITIES, TASK_STATUSES } from "../../../lib/task-kinds.ts";
import { DAY_MS, endOfDate } from "../../../lib/time-zone.ts";
import { listEvents } from "../../calendar/events/list.ts";
import { freeSlots } from "../../calendar/free-time/service.ts";
import { listEmails } from "../../emails/list.ts";
import { getEmail } from "../../emails/service.ts";
import { listTasks } from "../../tasks/list.ts";
import { readingOf } from "../emails.ts";
import { matchingEvents } from "../find-record.ts";
import { toolByName } from "../registry.ts";
import { instantOf } from "../tool.ts";
import { type AgentCall, agentTool, Cursor, Id, Limit, Time, timeIn, timeOrNull, When } from "./agent-tool.ts";
import { EventView, eventView, MailView, mailView, Outside, TaskView, taskView } from "./views.ts";

const BODY_CHARACTERS = 6000;
const MAX_ATTACHMENTS = 20;
const ITEM_CHARACTERS = 300;
const BRIEF_CHARACTERS = 8000;
const LIST_DAYS = 7;

const since = (call: AgentCall, text: string) => instantOf(text, call.timeZone);
/** A date includes the whole day. */
const until = (call: AgentCall, text: string) =>
  text.length === 10 ? new Date(endOfDate(call.timeZone, text)) : instantOf(text, call.timeZone);

const findMail = agentTool({
  name: "find_mail",
  title: "Find emails",
  description:
    "Find emails, newest first; suspected spam only in box spam. `query` takes words and operators such as from:ann or has:attachment.",
  effect: "reads",
  scopes: ["emails:read"],
  input: z.strictObject({
    query: z.string().trim().max(200).optional(),
    box: z.enum(["inbox", "archived", "spam", "sent", "all"]).default("inbox"),
    unread: z.boolean().optional(),
    replyNeeded: z.boolean().optional(),
    tag: z.string().max(100).optional(),
    since: When.optional(),
    until: When.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ mails: z.array(MailView), nextCursor: z.string().nullable() }),
  async run(call, { query, box, since: from, until: to, ...rest }) {
    const { data, nextCursor } = await listEmails(call.ctx, {
      ...given(rest),
      limit: rest.limit,
      ...(query && { q: shortQuery(query) }),
      ...(box === "sent" ? { direction: "outbound" as const } : box !== "all" && { status: box }),
      ...(from && { since: since(call, from) }),
      ...(to && { until: until(call, to) }),
    });
    return { mails: data.map((email) => mailView(call, email)), nextCursor };
  },
});

/** Without the members that are undefined. */
function given<Members extends object>(members: Members) {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return assertType<{ [Name in keyof Members]?: Exclude<Members[Name], undefined> }>(Object.fromEntries(present));
}

const readMail = agentTool({
  name: "read_mail",
  title: "Read an email",
  description: "Read one email; under `outside`: body from `offset`, summary, actionItems, attachments by name.",
  effect: "reads",
  scopes: ["emails:read"],
  input: z.strictObject({ id: Id, offset: z.int().min(0).default(0) }),
  output: z.object({
    mail: MailView,
    truncated: z.boolean(),
    nextOffset: z.int().nullable(),
  }),
  async run(call, { id, offset }) {
    const { ctx, timeZone, fence } = call;
    const email = await getEmail(ctx, id);
    const reading = await readingOf({ ctx, timeZone }, email);
    const { piece, nextOffset } = pieceOf(email.body, offset, BODY_CHARACTERS);
    const mail = mailView(call, email);
    const outside = {
      ...mail.outside,
      ...fence.members({ summary: reading.summary }, ITEM_CHARACTERS),
      body: fence.around(piece, BODY_CHARACTERS),
      actionItems: reading.actionItems.map(({ text, quote, dueAt, hasTask }) => ({
        text: fence.around(text, ITEM_CHARACTERS),
        quote: fence.around(quote, ITEM_CHARACTERS),
        dueAt: timeOrNull(timeZone, dueAt),
        hasTask,
      })),
      attachments: email.attachments.slice(0, MAX_ATTACHMENTS).map(({ name }) => fence.around(name, 100)),
    };
    return {
      mail: { ...mail, outside },
      truncated: nextOffset !== null,
      nextOffset,
    };
  },
});

/** A piece of a text, and where the next one begins. Never cuts a character in two. */
export function pieceOf(text: string, offset: number, size: number): { piece: string; nextOffset: number | null } {
  const isLow = (at: number) => /^[\udc00-\udfff]/.test(text.slice(at, at + 1));
  const start = isLow(offset) ? offset + 1 : offset;
  const end = start + size < text.length && isLow(start + size) ? start + size - 1 : start + size;
  return { piece: text.slice(start, end), nextOffset: end < text.length ? end : null };
}

const STATUSES = { open: ["todo", "in_progress", "waiting"], done: ["done"], all: TASK_STATUSES } as const;

const listTasksTool = agentTool({
  name: "list_tasks",
  title: "List tasks",
  description: "List tasks by due time.",
  effect: "reads",
  scopes: ["tasks:read"],
  input: z.strictObject({
    query: z.string().trim().max(200).optional(),
    status: z.enum(["open", "done", "all"]).default("open"),
    overdue: z.boolean().optional(),
    priority: z.enum(PRIORITIES).optional(),
    dueAfter: When.optional(),
    dueBefore: When.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ tasks: z.array(TaskView), nextCursor: z.string().nullable() }),
  async run(call, { query, status, overdue, priority, dueAfter, dueBefore, limit, cursor }) {
    const { data, nextCursor } = await listTasks(call.ctx, {
      status: [...STATUSES[status]],
      sort: "due",
      limit,
      ...given({ overdue, cursor }),
      ...(query && { q: shortQuery(query) }),
      ...(priority && { priority: [priority] }),
      ...(dueAfter && { dueAfter: since(call, dueAfter) }),
      ...(dueBefore && { dueBefore: until(call, dueBefore) }),
    });
    return { tasks: data.map((task) => taskView(call, task)), nextCursor };
  },
});

const listEventsTool = agentTool({
  name: "list_events",
  title: "List events",
  description: "List calendar events by start. Default: the next 7 days. `match`: words of title or attendees.",
  effect: "reads",
  scopes: ["calendar:read"],
  input: z.strictObject({
    start: When.optional(),
    end: When.optional(),
    match: z.string().trim().min(1).max(200).optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ events: z.array(EventView), nextCursor: z.string().nullable() }),
  async run(call, { start, end, match, limit, cursor }) {
    const { ctx, timeZone } = call;
    if (match !== undefined) {
      const named = await matchingEvents({ ctx, timeZone }, { match, from: start, until: end });
      return { events: named.slice(0, limit).map((event) => eventView(call, event)), nextCursor: null };
    }
    const from = start === undefined ? ctx.now : since(call, start);
    const to = end === undefined ? new Date(from.getTime() + LIST_DAYS * DAY_MS) : until(call, end);
    const status = ["tentative" as const, "confirmed" as const];
    const { data, nextCursor } = await listEvents(ctx, { start: from, end: to, limit, status, ...given({ cursor }) });
    return { events: data.map((event) => eventView(call, event)), nextCursor };
  },
});

const MAX_SLOTS = 20;

const findFreeSlots = agentTool({
  name: "find_free_slots",
  title: "Find free times",
  description: "Find free times within working hours. Default: the next 7 days.",
  effect: "reads",
  scopes: ["calendar:read"],
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
    const shown = slots.slice(0, Math.min(limit, MAX_SLOTS));
    return {
      slots: shown.map((slot) => ({ start: timeIn(timeZone, slot.start), end: timeIn(timeZone, slot.end) })),
      truncated: slots.length > shown.length,
    };
  },
});

const dailyBrief = agentTool({
  name: "daily_brief",
  title: "Daily brief",
  description: "Today at a glance: events, tasks due, urgent emails, the next free time.",
  effect: "reads",
  scopes: ["calendar:read", "tasks:read", "emails:read"],
  input: z.strictObject({}),
  output: z.object({ now: Time, text: z.string().optional(), outside: Outside.optional() }),
  async run(call) {
    const { ctx, timeZone, fence } = call;
    const brief = await toolByName("daily_brief")?.run({ ctx, timeZone }, {});
    const text = String(brief?.text ?? "");
    const now = timeIn(timeZone, ctx.now.getTime());
    if (brief?.outside === false) return { now, text: text.slice(0, BRIEF_CHARACTERS) };
    return { now, outside: fence.members({ text }, BRIEF_CHARACTERS) };
  },
});

export const READING_TOOLS = [findMail, readMail, listTasksTool, listEventsTool, findFreeSlots, dailyBrief];
