import type { Context } from "../../context.ts";
import { dueMoment } from "../../lib/due.ts";
import { AppError } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import type { CalendarEvent } from "../calendar/events/event.ts";
import { eventsNamed, listEvents } from "../calendar/events/list.ts";
import type { EventFilter } from "../calendar/events/schemas.ts";
import { speakerOf } from "../people/speaking.ts";
import { listTasks } from "../tasks/list.ts";
import type { Task } from "../tasks/schemas.ts";
import { bestMatches, searchWords } from "./language/name-match.ts";
import { instantOf } from "./moment.ts";
import { AmbiguousMatch, isOutside, type ToolContext } from "./tool.ts";

const MAX_OPTIONS = 6;
const LOOK_AHEAD_DAYS = 90;
const CANDIDATES = 100;

interface TaskInput {
  id?: number | undefined;
  match?: string | undefined;
}

/** Replaces `match` by the id of the one open task that matches. */
export async function findTask<Input extends TaskInput>(
  context: ToolContext,
  input: Input,
  tool: string,
): Promise<Input> {
  const { match, ...rest } = input;
  if (input.id !== undefined || match === undefined) return input;
  const found = await matchingTasks(context, match);
  const [only] = found;
  if (!only) throw new AppError("not_found", `I found no open task called “${match}”.`);
  if (found.length === 1) return { ...input, ...rest, id: only.id, match: undefined };
  const options = found.slice(0, MAX_OPTIONS).map((task) => ({
    label: taskLabel(context, task),
    tool,
    input: { ...rest, id: task.id },
  }));
  throw new AmbiguousMatch(`More than one task matches “${match}”.`, options, found.some(isOutside));
}

/**
 * The open tasks that the words fit best. The search index finds those that have all of the words, or some, among all
 * tasks; only misspelled words are compared with the tasks that are due next.
 */
export async function matchingTasks({ ctx }: ToolContext, match: string): Promise<Task[]> {
  const words = searchWords(match);
  const queries = words.length === 0 ? [undefined] : [words.join(" "), words.join(" OR "), undefined];
  for (const q of new Set(queries)) {
    const query = { sort: "due", limit: CANDIDATES, ...(q !== undefined && { q }) } as const;
    const { data } = await listTasks(ctx, { ...query, status: ["todo", "in_progress", "waiting"] });
    const found = bestMatches(match, data, (task) => [task.title]);
    if (found.length > 0) return found;
  }
  return [];
}

function taskLabel({ ctx, timeZone }: ToolContext, task: Task): string {
  const due = dueMoment(task, timeZone);
  return due === null ? task.title : `${task.title} (due ${speakerOf(ctx, timeZone).day(due)})`;
}

interface EventInput extends TaskInput {
  occurrence?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

/** Replaces `match`, `from` and `until` by the one event that matches; for a series by its next occurrence. */
export async function findEvent<Input extends EventInput>(
  context: ToolContext,
  input: Input,
  tool: string,
): Promise<Input> {
  const { match, from, until, ...rest } = input;
  if (input.id !== undefined) return input;
  const found = await matchingEvents(context, input);
  const [only] = found;
  if (!only) throw new AppError("not_found", nothingFound(match));
  if (found.length === 1) return { ...input, ...eventRef(only), match: undefined, from: undefined, until: undefined };
  const options = found.slice(0, MAX_OPTIONS).map((event) => ({
    label: eventLabel(context, event),
    tool,
    input: { ...rest, ...eventRef(event) },
  }));
  throw new AmbiguousMatch(
    match ? `More than one event matches “${match}”.` : "There is more than one event at that time.",
    options,
    found.some(isOutside),
  );
}

function nothingFound(match: string | undefined): string {
  return match ? `I found no event called “${match}” ahead.` : "There is no event at that time.";
}

export function eventRef({ id, recurringEventId, originalStart }: CalendarEvent) {
  return originalStart === null ? { id } : { id: recurringEventId ?? id, occurrence: originalStart };
}

export function eventLabel({ ctx, timeZone }: ToolContext, event: CalendarEvent): string {
  const { day, span } = speakerOf(ctx, timeZone);
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)];
  return `${event.title}, ${event.allDay ? `${day(start)}, all day` : span(start, end)}`;
}

const MAX_PAGES = 5;

/** Reads several pages, because one daily event alone fills a page. */
async function allEvents(ctx: Context, range: Parameters<typeof listEvents>[1]): Promise<CalendarEvent[]> {
  const events: CalendarEvent[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { data, nextCursor } = await listEvents(ctx, { ...range, ...(cursor !== undefined && { cursor }) });
    events.push(...data);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return events;
}

/** All events that match equally well, each series once. */
export async function matchingEvents({ ctx, timeZone }: ToolContext, { match, from, until }: EventInput) {
  const start = from === undefined ? ctx.now : instantOf(from, timeZone);
  const end = until === undefined ? new Date(start.getTime() + LOOK_AHEAD_DAYS * DAY_MS) : instantOf(until, timeZone);
  const range: EventFilter = { start, end, status: ["tentative", "confirmed"], limit: CANDIDATES };
  const data = match === undefined ? (await listEvents(ctx, range)).data : await allEvents(ctx, range);
  const names = (event: CalendarEvent) => [
    event.title,
    ...event.attendees.flatMap(({ name, email }) => [name ?? "", email.split("@")[0] ?? ""]),
  ];
  const near = match === undefined ? data : bestMatches(match, data, names);
  const isWide = match !== undefined && near.length === 0 && from === undefined && until === undefined;
  const matching = isWide ? bestMatches(match, await eventsNamed(ctx, searchWords(match)), names) : near;
  const seen = new Set<number>();
  return matching.filter(({ recurringEventId }) => {
    if (recurringEventId === null) return true;
    const isFirst = !seen.has(recurringEventId);
    seen.add(recurringEventId);
    return isFirst;
  });
}
