import type { ChatQuestion } from "../../../db/schema/chat.ts";
import { errandOf } from "../../../engine/assistant/errand.ts";
import type { Errand } from "../../../engine/assistant/errand-rules.ts";
import { fixSpelling, splitErrands } from "../../../engine/assistant/split-message.ts";
import { MAX_WRITES, type Turn } from "../turn.ts";
import { findMail, needsAttention, summariseMail, tasksFromMail } from "./emails.ts";
import { addEvent, cancelEvent, dayBrief, freeTime, listEvents, moveEvent } from "./events.ts";
import { answerQuestion } from "./follow-up.ts";
import type { Answer } from "./reply-text.ts";
import * as talk from "./small-talk.ts";
import { addTask, changeTask, completeTask, listTasks, removeTask, summariseTasks } from "./tasks.ts";

const ANSWERS: Record<Errand, (turn: Turn, message: string) => Answer | Promise<Answer>> = {
  summarise_mail: summariseMail,
  find_mail: findMail,
  tasks_from_mail: tasksFromMail,
  send_mail: talk.cannotMail,
  attention: needsAttention,
  summarise_tasks: summariseTasks,
  list_tasks: listTasks,
  add_task: addTask,
  complete_task: completeTask,
  change_task: changeTask,
  remove_task: removeTask,
  list_events: listEvents,
  add_event: addEvent,
  move_event: moveEvent,
  cancel_event: cancelEvent,
  free_time: freeTime,
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
  send_text: talk.cannotText,
  undo: talk.cannotUndo,
  unknown: talk.unknown,
};

/**
 * The built-in engine's answer. What is done follows from the person's words alone: nothing that is read
 * is ever taken for an errand.
 */
export async function answerBuiltin(turn: Turn, message: string, question: ChatQuestion | null): Promise<Answer> {
  const text = fixSpelling(message);
  const answered = question && (await answerQuestion(turn, text, question));
  return answered ?? answerParts(turn, partsOf(text));
}

/** A greeting before an errand needs no answer of its own. */
function partsOf(text: string): string[] {
  const parts = splitErrands(text);
  const errands = parts.filter((part) => !["greeting", "thanks"].includes(errandOf(part)));
  return errands.length > 0 ? errands : parts.slice(0, 1);
}

/** One errand after the other. What is asked back has to be settled before the next. */
async function answerParts(turn: Turn, parts: readonly string[]): Promise<Answer> {
  const texts: string[] = [];
  const beyond = parts.slice(MAX_WRITES).map((part) => `“${part.replace(/^add a task: /, "")}”`);
  for (const [at, part] of parts.slice(0, MAX_WRITES).entries()) {
    const { text, question } = await ANSWERS[errandOf(part)](turn, part);
    texts.push(text);
    if (!question) continue;
    const rest = parts.slice(at + 1);
    if (rest.length > 0) texts.push(`Then say again: “${rest.join(" ")}”.`);
    return { text: texts.join("\n\n"), question };
  }
  if (beyond.length > 0) {
    texts.push(`One message may change at most ${MAX_WRITES} things, so these are not done: ${beyond.join(", ")}.`);
  }
  return { text: texts.join("\n\n") };
}
