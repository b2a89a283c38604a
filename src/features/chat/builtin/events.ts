import { namesEvent } from "../../../engine/assistant/errand-rules.ts";
import { type Asked, askedTime, saidMinutes } from "../../../engine/assistant/message-time.ts";
import { bestMatches, tellingWords } from "../../../engine/assistant/name-match.ts";
import { type EventSlots, eventSlots } from "../../../engine/assistant/slots.ts";
import { type Meant, meantRecord, moveSlots } from "../../../engine/assistant/target-record.ts";
import { whyNoDate } from "../../../engine/due-date.ts";
import { merge } from "../../../lib/intervals.ts";
import { counted, endOfDay } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import type { EventView, WrittenView } from "../tools/calendar.ts";
import type { Turn } from "../turn.ts";
import { eventLine, lines, type Reply, replyFor, shorten, speaker, toolResult, unchanged } from "./reply-text.ts";
import { changeTask, removeTask } from "./tasks.ts";

const iso = (moment: Date) => moment.toISOString();

interface EventList {
  events: EventView[];
  more: boolean;
}

export const eventsOf = (turn: Turn, input: Record<string, unknown>) =>
  toolResult<EventList>(turn, "list_events", { limit: 50, ...input });

/** Words of a question that do not name an event. */
const ASKING =
  /\b(?:what|what's|whats|which|when|when's|where|who|how|many|much|is|are|do|does|did|am|i|i'm|have|has|had|got|any|anything|show|list|tell|give|me|see|there|be|will|going|scheduled|planned|calendar|schedule|agenda|events?|meetings?|appointments?|today's|on|for|at|in|of|the|a|an|my|our|to|up|coming|next|upcoming|first|last|look|looks|like|please|can|you|could|let|know|need|want|set|time|times|day|date|happening|week|plans?|booked|if|with|and|or|from|between|about|it|that|this|now|check|find|out|supposed|must|should)\b/gi;

export async function listEvents(turn: Turn, message: string): Promise<Reply> {
  const asked = askedTime(message, turn.clock);
  const wanted = message
    .replace(asked?.label ?? "", " ")
    .replaceAll("’", "'")
    .replace(ASKING, " ");
  const words = tellingWords(wanted);
  const isNext = /\b(?:next|first) (?:meeting|event|appointment|call|thing)\b|\bwhat's next\b/i.test(message);
  const days = words.length > 0 || isNext ? 90 : 7;
  const range = asked
    ? rangeOf(turn, asked)
    : { start: turn.ctx.now, end: new Date(turn.ctx.now.getTime() + days * 86_400_000) };
  const between = { start: iso(range.start), end: iso(range.end) };
  const found = await eventsOf(turn, between);
  if ("text" in found) return found;
  const named = words.length > 0 ? await eventsNamed(turn, words.join(" "), between, found) : [];
  const isNamed = named.length > 0 || /\bwith \w+/i.test(message) || /^\s*when('s| is)\b/i.test(message);
  const events = words.length > 0 && isNamed ? named : found.events;
  const when = asked ? whenWords(asked) : `in the next ${days} days`;
  const which = words.length > 0 && isNamed ? ` for “${shorten(words.join(" "), 40)}”` : "";
  const [next] = events;
  if (!next) return { text: `There is nothing in your calendar ${when}${which}.` };
  if (isNext && !asked) return { text: `Next is ${eventLine(turn)(next)}.` };
  const count = `${counted(events.length, "event")}${found.more && events !== named ? " or more" : ""}`;
  return { text: lines(`You have ${count} ${when}${which}:`, events, eventLine(turn)) };
}

/** Searches again by name if the list was cut off. */
async function eventsNamed(turn: Turn, words: string, between: Record<string, unknown>, { events, more }: EventList) {
  const near = bestMatches(words, events, ({ title, attendees, location }) => [title, ...attendees, location ?? ""]);
  if (near.length > 0 || !more) return near;
  const far = await eventsOf(turn, { ...between, match: words });
  return "text" in far ? [] : far.events;
}

/** "at 3pm" means that moment, "today" the whole day. */
function rangeOf({ timeZone }: Turn, { start, end, isPoint, isClock }: Asked): { start: Date; end: Date } {
  return isPoint && !isClock ? { start, end: new Date(endOfDay(timeZone, start.getTime())) } : { start, end };
}

function whenWords({ label }: Asked): string {
  const words = label.toLowerCase();
  return /^(?:today|tomorrow|yesterday|tonight|this|next|now|the next|between|from|in)\b/.test(words)
    ? words
    : `on ${label}`.replace(/^on (\d[\d:.]*(?: ?[ap]m)?$|noon|midnight)/i, "at $1");
}

export async function freeTime(turn: Turn, message: string): Promise<Reply> {
  const asked = askedTime(message, turn.clock);
  const minutes = Math.min(
    Math.max(saidMinutes(message, turn.clock) ?? (/\bhour\b/i.test(message) ? 60 : 30), 5),
    1440,
  );
  if (asked?.isPoint && asked.isClock) return isFreeAt(turn, asked.start, minutes, /\bconflicts?\b/i.test(message));
  const range = asked && { start: iso(asked.start), end: iso(asked.end) };
  const outcome = await turn.call("find_free_slots", { durationMinutes: minutes, limit: 50, ...range });
  return replyFor<{ slots: { start: string; end: string }[] }>(outcome, ({ slots }) => {
    const when = asked ? whenWords(asked) : "in the next 7 days";
    if (slots.length === 0) return `You have no free slot of ${minutes} minutes within working hours ${when}.`;
    const { span } = speaker(turn);
    const gaps = merge(slots.map(({ start, end }) => ({ start: Date.parse(start), end: Date.parse(end) })));
    return lines(`You are free ${when}:`, gaps, (gap) => span(gap.start, gap.end));
  });
}

async function isFreeAt(turn: Turn, start: Date, minutes: number, isAboutConflict: boolean): Promise<Reply> {
  const end = new Date(start.getTime() + minutes * 60_000);
  const found = await eventsOf(turn, { start: iso(start), end: iso(end) });
  if ("text" in found) return found;
  const { moment } = speaker(turn);
  // As for free slots, what does not take up time does not count, such as an invitation from a stranger.
  const busy = found.events.filter((event) => event.busy && !event.allDay);
  const [free, taken] = isAboutConflict ? ["No", "Yes"] : ["Yes", "No"];
  if (busy.length === 0) return { text: `${free}, you are free ${moment(start.getTime())} for ${minutes} minutes.` };
  return { text: lines(`${taken}, ${moment(start.getTime())} is busy:`, busy, eventLine(turn)) };
}

export const NEEDS_TIME =
  /\b(?:meeting|call|sync|interview|appointment|lunch|dinner|breakfast|coffee|standup|stand-up|1:1|session|demo|dentist|doctor|room)\b/i;

export async function addEvent(turn: Turn, message: string): Promise<Reply> {
  const slots = eventSlots(message, turn.clock);
  const { title, start, end, durationMinutes, day, attendees, rrule } = slots;
  const length = end ? { end: iso(end) } : durationMinutes ? { durationMinutes } : {};
  const details = { ...(attendees.length > 0 && { attendees }), ...(rrule && { rrule }) };
  const when = start ? { start: iso(start), ...length } : day && { start: day, ...length, allDay: true };
  if (!title) {
    const input = { ...details, ...when };
    return { text: "What should I call it?", question: { kind: "what", tool: "create_event", input } };
  }
  const doubt = doubtAbout(turn, slots);
  if (doubt) return { ...askWhen(turn, { title, ...length, ...details }, null), text: doubt };
  if (start || (day && (end || !NEEDS_TIME.test(title)))) return createEvent(turn, { title, ...when, ...details });
  return askWhen(turn, { title, ...length, ...details }, day);
}

/** Why the event cannot be added as it was said, with a question for a better time. */
function doubtAbout({ ctx }: Turn, { doubt, span, start, end, rrule }: EventSlots): string | null {
  if (doubt) return `${doubt} When should it be?`;
  if (span) return `Which day and time ${span}?`;
  const isOver = start && !rrule && (end ?? start) < ctx.now;
  return isOver ? "That time is over. When should it be?" : null;
}

export function askWhen(turn: Turn, input: Record<string, unknown>, day: string | null): Reply {
  const { day: dayName } = speaker(turn);
  const text = day
    ? `At what time ${dayName(Date.parse(`${day}T12:00:00Z`))}?`
    : `When should “${shorten(`${input.title}`, 80)}” be?`;
  return { text, question: { kind: "when", tool: "create_event", input, day } };
}

const CONFLICTS_SHOWN = 3;

export function withConflicts(
  turn: Turn,
  text: string,
  { conflicts, allDay }: Pick<WrittenView, "conflicts" | "allDay">,
): string {
  if (allDay || conflicts.length === 0) return text;
  const { span, day, clock } = speaker(turn);
  const isWholeDay = (start: number, end: number) => start < end && clock(start) === "00:00" && clock(end) === "00:00";
  const when = (start: number, end: number) => (isWholeDay(start, end) ? `${day(start)}, all day` : span(start, end));
  const others = conflicts
    .slice(0, CONFLICTS_SHOWN)
    .map(({ title, start, end }) => `${shorten(title, 80)} (${when(Date.parse(start), Date.parse(end))})`);
  const more = conflicts.length > CONFLICTS_SHOWN ? " and more" : "";
  return `${text} It overlaps with ${others.join(", ")}${more}.`;
}

export async function createEvent(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<WrittenView>(await turn.call("create_event", input), (event) =>
    withConflicts(turn, `Added to your calendar: ${eventLine(turn)(event)}${input.rrule ? ", repeating" : ""}.`, event),
  );
}

/** The tool input that names the event. */
function eventRefOf({ match, from, until }: { match: string; from: Date | null; until: Date | null }) {
  return {
    ...(tellingWords(match).length > 0 ? { match } : {}),
    ...(from && { from: iso(from) }),
    ...(until && { until: iso(until) }),
  };
}

export async function moveEvent(turn: Turn, message: string): Promise<Reply> {
  const doubt = whyNoDate(message, turn.clock);
  if (doubt) return { text: unchanged(doubt) };
  const slots = moveSlots(message, turn.clock);
  const { to, end, isDay, isTime, shiftMinutes } = slots;
  const which = { ...eventRefOf(slots) };
  const target = Object.keys(which).length > 0 ? which : { from: iso(turn.ctx.now) };
  if (shiftMinutes !== null) return runEventTool(turn, "move_event", { ...target, shiftMinutes });
  if (!to) {
    return {
      text: "When should I move it to?",
      question: { kind: "when", tool: "move_event", input: target, day: null },
    };
  }
  const wall = new Date(toWall(turn.timeZone, to.getTime())).toISOString();
  const start = isDay
    ? { start: dateOf(Date.parse(wall)) }
    : isTime
      ? { time: wall.slice(11, 16) }
      : { start: iso(to) };
  const change = { ...target, ...start, ...(end && !isTime && { end: iso(end) }) };
  return orTask(turn, () => runEventTool(turn, "move_event", change), slots, message, changeTask);
}

export async function cancelEvent(turn: Turn, message: string): Promise<Reply> {
  const doubt = whyNoDate(message, turn.clock);
  if (doubt) return { text: unchanged(doubt) };
  const slots = meantRecord(message, turn.clock);
  const which = eventRefOf(slots);
  if (slots.isAll && !("match" in which)) return askToCancel(turn, slots.from, slots.until);
  const target = Object.keys(which).length > 0 ? which : { from: iso(turn.ctx.now) };
  return orTask(turn, () => runEventTool(turn, "cancel_event", target), slots, message, removeTask);
}

/** If no event matches, a task may: "postpone the tax return to monday". But "call with Bob" is never a task. */
async function orTask(
  turn: Turn,
  changeEvent: () => Promise<Reply>,
  { match, from }: Meant,
  message: string,
  changeTaskInstead: (turn: Turn, message: string) => Promise<Reply>,
): Promise<Reply> {
  const changes = () => turn.actions.length + turn.proposals.length;
  const before = changes();
  const isHandled = ({ question }: Reply) => changes() > before || question !== undefined;
  const asEvent = await changeEvent();
  const mayBeTask = from === null && tellingWords(match).length > 0 && !namesEvent(message);
  if (isHandled(asEvent) || !mayBeTask) return asEvent;
  const asTask = await changeTaskInstead(turn, message);
  return isHandled(asTask) ? asTask : asEvent;
}

/** Lists what would be cancelled before it asks. */
async function askToCancel(turn: Turn, from: Date | null, until: Date | null): Promise<Reply> {
  if (!from || !until) return { text: "Which day should I clear? For example: clear my calendar for friday." };
  const found = await eventsOf(turn, { start: iso(from), end: iso(until), limit: 10 });
  if ("text" in found) return found;
  const { events, more } = found;
  if (events.length === 0) return { text: "There is nothing in your calendar at that time." };
  const calls = events.map(({ id, occurrence, title }) => ({
    label: title,
    tool: "cancel_event",
    input: { id, ...(occurrence && { occurrence }) },
  }));
  const title = more ? "These are the first ten:" : `That is ${counted(events.length, "event")}:`;
  return {
    text: `${lines(title, events, eventLine(turn))}\nShould I cancel all of these? Say yes or no.`,
    question: { kind: "confirm", calls },
  };
}

export async function runEventTool(turn: Turn, tool: string, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<WrittenView>(await turn.call(tool, input), (event) => {
    const isBooked = event.source === "bookingsvc" ? " The booking at the provider is not changed." : "";
    if (tool === "cancel_event") return `Cancelled: ${eventLine(turn)(event)}.${isBooked}`;
    return withConflicts(turn, `Moved: ${eventLine(turn)(event)}.${isBooked}`, event);
  });
}

export async function dayBrief(turn: Turn): Promise<Reply> {
  return replyFor<{ text: string }>(await turn.call("daily_brief", {}), ({ text }) => text);
}
