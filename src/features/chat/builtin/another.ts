import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import { askedTime, datesIn, isMoment, saidMinutes, withoutCourtesies } from "../../../engine/notes/message-time.ts";
import { taskSlots } from "../../../engine/notes/slots.ts";
import { toWall } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { errandOf } from "../language/errands/errand.ts";
import { tellingWords } from "../language/errands/name-match.ts";
import { TO_DO_TOO } from "../language/wording/everyday-words.ts";
import type { Turn } from "../turn.ts";
import { addEvent } from "./events.ts";
import { justWritten } from "./references.ts";
import type { Reply } from "./reply-text.ts";
import { addTask, createTask, dueInput } from "./tasks.ts";

const ANOTHER =
  /^(?:and |also |then )*(?:(?:set|add|make|create|schedule|book|do|have|repeat|copy) )?(?:another|one more|a second|(?:and )?one(?= (?:on|at|for|tomorrow|next))|(?:the )?same(?: thing| one| again| event| meeting)*|(?:it|that)(?= again))(?: one| reminder| task| event| meeting)?(?: again)? (?<when>(?:for|at|on|in|tomorrow|next|this|tonight|every|the (?:day|week|month) (?:after|before))\b.*)$/i;
const SAME_HOURS = /[\s,]+(?:too|as well|also|(?:at |for )?(?:the )?same (?:hours|times?|length))(?=$|[\s,.!])/gi;
const MORE =
  /^(?:and|also|plus|oh and|and also)[\s,]+(?<items>[\p{L}\p{N}' -]{2,40}?(?:(?:,| and) [\p{L}\p{N}' -]{2,40}?)*)(?: too| as well| please)*[\s.!]*$/iu;

/** "add butter to it", after something was put on a list, or the list was shown. */
const TO_IT =
  /^(?:and |also |please )*(?:add|put|stick|pop|throw) (?<items>[\p{L}\p{N}', -]{2,120}?) (?:to|on|onto) (?:it|there|that|that list|this list|the same list|the list)(?: too| as well| please)*[\s.!]*$/iu;

async function addToList(turn: Turn, message: string): Promise<Reply | null> {
  const { act } = turn.state;
  const asked = turn.state.asked ?? turn.state.lastAsked ?? null;
  const items = TO_IT.exec(message)?.groups?.items;
  const shown = asked === null ? null : listNameIn(asked);
  const list = act?.tool === "create_task" && typeof act.input.list === "string" ? act.input.list : shown;
  if (!items || !list || /^(?:it|that|this|them|both)\b/i.test(items)) return null;
  return addTask(turn, `add ${items} to the ${list} list`);
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
  const text = message.replace(/[\s.!]+$/, "");
  if (/\?$/.test(text)) return undefined;
  const when = AS_WELL.exec(text)?.groups?.when;
  const { day, time = "" } = AND_DAYS.exec(text)?.groups ?? {};
  return when ? `on ${when.replace(/^on /i, "")}` : day && `every ${day}${time}`;
}

/** "and friday the 27th", after the same event was put on a second day. */
const AND_ON = new RegExp(`^(?:and|plus|also|then)[\\s,]+(?:also )?(?:on |for )?(?<when>${DAY})$`, "i");

function dayAfterCopy(turn: Turn, message: string): string | undefined {
  const when = AND_ON.exec(message.replace(/[\s.!]+$/, ""))?.groups?.when;
  const [[last, ...others] = [], [before] = []] = turn.state.groups;
  const isCopy =
    last?.kind === "event" && before?.kind === "event" && last.title === before.title && last.id !== before.id;
  return when && isCopy && others.length === 0 && turn.state.isWritten ? `on ${when}` : undefined;
}

const ALSO = /^(?:and|also|then|plus)[\s,]/i;

/** "and call dad at 7", after a task was added. */
async function addTaskToo(turn: Turn, message: string): Promise<Reply | null> {
  const what = ALSO.test(message) && justWritten(turn, ["task"]).length > 0 ? TO_DO_TOO.exec(message)?.[1] : undefined;
  if (!what || /\b(?:it|that|this|them|those|both)\b/i.test(what)) return null;
  return datesIn(what, turn.clock).some(isMoment) ? addTask(turn, `remind me to ${what}`) : null;
}

/** "another one for half ten", or after something was put on a list: "and butter". */
export async function addAnother(turn: Turn, message: string): Promise<Reply | null> {
  const onList = (await addToList(turn, message)) ?? (await addTaskToo(turn, message));
  if (onList) return onList;
  const when =
    ANOTHER.exec(withoutCourtesies(message))?.groups?.when?.replace(SAME_HOURS, "") ??
    dayToo(message) ??
    dayAfterCopy(turn, message);
  const [latest = []] = turn.state.groups;
  const written = justWritten(turn, ["task", "event"]);
  const [record, ...others] = written.length > 0 || !when ? written : latest.filter(({ kind }) => kind === "event");
  if (!record) return null;
  if (
    when &&
    others.length === 0 &&
    datesIn(when, turn.clock).some((found) => isMoment(found) || found.type === "set")
  ) {
    if (record.kind === "event") return copyEvent(turn, record, when);
    const { due } = taskSlots(`remind me to do it ${when}`, turn.clock);
    return due && createTask(turn, { title: record.title, ...dueInput(turn, due) });
  }
  const { act } = turn.state;
  const items = MORE.exec(message)?.groups?.items;
  if (!items || act?.tool !== "create_task" || act.input.list === undefined || !isThings(items)) return null;
  const replies: Reply[] = [];
  for (const item of items.split(/,\s*(?:and )?| and /)) {
    const thing = item.trim().replace(/^(?:some|a bit of) /i, "");
    const title = thing.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
    replies.push(await createTask(turn, { title, list: act.input.list }));
  }
  return { text: replies.map(({ text }) => text).join("\n") };
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
  items.split(/,\s*(?:and )?| and /).every((item) => item.trim().split(" ").length <= 3) &&
  tellingWords(items).length > 0 &&
  !/^(?:the (?:first|second|last|other)|it|that|this|them|both|him|her)\b/i.test(items) &&
  errandOf(items) === "unknown";
