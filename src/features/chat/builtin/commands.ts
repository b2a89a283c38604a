import type { ChatQuestion } from "../../../db/schema/chat.ts";
import { AppError } from "../../../lib/errors.ts";
import { MAX_WRITES, type Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import { toldEvents } from "../language/errands/told-event.ts";
import { readAmendment } from "../language/follow-ups/amendment.ts";
import { askAgain } from "../language/follow-ups/ask-again.ts";
import { isDenial, isHearsay, isQuestion } from "../language/follow-ups/denial.ts";
import { askingClauses } from "../language/wording/asking-clause.ts";
import { withOpenRange } from "../language/wording/open-range.ts";
import { plainRequest } from "../language/wording/paraphrase.ts";
import { fixSpelling } from "../language/wording/spelling.ts";
import { splitErrands } from "../language/wording/split-message.ts";
import { isStatement, TELLS, withTold } from "../language/wording/told-parts.ts";
import { completeAllBut } from "./all-but.ts";
import { amend } from "./amend.ts";
import { addAnother } from "./another.ts";
import { changeAllTasks } from "./bulk-tasks.ts";
import { takeBackFirst } from "./clauses.ts";
import { answerProposals } from "./confirm.ts";
import { correct, doForOther } from "./corrections.ts";
import { answerWhatIsLeft } from "./day-left.ts";
import { doDeed } from "./deeds.ts";
import { bookSlot, showAgain, withMeantTime } from "./earlier-results.ts";
import { emailCommand } from "./email-deeds.ts";
import { addToCalendar } from "./email-meeting.ts";
import { ADDS, replyToErrand, SMALL_TALK } from "./errands.ts";
import { recordsMentioned } from "./find-named.ts";
import { answerFollowUp } from "./follow-up.ts";
import { withItsName } from "./its-name.ts";
import { answerAboutList } from "./list-questions.ts";
import { amendLoosely } from "./loose-change.ts";
import { withLeadingName, withNamedOne } from "./named-one.ts";
import { withOtherOne } from "./other-one.ts";
import { withMeantPerson } from "./person.ts";
import { answerQuestion, tellAbout } from "./questions.ts";
import { isOnlySaid, readFirst } from "./read-freely.ts";
import { addSeveral } from "./read-new.ts";
import { remindBefore } from "./reminders.ts";
import type { Reply } from "./reply-text.ts";
import * as talk from "./small-talk.ts";
import { withTimedOne } from "./timed-one.ts";
import { takeBack, takeBackRecord } from "./undo.ts";
import { withWeekdays } from "./weekdays.ts";
import { askedWhatWasDone } from "./what-was-done.ts";

/**
 * The reply without a model. Only the person's message can cause an action: text that is read never does.
 */
export async function replyBuiltin(turn: Turn, message: string, question: ChatQuestion | null): Promise<Reply> {
  try {
    const reply = await replyTo(turn, message, question);
    return withWeekdays(turn, message, reply);
  } catch (error) {
    // What the conversation was about may have been deleted since.
    if (error instanceof AppError && error.code === "not_found" && !turn.hasWritten) return { text: error.message };
    throw error;
  }
}

async function replyTo(turn: Turn, message: string, question: ChatQuestion | null): Promise<Reply> {
  const text = plainRequest(fixSpelling(message));
  const instead = question ? null : ((await doForOther(turn, text)) ?? (await doInstead(turn, text)));
  if (instead) return instead;
  const isAnswer = question !== null && /^(?:no|never ?mind|forget)\b/i.test(text);
  const back = isAnswer ? null : ((await takeBack(turn, text)) ?? (await takeBackFirst(turn, text)));
  const answered =
    back ?? (question ? await answerFollowUp(turn, text, question) : await answerProposals(turn, text, message));
  if (answered) return answered;
  const done = askedWhatWasDone(turn, text);
  if (done) return done;
  if (isHearsay(text)) {
    // Nothing is done about it, but the next message may be about what it names.
    const about = await tellAbout(turn, text.replace(CONSIDERED, " "));
    if (!about) turn.shown = await recordsMentioned(turn, text, ["task", "event", "email"]);
    return { text: `I have not changed anything.${about ? ` ${about.text}` : ""}` };
  }
  const refused = /^(?:no+|nah|nope)[\s,.!]+/i.test(text) ? await readFirst(turn, text) : null;
  if (refused) return refused;
  if (isDenial(text)) return talk.noProblem(turn);
  const changed = text.includes(",") ? await amendLoosely(turn, text, true) : null;
  if (changed) return changed;
  const parts = partsOf(turn, text);
  const several = await addSeveral(turn, text, parts.length);
  return several ?? replyToParts(turn, parts);
}

/** What is only considered, without what it would be done to. */
const CONSIDERED =
  /\b(?:i'm|i was|i am|we're|thinking|wondering|considering|tempted|whether|about|maybe|might|could|always|skip(?:ping)?|cancel(?:ling)?|mov(?:e|ing)|postpon(?:e|ing)|put(?:ting)? off|push(?:ing)?|drop(?:ping)?|not|going|was|but|shan't|won't|don't|instead|later|earlier|next|week)\b/gi;

const INSTEAD =
  /^(?:no,? |oh |actually,? |wait,? )*(?:scrap|scratch|forget|undo|cancel) (?:that|it|this)[,.;!]{1,9} *(?:and )?(?<rest>\S.{5,})$/i;

/** "scrap that, I'm taking Tuesday off instead": something new in place of what was just added. */
async function doInstead(turn: Turn, text: string): Promise<Reply | null> {
  const rest = turn.state.isWritten ? INSTEAD.exec(text)?.groups?.rest : undefined;
  const part = rest && plainRequest(rest.replace(/(?<![\s,])[\s,]+(?:instead|rather)[\s.!]*$/i, ""));
  if (!part || !ADDS.has(errandOf(part)) || isQuestion(part) || isDenial(part)) return null;
  if (readAmendment(part, turn.clock, true)) return null;
  const [before, ...others] = turn.state.groups[0] ?? [];
  if (!before || others.length > 0) return null;
  const added = await replyToErrand(turn, part);
  // After the new one: what is taken back may have a title by somebody else, after which nothing may be written.
  if (turn.written.length === 0) return added;
  const back = await takeBackRecord(turn, before);
  return { ...added, text: `${back.text}\n${added.text}` };
}

/** A greeting before a request gets no reply of its own. */
function partsOf({ clock }: Turn, text: string): string[] {
  // Nothing was asked that a yes could answer.
  const said = text.replace(
    /^(?:yes|yep|yeah|yup|sure|ok(?:ay)?)[\s,.!]+(?:please )?(?=(?:put|stick|pop|add|book|schedule|move|make|set|cancel|remind|invite|push|shift|let's)\b)/i,
    "",
  );
  const parts = toldEvents(said, clock) ?? withTold(splitErrands(said).map(plainRequest));
  const errands = parts.filter((part) => !SMALL_TALK.has(errandOf(part)));
  return errands.length > 0 ? errands : parts.slice(0, 1);
}

/** One request after the other. A question to the person has to be answered before the next one. */
async function replyToParts(turn: Turn, parts: readonly string[]): Promise<Reply> {
  const texts: string[] = [];
  const beyond = parts.slice(MAX_WRITES).map((part) => `“${part.replace(/^add a task: /, "")}”`);
  const isOneOfSeveral = parts.length > 1;
  for (const [at, part] of parts.slice(0, MAX_WRITES).entries()) {
    // "They would rather talk on Friday. Am I free then?"
    if (OTHERS_WISH.test(part) && parts.slice(at + 1).some(isQuestion)) continue;
    // "I refuse to work on a Sunday. Put it back."
    if (isOneOfSeveral && ((TELLS.test(part) && isStatement(part)) || isOnlySaid(turn, part))) continue;
    const back = isOneOfSeveral && at > 0 && turn.written.length === 0 ? await takeBack(turn, part) : null;
    const { text, question } = back ?? (await replyToPart(turn, part));
    // What was only told along with a request needs no answer.
    const isAside = isOneOfSeveral && STATEMENT.test(part) && NOT_UNDERSTOOD.test(text);
    if (!isAside) texts.push(text);
    if (!question) continue;
    const rest = parts.slice(at + 1);
    if (rest.length > 0) texts.push(`After that, say again: “${rest.join(" ")}”.`);
    return { text: texts.join("\n\n"), question };
  }
  if (beyond.length > 0) {
    texts.push(`One message can change at most ${MAX_WRITES} things, so these are not done: ${beyond.join(", ")}.`);
  }
  return { text: texts.length > 0 ? texts.join("\n\n") : talk.unknown(turn, parts.join(" ")).text };
}

const OTHERS_WISH = /^(?!i\b|we\b)[\p{L}' -]{2,40} (?:would|wants? to|prefers?|suggests?|asks|asked)\b/iu;
const STATEMENT = /^(?:and |so |but |well |anyhow |anyway )*(?:i|we|he|she|they|it|that|this|there|my|the)(?:'\w+)? /i;
const NOT_UNDERSTOOD = /^I did not understand that/;

/** Whoever refers to something says so in few words. The readers of references are not meant for whole letters. */
const LONGEST_REFERRING = 160;

/** The same question again. */
const NOW =
  /^(?:and )?(?:(?:how (?:about|many)|what about)(?: (?:is it|are there|are they|left))? )?now(?: how many)?(?: then)?[\s?!.]*$/i;

/** First what the message may mean in this conversation, then what it means by itself. */
async function replyToPart(turn: Turn, given: string): Promise<Reply> {
  const said = withOpenRange(given);
  if (said.length > LONGEST_REFERRING) return (await emailCommand(turn, said)) ?? replyToErrand(turn, said);
  const corrected = await correct(turn, said);
  if (corrected) return corrected;
  const first = await readFirst(turn, said);
  if (first) return first;
  // After an answer, "and the day after?" asks again.
  const next = turn.state.isWritten ? null : await askOnceMore(turn, said);
  if (next) return next;
  const timed = await withOtherOne(turn, await withTimedOne(turn, said));
  const named = withLeadingName(turn, withNamedOne(turn, await withItsName(turn, timed)));
  const part = await withMeantPerson(turn, await withMeantTime(turn, named));
  const known =
    (await changeAllTasks(turn, part)) ??
    (await completeAllBut(turn, part)) ??
    (await remindBefore(turn, part)) ??
    (await addToCalendar(turn, part)) ??
    (await addAnother(turn, part)) ??
    (await doDeed(turn, part)) ??
    (await amend(turn, part)) ??
    (await amendLoosely(turn, part)) ??
    (await bookSlot(turn, part)) ??
    (await emailCommand(turn, part)) ??
    (await answerWhatIsLeft(turn, part)) ??
    (await answerAboutList(turn, part)) ??
    (await answerQuestion(turn, part));
  if (known) return known;
  const anew = (await askOnceMore(turn, part)) ?? (await showAgain(turn, part));
  if (anew) return anew;
  const reply = await replyToErrand(turn, part);
  const isLost = turn.written.length === 0 && NOT_UNDERSTOOD.test(reply.text);
  return (isLost ? await replyToAsking(turn, part) : null) ?? reply;
}

/** "I've double booked myself at 3, the dentist has to go to 4": where the whole is not understood, what asks for something. */
async function replyToAsking(turn: Turn, message: string): Promise<Reply | null> {
  const clauses = askingClauses(message)?.map(plainRequest);
  if (!clauses) return null;
  const reply = await replyToParts(turn, clauses);
  return turn.written.length > 0 || !NOT_UNDERSTOOD.test(reply.text) ? reply : null;
}

/** The last question for another day, time or person. */
async function askOnceMore(turn: Turn, part: string): Promise<Reply | null> {
  const { asked } = turn.state;
  const before = asked ?? turn.state.lastAsked ?? null;
  const anew = NOW.test(part) ? before : asked === null ? null : askAgain(part, asked, turn.clock);
  return anew ? ((await answerQuestion(turn, anew)) ?? replyToErrand(turn, anew)) : null;
}
