import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import {
  askedTime,
  datesIn,
  isMoment,
  saidMinutes,
  withoutCourtesies,
  withoutPhrases,
} from "../../../engine/notes/message-time.ts";
import { taskSlots } from "../../../engine/notes/slots.ts";
import { toWall } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { listsInUse } from "../../tasks/lists/service.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import { TO_DO_TOO } from "../language/wording/everyday-words.ts";
import { addEvent } from "./events.ts";
import { justWritten } from "./references.ts";
import type { Reply } from "./reply-text.ts";
import { addTask, createTask, dueInput } from "./tasks.ts";

const ANOTHER =
  /^(?:and |also |then )*(?:(?:set|add|make|create|schedule|book|do|have|repeat|copy) )?(?:another|one more|a second|(?:and )?one(?= (?:on|at|for|tomorrow|next))|(?:the )?same(?: thing| one| again| event| meeting)*|(?:it|that)(?= again))(?: one| reminder| task| event| meeting)?(?: again)? (?<when>(?:for|at|on|in|tomorrow|next|this|tonight|every|the (?:day|week|month) (?:after|before))\b.*)$/i;
/** "for chapter 5, I'm fast today" is no time. */
const MOST_BESIDE_TIME = 0;
/** "another one at 7 for the garlic bread" */
const ANOTHER_FOR =
  /^(?:and |also |then |plus )*(?:(?:set|add|make|create) )?(?:another|one more|a second)(?: one| reminder| task)? (?<when>(?:at|on|for|in|tomorrow|tonight|next)\b.{1,25}?) (?:for|about|to) (?<what>(?!(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|\d)\p{L}.{2,60})$/iu;
const SAME_HOURS =
  /(?<![\s,])[\s,]+(?:too|as well|also|(?:at |for )?(?:the )?same (?:hours|times?|length))(?=$|[\s,.!])/gi;
const MORE =
  /^(?:(?:and|also|plus|oh|yes|ok|then)[\s,]{1,9}){0,6}(?:(?:i|we) (?:also |still )?(?:need|want) |(?:i|we)(?:'re| are|'ve| have)? (?:also |nearly |almost |all )?(?:run |running )?(?:out of|low on) )?(?<items>[\p{L}\p{N}' -]{2,40}?(?:(?:,| and) [\p{L}\p{N}' -]{2,40}?){0,6})(?: too| as well| please|,? (?:on |to |for )?(?:the )?same list){0,6}[\s.!]{0,9}$/iu;

/** "and butter", "butter too" */
const SAYS_MORE =
  /^(?:oh[\s,]+|yes[\s,]+|ok[\s,]+)*(?:and|also|plus)[\s,]|\b(?:too|as well|also|same list)(?: please)?[\s.!]*$|\b(?:out of|low on) /i;

/** "add butter to it", after something was put on a list, or the list was shown. */
const TO_IT =
  /^(?:and |also |please )*(?:add|put|stick|pop|throw) (?<items>[\p{L}\p{N}', -]{2,120}?) (?:there|(?:to|on|onto) (?:it|there|that|that list|this list|the same list|the list|(?:the|my) (?<named>[\p{L}\d-]{2,30}(?: [\p{L}\d-]{2,30})?) one))(?: too| as well| please)*[\s.!]*$/iu;

async function addToList(turn: Turn, message: string): Promise<Reply | null> {
  const { act } = turn.state;
  const asked = turn.state.asked ?? turn.state.lastAsked ?? null;
  const { items, named } = TO_IT.exec(message)?.groups ?? {};
  const shown = asked === null ? null : listNameIn(asked);
  // "the hardware one", of the lists that are there.
  const other = named
    ? (await listsInUse(turn.ctx)).find(({ name }) => name.toLowerCase() === named.toLowerCase())
    : null;
  if (named && !other) return null;
  const list =
    other?.name ?? (act?.tool === "create_task" && typeof act.input.list === "string" ? act.input.list : shown);
  if (!items || !list || /^(?:it|that|this|them|both)\b/i.test(items)) return null;
  return addTask(turn, `add ${items} to the ${list} list`);
}

const ADDS_THINGS =
  /^(?:and |also |please |then |ok )*(?:add|note down|put down|stick on|put) (?<items>[\p{L}\p{N}' -]{2,40}?(?:(?:,| and|, and) [\p{L}\p{N}' -]{2,40}?)*)(?: too| as well| please)*[\s.!]*$/iu;

/** "add ribbon and a card", after a list was shown or something was put on it. */
export async function addThings(turn: Turn, message: string): Promise<Reply | null> {
  const { act, asked } = turn.state;
  const items = ADDS_THINGS.exec(message)?.groups?.items;
  const written = act?.tool === "create_task" && typeof act.input.list === "string" ? act.input.list : null;
  const list = asked === null ? written : listNameIn(asked);
  if (!items || !list || !isThings(items) || datesIn(items, turn.clock).some(isMoment)) return null;
  return /\b(?:task|reminder|event|meeting|it|that|them|star|tag|label|note)\b/i.test(items)
    ? null
    : addTask(turn, `add ${items} to the ${list} list`);
}

const DAY =
  "(?:next |this )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: the \\d{1,2}(?:st|nd|rd|th))?|tomorrow|today|the \\d{1,2}(?:st|nd|rd|th)";
/** "tuesday as well" and "and sundays 12 to 5": the same on another day. */
const AS_WELL = new RegExp(
  `^(?:and |also |oh |plus )*(?:on )?(?<when>(?:${DAY})(?: .{1,20}?)?) (?:too|as well|also)(?:[ ,]+(?:please|then|thanks|actually|for me|(?:at )?(?:the )?same (?:time|hours|times)))*$`,
  "i",
);
const AND_DAYS =
  /^(?:and|also|plus) (?:on )?(?<day>(?:mon|tues|wednes|thurs|fri|satur|sun)day)s(?<time>(?: (?:at|from))? ?\d.*)?$/i;

function dayToo(message: string): string | undefined {
  const text = message.replace(/(?<![\s.!])[\s.!]+$/, "");
  if (/\?$/.test(text)) return undefined;
  const when = AS_WELL.exec(text)?.groups?.when;
  const { day, time = "" } = AND_DAYS.exec(text)?.groups ?? {};
  return when ? `on ${when.replace(/^on /i, "")}` : day && `every ${day}${time}`;
}

/** "and friday the 27th", after the same event was put on a second day. */
const AND_ON = new RegExp(`^(?:and|plus|also|then)[\\s,]+(?:also )?(?:on |for )?(?<when>${DAY})$`, "i");

function dayAfterCopy(turn: Turn, message: string): string | undefined {
  const when = AND_ON.exec(message.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups?.when;
  const [[last, ...others] = [], [before] = []] = turn.state.groups;
  const isCopy =
    last?.kind === "event" && before?.kind === "event" && last.title === before.title && last.id !== before.id;
  return when && isCopy && others.length === 0 && turn.state.isWritten ? `on ${when}` : undefined;
}

const ALSO = /^(?:and|also|then|plus)[\s,]/i;

/** "and call dad at 7", after a task was added. */
async function addTaskToo(turn: Turn, message: string): Promise<Reply | null> {
  const said = message.replace(/, (?:that's|it's|that is|which is|it is) (?=for |due |on |by )/i, " ");
  const what = ALSO.test(said) && justWritten(turn, ["task"]).length > 0 ? TO_DO_TOO.exec(said)?.[1] : undefined;
  if (!what || /\b(?:it|that|this|them|those|both)\b|^(?:cancel|change|put|make|clear)\b/i.test(what)) return null;
  return datesIn(what, turn.clock).some(isMoment) ? addTask(turn, `remind me to ${what}`) : null;
}

/** "another one for half ten", or after something was put on a list: "and butter". */
export async function addAnother(turn: Turn, message: string): Promise<Reply | null> {
  const onList =
    (await addToList(turn, message)) ?? (await addThings(turn, message)) ?? (await addTaskToo(turn, message));
  if (onList) return onList;
  const when =
    ANOTHER.exec(withoutCourtesies(message))?.groups?.when?.replace(SAME_HOURS, "") ??
    dayToo(message) ??
    dayAfterCopy(turn, message);
  const other = justWritten(turn, ["task"]).length > 0 ? ANOTHER_FOR.exec(message)?.groups : undefined;
  if (other?.when && other.what && isOnlyTime(turn, other.when))
    return addTask(turn, `remind me of ${other.what} ${other.when}`);
  const [latest = []] = turn.state.groups;
  const written = justWritten(turn, ["task", "event"]);
  const [record, ...others] = written.length > 0 || !when ? written : latest.filter(({ kind }) => kind === "event");
  if (!record) return null;
  if (when && others.length === 0 && isOnlyTime(turn, when)) {
    if (record.kind === "event") return copyEvent(turn, record, when);
    const { due } = taskSlots(`remind me to do it ${when}`, turn.clock);
    return due && createTask(turn, { title: record.title, ...dueInput(turn, due) });
  }
  const { act } = turn.state;
  const items = SAYS_MORE.test(message) ? MORE.exec(message)?.groups?.items : undefined;
  if (!items || act?.tool !== "create_task" || act.input.list === undefined || !isThings(items)) return null;
  const replies: Reply[] = [];
  for (const item of items.split(/,\s*(?:and )?| and /)) {
    const thing = item.trim().replace(/^(?:some|a bit of) /i, "");
    const title = thing.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
    replies.push(await createTask(turn, { title, list: act.input.list }));
  }
  return { text: replies.map(({ text }) => text).join("\n") };
}

function isOnlyTime({ clock }: Turn, when: string): boolean {
  const dates = datesIn(when, clock).filter((found) => isMoment(found) || found.type === "set");
  return dates.length > 0 && tellingWords(withoutPhrases(when, dates)).length <= MOST_BESIDE_TIME;
}

/** Without a time of its own, the copy has the time and the length of the event. */
async function copyEvent(turn: Turn, { id, occurrence, title }: ChatRecord, when: string): Promise<Reply> {
  const asked = askedTime(when, turn.clock);
  const event = await getEvent(turn.ctx, id, occurrence ? new Date(occurrence) : undefined);
  if (!asked || event.allDay || /\b(?:every|each)\b/i.test(when)) return addEvent(turn, `schedule ${title} ${when}`);
  const clock = new Date(toWall(turn.timeZone, Date.parse(event.start))).toISOString().slice(11, 16);
  const minutes = (Date.parse(event.end) - Date.parse(event.start)) / 60_000;
  const length =
    saidMinutes(when, turn.clock) || (asked.isClock && !asked.isPoint)
      ? ""
      : ` for ${minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`}`;
  return addEvent(turn, `schedule ${title} ${when}${asked.isClock ? "" : ` at ${clock}`}${length}`);
}

const isThings = (items: string) =>
  items.split(/,\s*(?:and )?| and /).every(
    (item) =>
      item
        .replace(
          /\b(?:an?|some|two|three|four|\d+|bottles?|packs?|packets?|bags?|tins?|cans?|boxe?s?|loaf|loaves|of)\b/gi,
          "",
        )
        .trim()
        .split(/\s+/).length <= 3,
  ) &&
  tellingWords(items).length > 0 &&
  !/^(?:the (?:first|second|last|other)|it|that|this|them|both|him|her)\b/i.test(items) &&
  errandOf(items) === "unknown";
