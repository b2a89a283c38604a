import type { Turn } from "../../tools/turn.ts";
import { errandByRule, errandOf } from "../language/errands/errand.ts";
import { type Errand, namesEvent } from "../language/errands/errand-rules.ts";
import { meantRecord } from "../language/errands/target-record.ts";
import { toldEvent } from "../language/errands/told-event.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { addBareTask } from "./bare-task.ts";
import { doByName } from "./by-name.ts";
import { doOneClause } from "./clauses.ts";
import { dayAhead, dayBrief } from "./day-ahead.ts";
import { askedDay, askedShortly } from "./day-questions.ts";
import { tellAboutIt } from "./deeds.ts";
import { needsAttention, searchEmails, summariseEmails, tasksFromEmail } from "./emails.ts";
import { addEvent, cancelEvent, cannotAttend, moveEvent } from "./events.ts";
import { recordsNamed } from "./find-named.ts";
import { freeTime } from "./free-time.ts";
import { answerGenerally } from "./general-questions.ts";
import { answerInvitation } from "./invitations.ts";
import { addVacation, blockTime, planDay } from "./plan.ts";
import { tellAbout } from "./questions.ts";
import { moveToNamedList, readAsChange, readFreely, readInstead, wantsNothing } from "./read-freely.ts";
import { withPlainTitle } from "./read-new.ts";
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
  list_events: dayAhead,
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
/** What is taken for one of these may be the name of an event with its time. */
const NOT_CLEAR: ReadonlySet<Errand> = new Set<Errand>([
  ...(["unknown", "list_events", "list_tasks", "greeting", "thanks", "goodbye", "date", "time", "yes", "no"] as const),
  ...(["move_event", "cancel_event"] as const),
]);
/** What a message about an email is taken for if no rule knows what is to be done with it. */
const LOOKS_UP: ReadonlySet<Errand> = new Set<Errand>(["find_mail", "summarise_mail", "send_mail"]);
/** Requests about a record that the message names. */
const BY_NAME: ReadonlySet<Errand> = new Set<Errand>([
  ...(["complete_task", "change_task", "remove_task", "move_event", "cancel_event", "find_mail"] as const),
]);
/** Requests that add something. */
export const ADDS: ReadonlySet<Errand> = new Set<Errand>(["add_event", "add_task", "block_time", "add_vacation"]);
export const SMALL_TALK: ReadonlySet<Errand> = new Set<Errand>(["greeting", "thanks", "goodbye"]);
const COURTESIES: ReadonlySet<Errand> = new Set<Errand>([...SMALL_TALK, "yes", "no", "date", "time"]);

const SHORT_NO = 3;

export async function replyToErrand(turn: Turn, part: string): Promise<Reply> {
  const foreign = talk.otherLanguage(turn, part);
  if (foreign) return foreign;
  const errand = errandOf(part);
  // "No they aren't, reopen it" says more than no.
  const isOnlyNo = errand === "no" && part.split(" ").length <= SHORT_NO;
  const isKnown = errandByRule(part) !== null && errand !== "unknown" && (errand !== "no" || isOnlyNo);
  const answer = isKnown ? null : await answerGenerally(turn, part);
  if (answer) {
    turn.asked = part;
    return answer;
  }
  if ((WRITES.has(errand) || errand === "unknown") && isQuestion(part)) {
    const told = (await tellAbout(turn, part)) ?? (await tellAboutIt(turn, part));
    if (told || errand !== "unknown") return told ?? talk.onlyAsked();
    return (await askedDay(turn, part)) ?? talk.nothingOfYours(part) ?? talk.unknown(turn, part);
  }
  const instead = LOOKS_UP.has(errand) ? await readInstead(turn, part) : null;
  if (instead) return instead;
  const shortly = errand === "unknown" || errand === "date" ? await askedShortly(turn, part) : null;
  if (shortly) return shortly;
  const told = NOT_CLEAR.has(errand) ? toldEvent(part, turn.clock) : null;
  const isNew = told !== null || ADDS.has(errand);
  const changed = isNew && errand !== "add_vacation" ? await readAsChange(turn, part) : null;
  if (changed) return changed;
  if (isNew && !isKnown && wantsNothing(turn, part)) return talk.unknown(turn, part);
  const moved = errand === "add_task" ? await moveToNamedList(turn, part) : null;
  if (moved) return moved;
  if (told) return addEvent(turn, told);
  if (!isKnown || errand === "send_mail") {
    const named = (await doByName(turn, part)) ?? (NOT_CLEAR.has(errand) ? await doOneClause(turn, part) : null);
    if (named) return named;
  }
  if (errand === "unknown" || errand === "no") {
    const absent = (await cannotAttend(turn, part)) ?? (await addBareTask(turn, part));
    if (absent) return absent;
    const read = await readFreely(turn, part);
    if (read) return read;
  }
  const meant = COURTESIES.has(errand) ? await readFreely(turn, part) : null;
  if (meant) return meant;
  if (ASKED.has(errand)) turn.asked = part;
  const isPlain = errand !== "add_task" && errand !== "add_event";
  const reply = await HANDLERS[errand](turn, isPlain ? part : withPlainTitle(turn, part, errand));
  // "When's my parcel arriving?" may be answered by an email.
  if (errand === "list_events" && /^There is nothing .* for “/.test(reply.text))
    return (await answerGenerally(turn, part)) ?? reply;
  // "Call off the passport" may mean a task, and "drop the invoice" an email.
  const isMissing = BY_NAME.has(errand) && turn.written.length === 0 && /^I found no /.test(reply.text);
  if (!isMissing) return reply;
  // "Cancel my call with Bob" means no task that has to do with Bob.
  if (namesEvent(part.replace(/\bcall off\b/i, ""))) return (await doWithTask(turn, part)) ?? reply;
  return (await doByName(turn, part)) ?? (await readFreely(turn, part)) ?? reply;
}

/** "Move the landlord call to Monday" may mean the task "Call landlord". */
async function doWithTask(turn: Turn, part: string): Promise<Reply | null> {
  const { match } = meantRecord(part, turn.clock);
  const noun = /\b(?:call|meeting|appointment|lunch|dinner)\b/i.exec(match)?.[0];
  const found = noun ? await recordsNamed(turn, match, ["task"], true) : null;
  const [only, ...others] = found?.records ?? [];
  const isMeant = only && noun && others.length === 0 && new RegExp(`\\b${noun}\\b`, "i").test(only.title);
  return isMeant ? doByName(turn, part) : null;
}
