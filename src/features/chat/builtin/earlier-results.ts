import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { datesIn, isMoment, saidMinutes } from "../../../engine/notes/message-time.ts";
import { BARE_RANGE } from "../../../engine/notes/slots.ts";
import { dueMoment } from "../../../lib/due.ts";
import { DAY_MS, dateOf, toWall } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { getTask } from "../../tasks/service.ts";
import type { Turn } from "../../tools/turn.ts";
import { toldEvent } from "../language/errands/told-event.ts";
import { REF, readReference } from "../language/follow-ups/reference.ts";
import { timeInEmail } from "./email-meeting.ts";
import { eventMeant } from "./event-place.ts";
import { addEvent } from "./events.ts";
import { meant } from "./references.ts";
import { lines, type Reply, shorten } from "./reply-text.ts";
import { mayRead } from "./scopes.ts";

const THEN = /\b(?:at that time|at this time|for that time|at that|for then|then)[\s.!?]*$/i;
/** "Put drinks there", after a free time was asked about. */
const THERE = /(?<!\s)\s+(?:in )?there[\s.!]*$/i;
const SAME_TIME = /\b(?:at )?(?:the |that )?same time\b/i;

/** "that morning", "the same day": the day of the event that the conversation is about. */
const THAT_DAY =
  /\b(?:on |for )?(?:that same|that|(?:the )?same) (?<part>day|morning|afternoon|evening|night|(?<=same )(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i;
/** "the day before at 4pm", "the week after" */
const NEAR_DAY =
  /\b(?:on )?the (?<unit>day|week|morning|afternoon|evening|night) (?<side>before|after)(?: (?:that|it|this))?(?! (?:the|my|i|we|he|she|they)\b)/i;
const AFTER_THAT =
  /\b(?:(?:right |straight |directly |immediately |just )?(?:after(?:wards)? (?:that|it|this)(?: one)?|afterwards)|(?:right|straight|directly|immediately) after(?=$|[\s.!,]*$))/i;
/** "straight after, 4.20": the hour says it. */
const AFTER_IT_AT =
  /,? (?:right|straight|directly|immediately) after(?:wards)?(?: (?:that|it))?,? (?:at )?(?=\d{1,2}[:.]?\d{0,2}(?: ?[ap]m)?[\s.!]*$)/i;
const CREATES =
  /\b(?:schedule|book|add|put|stick|coffee|dinner|drinks|plus|create|set up|plan|another|one|meeting|call|lunch|remind)\b/i;
const ANOTHER_ONE =
  /^(?:and |then |also )*(?:(?:schedule|book|add) )?(?:another|an?) one\b|^(?:and |then |also )*one(?= with)/i;

/** The message with "then", "that day" and "the same time" replaced by the time that the conversation is about. */
export async function withMeantTime(turn: Turn, said: string): Promise<string> {
  const ranged = BOOKS_AT.test(said) ? said.replace(BARE_RANGE, "from $1 to $2") : said;
  const message = ranged.replace(AFTER_IT_AT, " at ");
  const near = await onNearDay(turn, message);
  if (near) return near;
  const moments = datesIn(message, turn.clock).filter(isMoment);
  if (THEN.test(message) && moments.length === 0) return atThatTime(turn, message);
  if (BOOKS_AT.test(message) && THERE.test(message) && moments.length === 0) return atThatTime(turn, message, THERE);
  const added = await onDayOfLast(turn, message, moments);
  if (added) return added;
  if (isClockOnly(message, moments) && !THAT_DAY.test(message)) return onAskedDay(turn, message);
  const isMoved =
    /\b(?:mov(?:e|es|ed|ing)|shift(?:s|ed)?|push(?:es|ed)?|goes|reschedule[sd]?|postpone[sd]?|change[sd]?)\b/i.test(
      message,
    );
  const isSame = SAME_TIME.test(message) && !isMoved && !moments.some(({ type }) => /time/.test(type));
  const isAfter = AFTER_THAT.test(message) && moments.length === 0;
  if (!isSame && !isAfter && !THAT_DAY.test(message)) return message;
  const event = CREATES.test(message) || THAT_DAY.test(message) ? await eventMeant(turn) : null;
  if (!event && THAT_DAY.test(message)) return onDayOfEmail(turn, message);
  if (!event) return message;
  const wall = (at: string) => new Date(toWall(turn.timeZone, Date.parse(at))).toISOString();
  const named = isSame || isAfter ? message.replace(ANOTHER_ONE, event.title.replace(/ with .*/i, "")) : message;
  if (isAfter)
    return named
      .replace(THAT_DAY, "")
      .replace(AFTER_THAT, `on ${wall(event.end).slice(0, 10)} at ${wall(event.end).slice(11, 16)}`);
  if (isSame) return named.replace(SAME_TIME, `at ${wall(event.start).slice(11, 16)}`);
  const day = wall(event.start).slice(0, 10);
  return named.replace(THAT_DAY, (_, part: string) => (/day/i.test(part) ? `on ${day}` : `on ${day} in the ${part}`));
}

/** The day before or after the event that the conversation is about. */
async function onNearDay(turn: Turn, message: string): Promise<string | null> {
  const { unit, side } = NEAR_DAY.exec(message)?.groups ?? {};
  const isMore =
    /\b(?:schedule|book|add|create|set up|plan|put|stick|another|one|remind|what|anything|free|do i)\b/i.test(message);
  const event = unit && isMore && !/^(?:move|push|make|change|shift)\b/i.test(message) ? await eventMeant(turn) : null;
  if (!event || !unit) return null;
  const days = (unit.toLowerCase() === "week" ? 7 : 1) * (side?.toLowerCase() === "before" ? -1 : 1);
  const wall = new Date(toWall(turn.timeZone, Date.parse(event.start)) + days * DAY_MS).toISOString();
  const part = /day|week/i.test(unit) ? "" : ` in the ${unit}`;
  const clock = SAME_TIME.test(message) ? ` at ${wall.slice(11, 16)}` : "";
  return message
    .replace(SAME_TIME, "")
    .replace(NEAR_DAY, `on ${wall.slice(0, 10)}${part}${clock}`)
    .replace(/(?<!\s)\s+(?:at )?$/, "");
}

/** "… that same day", after a task that is due then, or an email that names a day. */
async function onDayOfEmail(turn: Turn, message: string): Promise<string> {
  const [[record] = []] = turn.state.groups;
  const task = record?.kind === "task" && mayRead(turn, "tasks:read") ? await getTask(turn.ctx, record.id) : null;
  const at = (task && dueMoment(task, turn.timeZone)) ?? (await timeInEmail(turn))?.getTime();
  const day = at && new Date(toWall(turn.timeZone, at)).toISOString().slice(0, 10);
  if (!day) return message;
  return message.replace(THAT_DAY, (_, part: string) => (/day/i.test(part) ? `on ${day}` : `on ${day} in the ${part}`));
}

const BOOKS_AT =
  /^(?:(?:ok(?:ay)?|great|please|then|and|so|right|good|perfect)[\s,]+)*(?:schedule|book|add|put|set up|pencil|arrange|plan)\b/i;

/** "book an hour with Lena at ten": no day, unless it is the one that was just asked about. */
const isClockOnly = (message: string, moments: readonly FoundDate[]) =>
  BOOKS_AT.test(message) && moments.length > 0 && moments.every(({ type }) => /^time/.test(type));

const ALSO = /^(?:oh )?(?:and|also|plus|then)\b/i;

/** "also tutorial at 2", after an event was added: on the same day. */
async function onDayOfLast(turn: Turn, message: string, moments: readonly FoundDate[]): Promise<string | null> {
  const isOpen = moments.length > 0 && moments.every(({ type }) => /^time/.test(type));
  const [[last, ...others] = []] = turn.state.groups;
  if (
    !isOpen ||
    !ALSO.test(message) ||
    THAT_DAY.test(message) ||
    !turn.state.isWritten ||
    last?.kind !== "event" ||
    others.length > 0
  )
    return null;
  const event = toldEvent(message, turn.clock) ? await eventMeant(turn) : null;
  return event ? `${message} on ${dateOf(toWall(turn.timeZone, Date.parse(event.start)))}` : null;
}

async function onAskedDay(turn: Turn, message: string): Promise<string> {
  const { state, clock } = turn;
  const asked = state.asked === null || state.isWritten ? [] : datesIn(state.asked, clock).filter(isMoment);
  const [said, ...others] = asked.filter(({ type }) => /^date/.test(type) && !/range$/.test(type));
  const text = message.replace(/(?<![\s,])[\s,]+then[\s.!]*$/i, "").replace(/(?<!\s)\s+(?:in )?there\b/i, "");
  const part =
    asked.length === 1 ? /\b(?:today|tomorrow|(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i : null;
  const name = said && others.length === 0 ? said.text : part?.exec(asked[0]?.text ?? "")?.[0];
  if (name) return `${text} ${/^(?:today|tomorrow|on)\b/i.test(name) ? name : `on ${name}`}`;
  // "at 12:30 then", after what is there on Monday was told.
  const day = text === message ? null : await shownDay(turn);
  return day ? `${text} on ${day}` : text;
}

/** The day of the events that the conversation is about, if it is one. */
async function shownDay(turn: Turn): Promise<string | null> {
  const records = (turn.state.groups[0] ?? []).filter(({ kind }) => kind === "event" || kind === "slot").slice(0, 5);
  const days = new Set<string>();
  for (const { id, occurrence, start: slot } of records) {
    const { start } = slot
      ? { start: slot }
      : await getEvent(turn.ctx, id, occurrence ? new Date(occurrence) : undefined);
    days.add(dateOf(toWall(turn.timeZone, Date.parse(start))));
  }
  return days.size === 1 ? ([...days][0] ?? null) : null;
}

/** "Am I free then?", after a question about a time or an email that names one. */
async function atThatTime(turn: Turn, message: string, place = THEN): Promise<string> {
  const said = turn.state.asked === null ? [] : datesIn(turn.state.asked, turn.clock).filter(isMoment);
  if (said.length > 0) return message.replace(place, ` ${said.map(({ text }) => text).join(" ")}`);
  const isFree = /\b(?:free|available|busy|time)\b/i.test(message);
  const event = isFree || /\b(?:day|calendar|what|anything|else)\b/i.test(message) ? await eventMeant(turn) : null;
  const start = event ? new Date(event.start) : isFree ? await timeInEmail(turn) : null;
  if (!start) return message;
  if (event && !isFree) {
    return message.replace(THEN, `on ${dateOf(toWall(turn.timeZone, start.getTime()))}`);
  }
  const wall = new Date(toWall(turn.timeZone, start.getTime())).toISOString();
  return message.replace(THEN, `on ${wall.slice(0, 10)} at ${wall.slice(11, 16)}`);
}

const BOOKS = new RegExp(
  `^(?:(?:ok(?:ay)?|great|please|then|and|so)[\\s,]{1,9}){0,6}(?:book|take|schedule|use|reserve|block|pick) (?:${REF}(?: (?:for|with) (?<what>.+))?|(?<first>.{1,200}?) (?:at|in|for|on|into) (?<slot>the (?:first|second|third|last)(?: free| open)? (?:slot|one|time|gap|option))(?<length> for .+)?)$`,
  "i",
);

/** "the first one's fine", "the second works" */
const TAKES =
  /^(?:(?:ok(?:ay)?|great|please|then|and|so|let's (?:take|go (?:with|for))|i'll (?:take|go (?:with|for))|go (?:with|for))[\s,]+)*(?:the )?(?<ref>(?:first|second|third|last)(?: (?:one|slot|time|option))?)(?:'s| is| would be| will be| looks| sounds)?(?: (?:fine|good|great|perfect|ok(?:ay)?|works(?: for me)?|please|best|will do))*$/i;

/** "book the first one for a call with Uma": one of the free times that were shown. */
export async function bookSlot(turn: Turn, message: string): Promise<Reply | null> {
  const text = message.replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const groups =
    BOOKS.exec(text)?.groups ?? (turn.state.groups[0]?.[0]?.kind === "slot" ? TAKES.exec(text)?.groups : undefined);
  if (!groups) return null;
  const found = meant(
    turn,
    readReference(groups.ref ?? groups.slot?.replace(/ (?:free|open|gap|option)\b/gi, "") ?? ""),
    ["slot"],
  );
  const start = found && "records" in found ? found.records[0]?.start : undefined;
  if (!start) return null;
  const wall = new Date(toWall(turn.timeZone, Date.parse(start))).toISOString();
  const what = groups.what ?? (groups.first ? `${groups.first}${groups.length ?? ""}` : wantedSlot(turn));
  return addEvent(turn, `schedule ${what} on ${wall.slice(0, 10)} at ${wall.slice(11, 16)}`);
}

/** What the free time was asked for: "find me half an hour with Ben". */
function wantedSlot({ state, clock }: Turn): string {
  const minutes = saidMinutes(state.asked ?? "", clock);
  const person = /\bwith (?:\p{Lu}[\p{L}'-]+)(?: \p{Lu}[\p{L}'-]+)?/u.exec(state.asked ?? "")?.[0];
  return `a meeting${person ? ` ${person}` : ""}${minutes ? ` for ${minutes} minutes` : ""}`;
}

const WHICH =
  /^(?:and )?(?:which(?: ones?)?(?: are (?:they|those|these))?|what are they|show (?:me )?(?:them|those|these)|list them|who)[\s?.!]*$/i;

/** "which ones?" after a number. */
export async function showAgain(turn: Turn, message: string): Promise<Reply | null> {
  const [records = []] = turn.state.groups;
  if (!WHICH.test(message) || records.length === 0) return null;
  turn.shown = [...records];
  return { text: lines("These:", records, ({ title }) => shorten(title)) };
}
