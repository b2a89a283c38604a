import type { ChatOption, ChatQuestion } from "../../../db/schema/chat.ts";
import { errandOf } from "../../../engine/assistant/errand.ts";
import type { Errand } from "../../../engine/assistant/errand-rules.ts";
import { askedTime, evening } from "../../../engine/assistant/message-time.ts";
import { bestMatches, tellingWords } from "../../../engine/assistant/name-match.ts";
import { taskSlots } from "../../../engine/assistant/slots.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { ADDRESSES } from "../../../lib/text.ts";
import { dateOf, toInstant, toWall, wallDay, wallOfDate } from "../../../lib/time-zone.ts";
import type { Turn } from "../turn.ts";
import { runChange } from "./amend.ts";
import { change, unsubscribe, writeDraft } from "./email-deeds.ts";
import { readEmail } from "./emails.ts";
import { askWhen, createEvent, NEEDS_TIME, runEventTool } from "./events.ts";
import { runInvitationTool } from "./invitations.ts";
import { type Reply, replyFor } from "./reply-text.ts";
import { createTask, dueInput, runTaskTool } from "./tasks.ts";

const ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"];
const YES = /^(?:yes|yep|yeah|yup|sure|ok|okay|do it|go ahead|please do|all(?: of them)?|confirm|right|correct)\b/i;
const NO = /^(?:no|nope|nah|none|neither|never ?mind|forget it|stop|cancel that|leave it|don't|not now)\b/i;
const ALL_OF_THEM = /^(?:yes,? )?(?:all(?: of (?:them|these|those))?|both(?: of them)?|everything|the lot)[\s.!]*$/i;

/** The reply if the message answers the last question; null if it is about something else. */
export async function answerFollowUp(turn: Turn, message: string, question: ChatQuestion): Promise<Reply | null> {
  const text = message.trim();
  if (NO.test(text) && text.split(/\s+/).length <= 5) return { text: "All right. I have not changed anything." };
  switch (question.kind) {
    case "which": {
      if (ALL_OF_THEM.test(text)) return performAll(turn, question.options);
      const chosen = chosenOption(text, question.options);
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
      return isNewErrand(text) ? null : perform(turn, named(turn, text, question));
  }
}

/** The name may come with a time: "to water the plants tomorrow at 5". */
function named(turn: Turn, text: string, { tool, input }: ChatQuestion & { kind: "what" }): ChatOption {
  const said = text.replace(/[\s.!]+$/, "").replace(/^(?:to|that|about|call it|name it) /i, "");
  if (tool === "create_task") {
    const { title, due, rule } = taskSlots(said, turn.clock);
    const repeated = rule && { rrule: rule.rrule, repeatFrom: rule.from };
    return {
      tool,
      label: title,
      input: { ...(due && dueInput(turn, due)), ...repeated, ...input, title: title || said },
    };
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
];
const isNewErrand = (text: string) => ANYTHING_ELSE.includes(errandOf(text));

function chosenOption(text: string, options: readonly ChatOption[]): ChatOption | undefined {
  const words = text.toLowerCase();
  const number = /^(?:(?:the|number|no\.?|option|#)\s*)*(\d)\b/.exec(words)?.[1];
  if (number && words.length < 20) return options[Number(number) - 1];
  const ordinal = ORDINALS.findIndex((word) => new RegExp(`\\b${word}\\b`).test(words));
  if (ordinal >= 0 && words.split(" ").length <= 6) return options[ordinal];
  if (/\blast\b/.test(words) && words.split(" ").length <= 6) return options.at(-1);
  if (tellingWords(text).length === 0 || words.split(" ").length > 10) return undefined;
  const named = bestMatches(text, options, ({ label }) => [label]);
  return named.length === 1 ? named[0] : undefined;
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

async function answerTime(turn: Turn, text: string, question: ChatQuestion & { kind: "when" }): Promise<Reply | null> {
  const { timeZone, clock } = turn;
  const { tool, day, input } = question;
  const name = `${input.title}`;
  const asked = askedTime(evening(text, name), clock) ?? askedTime(evening(`at ${text}`, name), clock);
  if (!asked) return answerOtherwise(text, question);
  const wall = toWall(timeZone, asked.start.getTime());
  if (tool === "create_event" && !asked.isClock && NEEDS_TIME.test(name) && !/all.day/i.test(text)) {
    return askWhen(turn, input, dateOf(wall));
  }
  // "at 3" means the day named before.
  const onDay = (moment: Date) =>
    day && asked.isClockOnly
      ? new Date(toInstant(timeZone, wallOfDate(day) + toWall(timeZone, moment.getTime()) - wallDay(wall)))
      : moment;
  const start = asked.isClock ? onDay(asked.start).toISOString() : dateOf(wall);
  const isLong = asked.isClock && !asked.isPoint && input.end === undefined && input.durationMinutes === undefined;
  const length = isLong ? { end: onDay(asked.end).toISOString() } : {};
  const allDay = tool === "create_event" && !asked.isClock ? { allDay: true } : {};
  return perform(turn, { label: "", tool, input: { ...input, start, ...length, ...allDay } });
}

/** More about the event that still needs a time, or a message without a time. */
function answerOtherwise(text: string, question: ChatQuestion & { kind: "when" }): Reply | null {
  const { tool, input } = question;
  const { title } = input;
  if (tool === "create_event" && typeof title === "string" && /^(?:with|about|regarding|for|at)\b/i.test(text)) {
    const longer = `${title} ${text.replace(/[\s.!]+$/, "")}`.slice(0, 300);
    return { text: `When should “${longer}” be?`, question: { ...question, input: { ...input, title: longer } } };
  }
  return errandOf(text) === "unknown" ? { text: "I did not find a time in that. When should it be?", question } : null;
}
