import type { ChatQuestion } from "../../../db/schema/chat.ts";
import { errandOf } from "../../../engine/assistant/errand.ts";
import type { Errand } from "../../../engine/assistant/errand-rules.ts";
import { fixSpelling, splitErrands } from "../../../engine/assistant/split-message.ts";
import { askAgain } from "../../../engine/conversation/ask-again.ts";
import { isDenial, isQuestion } from "../../../engine/conversation/denial.ts";
import { MAX_WRITES, type Turn } from "../turn.ts";
import { amend } from "./amend.ts";
import { answerProposals } from "./confirm.ts";
import { doDeed } from "./deeds.ts";
import { bookSlot, showAgain, withMeantTime } from "./earlier-results.ts";
import { emailCommand } from "./email-deeds.ts";
import { needsAttention, searchEmails, summariseEmails, tasksFromEmail } from "./emails.ts";
import { addEvent, cancelEvent, dayBrief, freeTime, listEvents, moveEvent } from "./events.ts";
import { answerFollowUp } from "./follow-up.ts";
import { answerInvitation } from "./invitations.ts";
import { addVacation, blockTime, planDay } from "./plan.ts";
import { answerQuestion, tellAbout } from "./questions.ts";
import { remindBefore } from "./reminders.ts";
import type { Reply } from "./reply-text.ts";
import * as talk from "./small-talk.ts";
import {
  addTask,
  changeTask,
  completeTask,
  listTasks,
  moveToList,
  removeTask,
  showList,
  showLists,
  summariseTasks,
} from "./tasks.ts";
import { takeBack } from "./undo.ts";

const HANDLERS: Record<Errand, (turn: Turn, message: string) => Reply | Promise<Reply>> = {
  summarise_mail: summariseEmails,
  find_mail: searchEmails,
  tasks_from_mail: tasksFromEmail,
  send_mail: talk.askForEmail,
  attention: needsAttention,
  summarise_tasks: summariseTasks,
  list_tasks: listTasks,
  add_task: addTask,
  complete_task: completeTask,
  change_task: changeTask,
  remove_task: removeTask,
  show_list: showList,
  show_lists: showLists,
  move_to_list: moveToList,
  list_events: listEvents,
  add_event: addEvent,
  move_event: moveEvent,
  cancel_event: cancelEvent,
  answer_invitation: answerInvitation,
  free_time: freeTime,
  plan_day: planDay,
  block_time: blockTime,
  add_vacation: addVacation,
  brief: dayBrief,
  time: talk.tellTime,
  date: talk.tellDate,
  time_zone: talk.tellTimeZone,
  greeting: talk.greeting,
  thanks: talk.thanks,
  goodbye: talk.goodbye,
  help: talk.help,
  yes: talk.nothingToConfirm,
  no: talk.noProblem,
  send_text: talk.cannotSendText,
  undo: talk.unknown,
  unknown: talk.unknown,
};

/** Requests that change something. A question never makes them. */
const WRITES: ReadonlySet<Errand> = new Set<Errand>([
  ...(["add_task", "complete_task", "change_task", "remove_task", "move_to_list"] as const),
  ...(["add_event", "move_event", "cancel_event", "answer_invitation", "block_time", "add_vacation"] as const),
]);
/** Questions that "what about Friday?" may ask again. */
const ASKED: ReadonlySet<Errand> = new Set<Errand>([
  ...(["list_tasks", "show_list", "list_events", "free_time", "find_mail", "summarise_mail", "brief"] as const),
]);
const SMALL_TALK: ReadonlySet<Errand> = new Set<Errand>(["greeting", "thanks", "goodbye"]);

/**
 * The reply without a model. Only the person's message can cause an action: text that is read never does.
 */
export async function replyBuiltin(turn: Turn, message: string, question: ChatQuestion | null): Promise<Reply> {
  const text = fixSpelling(message);
  const isAnswer = question !== null && /^(?:no|never ?mind|forget)\b/i.test(text);
  const back = isAnswer ? null : await takeBack(turn, text);
  const answered = back ?? (question ? await answerFollowUp(turn, text, question) : await answerProposals(turn, text));
  if (answered) return answered;
  if (isDenial(text)) return talk.noProblem();
  return replyToParts(turn, partsOf(text));
}

/** A greeting before a request gets no reply of its own. */
function partsOf(text: string): string[] {
  const parts = splitErrands(text);
  const errands = parts.filter((part) => !SMALL_TALK.has(errandOf(part)));
  return errands.length > 0 ? errands : parts.slice(0, 1);
}

/** One request after the other. A question to the person has to be answered before the next one. */
async function replyToParts(turn: Turn, parts: readonly string[]): Promise<Reply> {
  const texts: string[] = [];
  const beyond = parts.slice(MAX_WRITES).map((part) => `“${part.replace(/^add a task: /, "")}”`);
  for (const [at, part] of parts.slice(0, MAX_WRITES).entries()) {
    const { text, question } = await replyToPart(turn, part);
    texts.push(text);
    if (!question) continue;
    const rest = parts.slice(at + 1);
    if (rest.length > 0) texts.push(`After that, say again: “${rest.join(" ")}”.`);
    return { text: texts.join("\n\n"), question };
  }
  if (beyond.length > 0) {
    texts.push(`One message can change at most ${MAX_WRITES} things, so these are not done: ${beyond.join(", ")}.`);
  }
  return { text: texts.join("\n\n") };
}

/** Whoever refers to something says so in few words. The readers of references are not meant for whole letters. */
const LONGEST_REFERRING = 160;

/** First what the message may mean in this conversation, then what it means by itself. */
async function replyToPart(turn: Turn, said: string): Promise<Reply> {
  if (said.length > LONGEST_REFERRING) return (await emailCommand(turn, said)) ?? replyToErrand(turn, said);
  const part = await withMeantTime(turn, said);
  const known =
    (await remindBefore(turn, part)) ??
    (await doDeed(turn, part)) ??
    (await amend(turn, part)) ??
    (await bookSlot(turn, part)) ??
    (await emailCommand(turn, part)) ??
    (await answerQuestion(turn, part));
  if (known) return known;
  const anew = turn.state.asked === null ? null : askAgain(part, turn.state.asked, turn.clock);
  if (anew) return (await answerQuestion(turn, anew)) ?? replyToErrand(turn, anew);
  return (await showAgain(turn, part)) ?? replyToErrand(turn, part);
}

async function replyToErrand(turn: Turn, part: string): Promise<Reply> {
  const foreign = talk.otherLanguage(turn, part);
  if (foreign) return foreign;
  const errand = errandOf(part);
  if ((WRITES.has(errand) || errand === "unknown") && isQuestion(part)) {
    return (await tellAbout(turn, part)) ?? (errand === "unknown" ? talk.unknown(turn, part) : talk.onlyAsked());
  }
  if (ASKED.has(errand)) turn.asked = part;
  return HANDLERS[errand](turn, part);
}
