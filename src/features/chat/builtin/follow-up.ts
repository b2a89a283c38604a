import type { ChatOption, ChatQuestion } from "../../../db/schema/chat.ts";
import { askedTime, datesIn, evening, saidMinutes, withoutPhrases } from "../../../engine/notes/message-time.ts";
import { taskSlots } from "../../../engine/notes/slots.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { ADDRESSES } from "../../../lib/text.ts";
import { dateOf, toInstant, toWall, wallDay, wallOfDate } from "../../../lib/time-zone.ts";
import { recordsIn } from "../../conversations/state.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import type { Errand } from "../language/errands/errand-rules.ts";
import { needsTime } from "../language/errands/whole-day.ts";
import { readAct } from "../language/follow-ups/act.ts";
import { isDenial, isHearsay, isQuestion } from "../language/follow-ups/denial.ts";
import { readEmailCommand } from "../language/follow-ups/email-command.ts";
import { nameIn } from "../language/follow-ups/loose-change.ts";
import { runChange } from "./amend.ts";
import { change, unsubscribe, writeDraft } from "./email-deeds.ts";
import { readEmail } from "./emails.ts";
import { askWhen, createEvent, runEventTool } from "./events.ts";
import { runInvitationTool } from "./invitations.ts";
import { type Reply, replyFor } from "./reply-text.ts";
import { createTask, dueInput, runTaskTool } from "./tasks.ts";
import { eventsAt, timeInAnswer } from "./timed-one.ts";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const YES =
  /^(?:go|fine|yes please|definitely|absolutely|exactly|of course|alright|all right|go for it|that's (?:right|fine|it|the one)|sounds good|perfect|yes|yep|yeah|yup|sure|ok|okay|do it|go ahead|please do|all(?: of them)?|confirm|right|correct)\b/i;
const NO = /^(?:no|nope|nah|none|neither|never ?mind|forget it|stop|cancel that|leave it|don't|not now)\b/i;
const ALL_OF_THEM = /^(?:yes,? )?(?:all(?: of (?:them|these|those))?|both(?: of them)?|everything|the lot)[\s.!]*$/i;

/** The reply if the message answers the last question; null if it is about something else. */
export async function answerFollowUp(turn: Turn, message: string, question: ChatQuestion): Promise<Reply | null> {
  const text = message.trim();
  if (NO.test(text) && text.split(/\s+/).length <= 5) return { text: "All right. I have not changed anything." };
  switch (question.kind) {
    case "which": {
      if (ALL_OF_THEM.test(text)) return performAll(turn, question.options);
      const chosen = chosenOption(text, question.options) ?? (await optionAt(turn, text, question.options));
      // The others can still be meant by "the other one".
      turn.offered(question.options);
      return chosen ? perform(turn, chosen) : null;
    }
    case "address": {
      const [address] = text.match(ADDRESSES) ?? [];
      if (!address) return null;
      return runChange(turn, {
        tool: question.tool,
        input: { ...question.input, addAttendees: [address.toLowerCase()] },
      });
    }
    case "confirm":
      return YES.test(text) ? performAll(turn, question.calls) : null;
    case "when":
      return answerTime(turn, text, question);
    case "what":
      return isNewErrand(text) || isHearsay(text) || isQuestion(text)
        ? null
        : perform(turn, named(turn, text, question));
  }
}

/** The name may come with a time: "to water the plants tomorrow at 5". */
function named(turn: Turn, text: string, { tool, input }: ChatQuestion & { kind: "what" }): ChatOption {
  const said = text.replace(/(?<![\s.!])[\s.!]+$/, "").replace(/^(?:to|that|about|call it|name it) /i, "");
  if (tool === "create_task") {
    const { title, due, rule } = taskSlots(said, turn.clock);
    const repeated = rule && { rrule: rule.rrule, repeatFrom: rule.from };
    return {
      tool,
      label: title,
      input: { ...(due && dueInput(turn, due)), ...repeated, ...input, title: title || said },
    };
  }
  if (tool === "draft_mail") {
    const body = `${said.replace(/^(?:that|say|saying) /i, "").replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}.`;
    return { tool, label: "", input: { subject: body.split(/[.!?]/)[0]?.slice(0, 60), ...input, body } };
  }
  const title = said.slice(0, 300).replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  return { tool, label: title, input: { ...input, title } };
}

const ANYTHING_ELSE: readonly Errand[] = [
  "list_events",
  "list_tasks",
  "brief",
  "free_time",
  "summarise_mail",
  "attention",
  "complete_task",
  "change_task",
  "remove_task",
  "move_event",
  "cancel_event",
  "find_mail",
  "help",
  "thanks",
  "goodbye",
  "greeting",
  "yes",
];
const PRAISES =
  /^(?:(?:very|so|really|that's|all) )*(?:good|great|fine|perfect|lovely|nice|cool|right|well|super|splendid|brilliant)[\s.!]*$/i;
/** "put both of them on it" is about something that is there. */
const ABOUT_RECORDS =
  /^(?:put|stick|move|pop|add) (?:it|that|them|both|all|the|my)\b.* (?:on|to|onto|in) (?:it|that|there)[\s.!]*$/i;
const isNewErrand = (text: string) =>
  PRAISES.test(text) ||
  isQuestion(text) ||
  isHearsay(text) ||
  isDenial(text) ||
  (text.includes(",") && text.split(" ").length > 8) ||
  readEmailCommand(text) !== null ||
  readAct(text) !== null ||
  ANYTHING_ELSE.includes(errandOf(text)) ||
  ABOUT_RECORDS.test(text);

function chosenOption(text: string, options: readonly ChatOption[]): ChatOption | undefined {
  const words = text.toLowerCase();
  const number = /^(?:(?:the|number|no\.?|option|#)\s*)*(\d)\b/.exec(words)?.[1];
  if (number && words.length < 20) return options[Number(number) - 1];
  const ordinal = ORDINALS.findIndex((word) => new RegExp(`\\b${word}\\b`).test(words));
  if (ordinal >= 0 && words.split(" ").length <= 6) return options[ordinal];
  if (/\blast\b/.test(words) && words.split(" ").length <= 6) return options.at(-1);
  // "The call" is one of them, if only one of them is called so.
  const isKind = /^(?:the|my) \p{L}+[\s.!]*$/u.test(words) && !/\b(?:it|one|task|event)\b/.test(words);
  if ((tellingWords(text).length === 0 && !isKind) || words.split(" ").length > 10) return undefined;
  const named = bestMatches(text, options, ({ label }) => [label]);
  return named.length === 1 ? named[0] : undefined;
}

/** "the afternoon one", of events */
async function optionAt(turn: Turn, text: string, options: readonly ChatOption[]): Promise<ChatOption | undefined> {
  const words = timeInAnswer(text.replace(/(?<![\s.!])[\s.!]+$/, ""));
  if (!words) return undefined;
  const records = options.flatMap(({ tool, input, label }) => recordsIn(tool, { ...input, title: label }, turn.state));
  const [only, ...others] = await eventsAt(turn, words, records);
  const at = only && others.length === 0 ? records.indexOf(only) : -1;
  return records.length === options.length ? options[at] : undefined;
}

function perform(turn: Turn, { tool, input }: ChatOption): Promise<Reply> | Reply {
  if (tool === "create_task") return createTask(turn, input);
  if (tool === "create_event") {
    if (input.start !== undefined) return createEvent(turn, input);
    return { text: "When should it be?", question: { kind: "when", tool, input, day: null } };
  }
  if (tool === "respond_to_invitation") return runInvitationTool(turn, input);
  if (tool === "update_event") return runChange(turn, { tool, input });
  if (tool === "read_mail") return readEmail(turn, Number(input.id));
  if (tool === "update_mail") {
    const { id, ...changes } = input;
    return change(turn, { id: Number(id) }, changes, "");
  }
  if (tool === "draft_mail") return writeDraft(turn, input);
  if (tool === "unsubscribe") return unsubscribe(turn, input);
  return tool.endsWith("_task") ? runTaskTool(turn, tool, input) : runEventTool(turn, tool, input);
}

async function performAll(turn: Turn, calls: readonly ChatOption[]): Promise<Reply> {
  let done = 0;
  const failed: string[] = [];
  for (const { tool, input } of calls) {
    const outcome = await turn.callConfirmed(tool, input);
    if (outcome.status === "done") done += 1;
    else failed.push(replyFor(outcome, () => "").text);
  }
  return { text: [...(done > 0 ? [`Done: ${doneWords(calls, done)}.`] : []), ...new Set(failed)].join(" ") };
}

function doneWords([first]: readonly ChatOption[], done: number): string {
  switch (first?.tool) {
    case "cancel_event":
      return counted(done, "event cancelled", "events cancelled");
    case "complete_task":
      return counted(done, "task completed", "tasks completed");
    case "update_mail":
      return counted(done, "email changed", "emails changed");
    case "update_task":
      return first.input.status === "cancelled"
        ? `${counted(done, "task")} removed from your list`
        : counted(done, "task changed", "tasks changed");
    default:
      return counted(done, "change");
  }
}

const MOST_WORDS_BESIDE = 3;

/** "The deck went out last night, tick that off": a sentence of its own, in which a time is only mentioned. */
function saysMore(text: string, clock: Turn["clock"]): boolean {
  const beside = nameIn(withoutPhrases(text, datesIn(text, clock)).split(/[\s,;:–-]+/));
  return beside.split(" ").length > MOST_WORDS_BESIDE && !/^(?:with|about|regarding|for|at|in)\b/i.test(text);
}

/** "schedule tea with Nour at 8" begins anew. */
const ANOTHER_COMMAND =
  /^(?:please |and |also |then |ok(?:ay)?,? )*(?:schedule|book|add|create|set up|remind me|cancel|delete|remove|archive|star|mark|draft|reply|forward|snooze) (?!it\b|that\b|this\b|for\b|at\b|on\b)\p{L}/iu;

async function answerTime(turn: Turn, text: string, question: ChatQuestion & { kind: "when" }): Promise<Reply | null> {
  const { timeZone, clock } = turn;
  const { tool, day, input } = question;
  // "what have I got on the 26th?" names a time, but does not answer.
  if (isQuestion(text) || saysMore(text, clock) || ANOTHER_COMMAND.test(text)) return null;
  // "In a perfect world nobody would schedule anything on a Friday" is no answer.
  if (isHearsay(text) || /\b(?:nobody|never|would|wish)\b/i.test(text)) return null;
  const name = `${input.title}`;
  const length = /^(?:for|it takes|make it) |(?:is|will be) (?:enough|plenty|fine)[\s.!]*$/i.test(text)
    ? text.replace(/^(?=\d|an? |half )/i, "for ")
    : LENGTH_BEHIND.exec(text)?.[0];
  const minutes = length ? saidMinutes(length, clock) : null;
  const words = text
    .replace(/^(?:what|how) about |^(?:sorry|no|then|so|ok)[\s,]+/gi, "")
    .replace(/(?<![\s,])[\s,]+then[\s.!]*$/i, "")
    .replace(LENGTH_BEHIND, "");
  const near = spanClock(turn, words, question.span);
  const asked = askedTime(evening(words, name), near) ?? askedTime(evening(`at ${words}`, name), near);
  if (!asked && minutes !== null) {
    const longer = { ...question, input: { ...input, durationMinutes: minutes } };
    return { text: `When should “${name}” be?`, question: longer };
  }
  if (!asked) return answerOtherwise(text, question);
  const wall = toWall(timeZone, asked.start.getTime());
  if (!asked.isClock && question.time) {
    // "sorry, tomorrow": the time was said before.
    const start = new Date(toInstant(timeZone, Date.parse(`${dateOf(wall)}T${question.time}:00Z`))).toISOString();
    return perform(turn, { label: "", tool, input: { ...input, start } });
  }
  if (tool === "create_event" && !asked.isClock && needsTime(`${name} ${text}`)) {
    return askWhen(turn, input, dateOf(wall));
  }
  // "at 3" means the day named before.
  const onDay = (moment: Date) =>
    day && asked.isClockOnly
      ? new Date(toInstant(timeZone, wallOfDate(day) + toWall(timeZone, moment.getTime()) - wallDay(wall)))
      : moment;
  const start = asked.isClock ? onDay(asked.start).toISOString() : dateOf(wall);
  const isLong = asked.isClock && !asked.isPoint && input.end === undefined && input.durationMinutes === undefined;
  const ends = isLong
    ? { end: onDay(asked.end).toISOString() }
    : asked.isClock && minutes !== null
      ? { durationMinutes: minutes }
      : {};
  const allDay = tool === "create_event" && !asked.isClock ? { allDay: true } : {};
  return perform(turn, { label: "", tool, input: { ...input, start, ...ends, ...allDay } });
}

/** "tomorrow at 11, 45 min" */
const LENGTH_BEHIND =
  /(?:,? for|,) (?:about |around )?(?:an?|half an?|one|two|three|\d+(?:\.5)?) ?(?:hours?|h|minutes?|mins?)[\s.!]*$/i;

/** After "next week", a weekday is one of that week. */
function spanClock({ clock, timeZone }: Turn, text: string, span: string | undefined): Turn["clock"] {
  const isRelative =
    /\b(?:today|tomorrow|tonight|in \d|week|month|\d{1,2}[./-]\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b/i;
  const from = span && !isRelative.test(text) ? askedTime(span, clock)?.start : undefined;
  if (!from) return clock;
  return { ...clock, reference: new Date(toInstant(timeZone, wallDay(toWall(timeZone, from.getTime())))) };
}

/** More about the event that still needs a time, or a message without a time. */
function answerOtherwise(text: string, question: ChatQuestion & { kind: "when" }): Reply | null {
  const { tool, input } = question;
  const { title } = input;
  if (tool === "create_event" && typeof title === "string" && /^(?:with|about|regarding)\b/i.test(text)) {
    const longer = `${title} ${text.replace(/(?<![\s.!])[\s.!]+$/, "")}`.slice(0, 300);
    return { text: `When should “${longer}” be?`, question: { ...question, input: { ...input, title: longer } } };
  }
  const isOther = readAct(text) !== null || readEmailCommand(text) !== null;
  return errandOf(text) === "unknown" && !isOther
    ? { text: "I did not find a time in that. When should it be?", question }
    : null;
}
