import type { ChatRecord } from "../../../db/schema/chat.ts";
import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { datesIn, isMoment, joinDayAndTime } from "../../../engine/notes/message-time.ts";
import { dueMoment } from "../../../lib/due.ts";
import { AppError } from "../../../lib/errors.ts";
import { DAY_MS, dateOf, toWall } from "../../../lib/time-zone.ts";
import type { Email } from "../../emails/schemas.ts";
import { getEmail } from "../../emails/service.ts";
import { getTask } from "../../tasks/service.ts";
import { withoutTakenBack } from "../request/corrections.ts";
import { withoutStop } from "../request/exact.ts";
import { type Moment, momentOf } from "../request/times.ts";
import { mayRead } from "./find.ts";
import { eventOf, onlyOf, type Sight } from "./plan.ts";

/*
 * Words whose meaning the conversation gives: "the same day", "right after that", "with her". They are put into plain
 * words before the message is read, so that nothing behind has to know about them.
 */

const SAME_DAY = /\b(?:on |am |le |el )?(?:(?:the same|that|this) day|(?:selben|gleichen) tag|même jour|mismo día)\b/i;
const SAME_PART = /\b(?:on )?that (morning|afternoon|evening)\b/i;
const SAME_TIME =
  /\b(?:(?:at )?the same (?:time|hour)|zur (?:gleichen|selben) (?:uhr)?zeit|à la même heure|a la misma hora)\b/i;
const DAY_AFTER =
  /\b(?:on )?the (?:day after|following day|next day)(?: (?:that|it))?\b(?! (?:tomorrow|the|my|our))|\b(?:am )?tag danach\b|\ble lendemain\b|\bal día siguiente\b/i;
const DAY_BEFORE =
  /\b(?:on )?the (?:day before|previous day)(?: (?:that|it))?\b(?! (?:yesterday|the|my|our))|\b(?:am )?tag davor\b|\bla veille\b|\bel día anterior\b/i;
const RIGHT_AFTER =
  /\b(?:(?:right|straight|directly|immediately|just) (?:after(?:wards)?)(?: (?:that|it|this))?|after (?:that|it))\b(?! (?:the|my|our))(?=\s*(?:$|[.,!?]))|^(?:and )?(?:right|straight) after (?:that|it)\b|\bdirekt danach\b|\bjuste après\b|\bjusto después\b/i;
const REMINDS = /\b(?:remind|reminder|erinner\w*|rappel\w*|rappelle\w*|recu[eé]rda\w*)\b/i;
const GOES_ON = /^(?:and|also|plus|then|what about|how about|und|auch|et|aussi|y|también)\b/i;
const WITH_PERSON = /\b(with|mit|avec|con) (?:her|him|ihr|ihm|elle|lui|ella|él)\b/i;
const PERSON = /\b(?:with|mit|avec|con)\s+(\p{Lu}[\p{L}'-]*(?:\s\p{Lu}[\p{L}'-]*)?)/u;
/** "Sunday's ought to begin at 4" */
const DAYS_ONE =
  /\b((?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow)'s(?=[.,!?]|$| (?:ought|should|must|has|needs?|can|could|is|to|at|instead)\b)/gi;
const LONGEST_ON = 9;

interface Anchor {
  /** As in 2026-11-20. */
  day: string;
  /** As in 15:30; null for a whole day. */
  start: string | null;
  end: string | null;
}

export async function inPlainWords(sight: Sight, message: string): Promise<string> {
  const text = withPerson(sight, message).replace(DAYS_ONE, "the $1 one");
  const isRelative = [SAME_DAY, SAME_PART, SAME_TIME, DAY_AFTER, RIGHT_AFTER].some((form) => form.test(text));
  const isBefore = DAY_BEFORE.test(text) && !REMINDS.test(text);
  const isOpen = wantsDay(sight, text);
  if (!isRelative && !isBefore && !isOpen) return text;
  const anchor = dayBefore(sight, text) ?? (await anchorOf(sight));
  if (!anchor) return text;
  const { day, start, end } = anchor;
  const shifted = (days: number) => `on ${dateOf(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS)}`;
  if (isOpen) return `${withoutStop(text)} on ${day}${text.endsWith("?") ? "?" : ""}`;
  const plain =
    end && RIGHT_AFTER.test(text) ? text.replace(SAME_DAY, "").replace(RIGHT_AFTER, `on ${day} at ${end}`) : text;
  return plain
    .replace(SAME_TIME, start ? `at ${start}` : "")
    .replace(SAME_DAY, shifted(0))
    .replace(SAME_PART, `${shifted(0)} in the $1`)
    .replace(DAY_AFTER, shifted(1))
    .replace(isBefore ? DAY_BEFORE : /$^/, shifted(-1))
    .replace(/\b(to|for|until|till|by|on)\s+on (?=\d)/i, "$1 ");
}

/** "Add it on Sunday, and what else is on that day?": the day that the message itself has named. */
function dayBefore({ clock }: Sight, text: string): Anchor | null {
  const at = SAME_DAY.exec(text)?.index ?? 0;
  const day = momentOf(datesIn(text.slice(0, at), clock), clock)?.day ?? null;
  return day === null ? null : { day, start: null, end: null };
}

/** "Also coffee with Bo at 2", "what about 5pm?": the day of what was just added or asked about. */
function wantsDay({ state, clock }: Sight, text: string): boolean {
  const isNext = GOES_ON.test(text) && text.split(" ").length <= LONGEST_ON;
  const isKnown = state.act?.tool === "create_event" || (state.asked === "ask_free" && !state.isWritten);
  if (!isNext || !isKnown) return false;
  const moments = datesIn(text, clock).filter((found) => isMoment(found));
  return moments.length > 0 && moments.every(({ type }) => type === "time" || type === "timerange");
}

/** "With her": the person in the latest title that names a person. */
function withPerson({ state }: Sight, text: string): string {
  if (!WITH_PERSON.test(text)) return text;
  const named = state.groups.flat().flatMap(({ title }) => PERSON.exec(title)?.[1] ?? [])[0];
  return named ? text.replace(WITH_PERSON, `$1 ${named}`) : text;
}

/** The time of the records in the last reply, if all of them are on one day. */
export async function anchorOf(sight: Sight): Promise<Anchor | null> {
  const [latest = []] = sight.state.groups;
  const anchors: Anchor[] = [];
  for (const record of latest.slice(0, 3)) {
    const anchor = await whenIs(sight, record);
    if (anchor) anchors.push(anchor);
  }
  const [first] = anchors;
  if (!first || anchors.some(({ day }) => day !== first.day)) return null;
  return anchors.length === 1 ? first : { day: first.day, start: null, end: null };
}

/** When a record is, in the person's time; null if it has no time. */
export async function whenIs(sight: Sight, record: ChatRecord): Promise<Anchor | null> {
  const { kind, id, start } = record;
  const { ctx, timeZone } = sight;
  const wall = (instant: number) => new Date(toWall(timeZone, instant)).toISOString();
  const at = (from: number, to: number | null): Anchor => ({
    day: wall(from).slice(0, 10),
    start: wall(from).slice(11, 16),
    end: to === null ? null : wall(to).slice(11, 16),
  });
  try {
    if (kind === "slot") return start ? at(Date.parse(start), null) : null;
    if (kind === "event") {
      if (!mayRead(sight, "calendar:read")) return null;
      const event = await eventOf(sight, record);
      const when = at(Date.parse(event.start), Date.parse(event.end));
      return event.allDay ? { ...when, start: null, end: null } : when;
    }
    if (kind === "email") return mayRead(sight, "emails:read") ? dayOfEmail(sight, await getEmail(ctx, id)) : null;
    const due = kind === "task" && mayRead(sight, "tasks:read") ? dueMoment(await getTask(ctx, id), timeZone) : null;
    return due === null ? null : { ...at(Number(due), null), start: null };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** The only day to come that an email names. */
function dayOfEmail(sight: Sight, email: Email): Anchor | null {
  const ahead = timesOfEmail(sight, email).filter(({ at }) => at > sight.ctx.now);
  const day = onlyOf([...new Set(ahead.map((each) => each.day))]);
  const start = onlyOf([...new Set(ahead.map(({ time }) => time))]) ?? null;
  return day ? { day, start, end: null } : null;
}

const LONGEST_EMAIL = 2000;
/** After these words, a time is a deadline and not the time of an event. */
const BY = /\b(?:by|until|till|before|bis|vor|avant|antes de)\s(?:the )?$/i;

/**
 * The times that an email names, as they were meant when it was written: "tomorrow" is the day after. A task has to be done
 * until one of its deadlines, if it has any.
 */
export function timesOfEmail(sight: Sight, email: Pick<Email, "body" | "receivedAt">, isTask = false): Moment[] {
  const due = isTask ? timesWith(sight, email, (before) => BY.test(before)) : [];
  return due.length > 0 ? due : timesWith(sight, email, (before) => !BY.test(before));
}

function timesWith(
  { clock }: Sight,
  { body, receivedAt }: Pick<Email, "body" | "receivedAt">,
  isMeant: (before: string) => boolean,
): Moment[] {
  const then = { ...clock, reference: new Date(receivedAt) };
  const sentences = body.slice(0, LONGEST_EMAIL).split(/(?<=[.!?])\s+|\n+/);
  const found = sentences.flatMap((sentence) => {
    const said = withoutTakenBack(sentence, then);
    const isTime = (each: FoundDate) => isMoment(each) && each.type !== "set" && isMeant(said.slice(0, each.start));
    const dates = datesIn(said, then).filter(isTime);
    const [day, ...days] = dates.filter(({ type }) => type === "date");
    if (!day || days.length > 0) return dates;
    // "Tuesday at 11:00 or 15:30"
    const joined = dates.flatMap((each) => joinDayAndTime([day, each], then)?.found ?? []);
    return joined.length > 0 ? joined : dates;
  });
  return found.flatMap((each) => momentOf([each], then) ?? []);
}
