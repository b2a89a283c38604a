import { whyNoDate } from "../../../engine/due-date.ts";
import { type Asked, askedTime } from "../../../engine/notes/message-time.ts";
import { type EventSlots, eventSlots } from "../../../engine/notes/slots.ts";
import { counted, endOfDay } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { type EventView, eventView, type WrittenView } from "../../tools/calendar.ts";
import { matchingEvents } from "../../tools/find-record.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { namesEvent } from "../language/errands/errand-rules.ts";
import { type Meant, type MoveSlots, meantRecord, moveSlots } from "../language/errands/target-record.ts";
import { needsTime } from "../language/errands/whole-day.ts";
import { withPlace } from "./event-place.ts";
import { inHalfOf } from "./half-of-day.ts";
import { eventLine, lines, type Reply, replyFor, shorten, speaker, toolResult, unchanged } from "./reply-text.ts";
import { changeTask, listTasks, removeTask } from "./tasks.ts";

const iso = (moment: Date) => moment.toISOString();

interface EventList {
  events: EventView[];
  more: boolean;
}

export const eventsOf = (turn: Turn, input: Record<string, unknown>) =>
  toolResult<EventList>(turn, "list_events", { limit: 50, ...input });

/** Words of a question that do not name an event. */
const ASKING =
  /\b(?:what|what's|whats|which|when|when's|where|who|how|many|much|is|are|do|does|did|am|i|i'm|have|has|had|got|any|anything|show|list|tell|give|me|see|there|be|will|going|scheduled|planned|calendar|schedule|agenda|events?|meetings?|appointments?|today's|on|for|at|in|of|the|a|an|my|our|to|up|coming|next|upcoming|first|last|earliest|latest|thing|things|i've|ve|we've|happening|busy|free|seeing|doing|sessions?|look|looks|like|please|can|you|could|let|know|need|want|set|time|times|day|date|happening|week|plans?|booked|if|with|and|or|from|between|about|it|that|this|now|check|find|out|supposed|must|should)\b/gi;

export async function listEvents(turn: Turn, message: string): Promise<Reply> {
  const asked = askedTime(message, turn.clock);
  const wanted = message
    .replace(asked?.label ?? "", " ")
    .replaceAll("’", "'")
    .replace(ASKING, " ");
  const words = tellingWords(wanted);
  const isNext = /\b(?:next|first|earliest) (?:meeting|event|appointment|call|thing)\b|\bwhat's next\b/i.test(message);
  const days = words.length > 0 || isNext ? 90 : 7;
  const range = asked
    ? rangeOf(turn, asked)
    : { start: turn.ctx.now, end: new Date(turn.ctx.now.getTime() + days * 86_400_000) };
  const between = { start: iso(range.start), end: iso(range.end) };
  const found = await eventsOf(turn, between);
  if ("text" in found) return found;
  const named = words.length > 0 ? await eventsNamed(turn, words.join(" "), between, found) : [];
  const isNamed = named.length > 0 || /\bwith \w+/i.test(message) || /^\s*when('s| is)\b/i.test(message);
  const events = words.length > 0 && isNamed ? named : ofKind(message, found.events);
  const when = asked ? whenWords(turn, asked) : `in the next ${days} days`;
  const which = words.length > 0 && isNamed ? ` for “${shorten(words.join(" "), 40)}”` : "";
  const [next] = events;
  if (!next && isNext && !asked) {
    // A reminder may be what comes next.
    const due = await listTasks(turn, "which tasks are due today");
    if (turn.shown.length > 0) return due;
  }
  if (!next) return { text: `There is nothing in your calendar ${when}${which}.` };
  const isLast = /\b(?:last|latest|final) (?:meeting|event|appointment|call|thing)\b/i.test(message);
  if (isNext || (isLast && asked)) {
    const one = isNext ? next : (events.at(-1) ?? next);
    const { id, occurrence, title } = one;
    turn.shown = [{ kind: "event", id, ...(occurrence && { occurrence }), title }];
    return { text: `${isLast ? "Last" : asked ? "First" : "Next"} is ${eventLine(turn)(one)}.` };
  }
  turn.shown = events.slice(0, 20).map(({ id, occurrence, title }) => ({
    kind: "event",
    id,
    ...(occurrence && { occurrence }),
    title,
  }));
  const count = `${counted(events.length, "event")}${found.more && events !== named ? " or more" : ""}`;
  return { text: lines(`You have ${count} ${when}${which}:`, events, eventLine(turn)) };
}

/** "any calls tomorrow?" means calls, if there are some. */
function ofKind(message: string, events: readonly EventView[]): readonly EventView[] {
  const kind = /\b(call|interview|review|lunch|dinner|workshop|demo)e?s?\b/i.exec(message)?.[1];
  const fitting = kind ? events.filter(({ title }) => new RegExp(`\\b${kind}`, "i").test(title)) : [];
  return fitting.length > 0 ? fitting : events;
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

export function whenWords(turn: Turn, { label, start }: Asked): string {
  if (/^\d{4}-\d\d-\d\d/.test(label)) return `on ${speaker(turn).day(start.getTime())}`;
  const words = label.toLowerCase();
  return /^(?:today|tomorrow|yesterday|tonight|this|next|now|the next|between|from|in)\b/.test(words)
    ? words
    : `on ${label}`.replace(/^on (\d[\d:.]*(?: ?[ap]m)?$|noon|midnight)/i, "at $1");
}

export async function addEvent(turn: Turn, message: string): Promise<Reply> {
  const slots = eventSlots(message, turn.clock);
  const { start, end, durationMinutes, day, attendees, rrule } = slots;
  const { title, location } = await withPlace(turn, slots.title, message);
  const length = end ? { end: iso(end) } : durationMinutes ? { durationMinutes } : {};
  const details = {
    ...(location && { location }),
    ...(attendees.length > 0 && { attendees }),
    ...(rrule && { rrule }),
  };
  const when = start ? { start: iso(start), ...length } : day && { start: day, ...length, allDay: true };
  if (!title) {
    const input = { ...details, ...when };
    return { text: "What should I call it?", question: { kind: "what", tool: "create_event", input } };
  }
  const doubt = doubtAbout(turn, slots);
  if (doubt) {
    const { question } = askWhen(turn, { title, ...length, ...details }, null);
    const time =
      slots.time ?? (start ? new Date(toWall(turn.timeZone, start.getTime())).toISOString().slice(11, 16) : null);
    const known = { ...(time && { time }), ...(slots.span && { span: slots.span }) };
    const kept = end && start ? { durationMinutes: (end.getTime() - start.getTime()) / 60_000 } : {};
    return question?.kind === "when"
      ? { text: doubt, question: { ...question, ...known, input: { ...withoutEnd(question.input), ...kept } } }
      : { text: doubt };
  }
  if (start || (day && (end || rrule || !needsTime(`${title} ${message}`))))
    return createEvent(turn, { title, ...when, ...details });
  return askWhen(turn, { title, ...length, ...details }, day);
}

/** The end belongs to a day that is not meant. */
function withoutEnd({ end: _, ...input }: Record<string, unknown>) {
  return input;
}

/** Why the event cannot be added as it was said, with a question for a better time. */
function doubtAbout({ ctx }: Turn, { doubt, span, start, end, rrule }: EventSlots): string | null {
  if (doubt) return `${doubt} When should it be?`;
  if (span) return `Which day and time ${span}?`;
  const isOver = start && !rrule && (end ?? start) < ctx.now;
  return isOver ? "That time is over, it has already passed. When should it be?" : null;
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
    withConflicts(
      turn,
      `Added to your calendar: ${eventLine(turn)(event)}${input.rrule ? ", repeating" : ""}.${uninvited(event)}`,
      event,
    ),
  );
}

/** People who are noted are not invited, and the person must not believe that they are. */
export function uninvited({ attendees }: Pick<WrittenView, "attendees">): string {
  return attendees.length > 0 ? ` With ${attendees.join(", ")}. No invitation was sent.` : "";
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
  const { isDay, isTime, shiftMinutes } = slots;
  const which = { ...eventRefOf(slots) };
  const target = Object.keys(which).length > 0 ? which : { from: iso(turn.ctx.now) };
  if (shiftMinutes !== null) return runEventTool(turn, "move_event", { ...target, shiftMinutes });
  const { to, end } = await timesOfMove(turn, slots, target);
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
  const minutes = isTime && end ? { durationMinutes: Math.round((end.getTime() - to.getTime()) / 60_000) } : {};
  const change = { ...target, ...start, ...minutes, ...(end && !isTime && { end: iso(end) }) };
  return orTask(turn, () => runEventTool(turn, "move_event", change), slots, message, changeTask);
}

/** "move dinner to 8", of a dinner at 19:00, means 20:00. */
async function timesOfMove(turn: Turn, { to, end, isOpenHour }: MoveSlots, which: object) {
  const [event, ...others] = to && isOpenHour ? await matchingEvents(turn, which) : [];
  if (!to || !event || others.length > 0 || event.allDay) return { to, end };
  const near = inHalfOf(turn, to, event.start);
  return { to: near, end: end && new Date(end.getTime() + (near.getTime() - to.getTime())) };
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
  // In "call the bank" it is what is to be done, and no event.
  const namesTask = /^(?:call|meet|plan|schedule) (?!with\b|about\b|at\b)/i.test(match);
  const mayBeTask = from === null && tellingWords(match).length > 0 && (namesTask || !namesEvent(message));
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

const CANNOT =
  /\b(?:can't|cannot|can not|won't(?: be able to)?|not able to|unable to|am not going to|'m not going to) (?:make|attend|come to|go to|be at|join|do) (?:it to )?(?<name>.{1,200})$/i;

/** "I won't be able to make book club": says nothing about what is to be done, so it asks. */
export async function cannotAttend(turn: Turn, message: string): Promise<Reply | null> {
  const name = CANNOT.exec(message.replaceAll("’", "'").replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups?.name;
  if (!name) return null;
  const which = eventRefOf(meantRecord(name, turn.clock));
  const [only, ...others] = "match" in which ? await matchingEvents(turn, which) : [];
  if (!only || others.length > 0) return null;
  const view = eventView(only);
  const { id, occurrence, title } = view;
  const input = { id, ...(occurrence && { occurrence }) };
  turn.hasReadUntrusted ||= view.outside;
  turn.shown = [{ kind: "event", ...input, title }];
  return {
    text: `${eventLine(turn)(view)}. Should I cancel it? Say yes or no.`,
    question: { kind: "confirm", calls: [{ label: title, tool: "cancel_event", input }] },
  };
}

export async function runEventTool(turn: Turn, tool: string, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<WrittenView>(await turn.call(tool, input), (event) => {
    const isBooked = event.source === "bookingsvc" ? " The booking at the provider is not changed." : "";
    if (tool === "cancel_event") return `Cancelled: ${eventLine(turn)(event)}.${isBooked}`;
    return withConflicts(turn, `Moved: ${eventLine(turn)(event)}.${isBooked}`, event);
  });
}
