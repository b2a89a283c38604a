import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listNameIn } from "../../../engine/notes/list-name.ts";
import { datesIn } from "../../../engine/notes/message-time.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { isOnlyGuest } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandByRule } from "../language/errands/errand.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { REF, readReference } from "../language/follow-ups/reference.ts";
import { type ReadAct, type Reading, reader, SURE, SURE_TO_ADD, VERY_SURE } from "../language/reader/reader.ts";
import { amendmentFor, deedFor, type Filled, filledBy, placeIn, tidy, timeWords } from "../language/reader/wish.ts";
import { amendRecords, kindsFor } from "./amend.ts";
import { correct } from "./corrections.ts";
import { dayAhead } from "./day-ahead.ts";
import { askToRemove, doWith, KINDS } from "./deeds.ts";
import { emailCommand } from "./email-deeds.ts";
import { searchEmails } from "./emails.ts";
import { addEvent } from "./events.ts";
import { type Found, recordsMentioned, recordsNamed } from "./find-named.ts";
import { freeTime } from "./free-time.ts";
import { priorityWords } from "./read-new.ts";
import { asWhole, meant } from "./references.ts";
import type { Reply } from "./reply-text.ts";
import { addTask, listTasks, showList } from "./tasks.ts";
import { takeBack } from "./undo.ts";

type Kind = ChatRecord["kind"];

const SURE_TO_TELL = 0.4;
/** A message that may as well want nothing changes nothing. */
const MAY_WANT_NOTHING = 0.3;
const WANTS_NOTHING: ReadonlySet<ReadAct> = new Set<ReadAct>(["hearsay", "other_world", "talk", "yes", "no", "pick"]);
const ONLY_TELLS: ReadonlySet<ReadAct> = new Set<ReadAct>([
  ...(["ask_day", "ask_free", "ask_tasks", "ask_mail", "ask_about", "read", "summarise"] as const),
]);
const ADDS: ReadonlySet<ReadAct> = new Set<ReadAct>(["add_task", "add_event", "write"]);
const READINGS = 2;

/**
 * What a message means that no rule understands: a model that was trained on labelled messages says what it wants and
 * which of its words name a record, a place, a person. Null if the model is unsure, or if no such record is found.
 */
export async function readFreely(turn: Turn, message: string): Promise<Reply | null> {
  const reading = reader.read(message, turn.clock);
  const renamed = isQuestion(message) ? null : await renameByChange(turn, message);
  if (renamed) return renamed;
  for (const { act, share } of reading.acts.slice(0, READINGS)) {
    if (WANTS_NOTHING.has(act) || share < (ONLY_TELLS.has(act) ? SURE_TO_TELL : ADDS.has(act) ? SURE_TO_ADD : SURE))
      return null;
    if (!ONLY_TELLS.has(act) && (isQuestion(message) || mayWantNothing(reading))) return null;
    const reply = await replyTo(turn, message, act, reading.slots(act));
    if (reply) return reply;
  }
  return null;
}

const mayWantNothing = ({ acts }: Reading) =>
  acts.filter(({ act }) => WANTS_NOTHING.has(act)).reduce((sum, { share }) => sum + share, 0) > MAY_WANT_NOTHING;

const ON_LIST =
  /^(?:(?:and|also|please|can you|could you|oh|ok)[\s,]+)*(?:put|stick|pop|move) (?:the|my) (?<name>[\p{L}\d' -]{2,40}?) (?:on|onto|to|in|into) (?:my|the|our) .{1,40} list[\s.!]*$/iu;

/** "put the parcel on my errands list": a task that is there goes to the list. Null: it is something new. */
export async function moveToNamedList(turn: Turn, message: string): Promise<Reply | null> {
  const name = ON_LIST.exec(message)?.groups?.name;
  const list = listNameIn(message);
  if (!name || !list) return null;
  const found = await recordsNamed(turn, name, ["task"], true);
  const isOne = found?.isEach && found.records.length === 1;
  return isOne ? amendRecords(turn, { kind: "list", list }, found.records, false) : null;
}

const INTO =
  /^(?:(?:and|also|please|can you|could you|oh|ok)[\s,]+)*(?:change|switch|swap|make|turn) (?:the |my )?(?<name>[\p{L}\d' -]{2,60}?) (?:to|into|for) (?:an? |some |the )?(?<title>[\p{L}\d' -]{2,60}?)(?:, .{0,200})?[\s.!]*$/iu;

/** "change the slippers to a jumper for dad": what has neither a time nor a place is a new name. */
async function renameByChange(turn: Turn, message: string): Promise<Reply | null> {
  const { name, title } = INTO.exec(message)?.groups ?? {};
  if (!name || !title || datesIn(title, turn.clock).length > 0 || /^\d/.test(title)) return null;
  const found = await recordsNamed(turn, name, ["task"], true);
  const isOne = found?.isEach && found.records.length === 1;
  return isOne ? amendRecords(turn, { kind: "title", title: tidy(title) }, found.records, false) : null;
}

/** Rules know better how many are meant. */
const SEVERAL = /\b(?:all|both|every|each|everything|them|two|three|four)\b|\band\b/i;

/** The same before any rule, if the model is very sure and the message names a record that is found. */
export async function readFirst(turn: Turn, message: string): Promise<Reply | null> {
  const rule = errandByRule(message);
  if (rule !== null && rule !== "no") return null;
  const reading = reader.read(message, turn.clock);
  const [best] = reading.acts;
  if (!best || best.share < VERY_SURE || !changes(best.act) || isQuestion(message) || SEVERAL.test(message))
    return null;
  const slots = reading.slots(best.act);
  const isRefusal = /^(?:no+|nah|nope)\b/i.test(message) && REFERENCE.test(message);
  return filledBy(slots, "t").length > 0 || isRefusal ? replyTo(turn, message, best.act, slots) : null;
}

/** What is only said along with a request: "god. ok move the ballet to 11.30" */
export function isOnlySaid(turn: Turn, part: string): boolean {
  const [best] = reader.read(part, turn.clock).acts;
  return (
    best !== undefined &&
    best.share >= SURE &&
    (best.act === "talk" || best.act === "hearsay") &&
    errandByRule(part) === null
  );
}

/** Whether a message that the rules would act upon by its words alone is surely about something else. */
export function wantsNothing(turn: Turn, message: string): boolean {
  const [best] = reader.read(message, turn.clock).acts;
  return best !== undefined && (best.act === "other_world" || best.act === "hearsay") && best.share >= SURE_TO_ADD;
}

/** The same for a message that would otherwise add something: only if it surely changes something that is there. */
export async function readAsChange(turn: Turn, message: string): Promise<Reply | null> {
  const reading = reader.read(message, turn.clock);
  const [best] = reading.acts;
  const least = BEGINS_TO_ADD.test(message) ? VERY_SURE : SURE_TO_ADD;
  if (!best || best.share < least || !changes(best.act)) return null;
  if (isQuestion(message) || mayWantNothing(reading)) return null;
  return replyTo(turn, message, best.act, reading.slots(best.act));
}

/** The same for a message that a rule would only search or ask about: "mark the Vinted email as read". */
export async function readInstead(turn: Turn, message: string): Promise<Reply | null> {
  const reading = reader.read(message, turn.clock);
  const [best] = reading.acts;
  if (!best || best.share < VERY_SURE || !changes(best.act) || isQuestion(message)) return null;
  const slots = reading.slots(best.act);
  return filledBy(slots, "t").length > 0 ? replyTo(turn, message, best.act, slots) : null;
}

const BEGINS_TO_ADD =
  /^(?:(?:please|and|also|oh|ok|okay|then|can you|could you)[\s,]+)*(?:add|remind|schedule|book|put|create|set|new|note|i need|i have to|i must|don't forget|remember)\b/i;

const changes = (act: ReadAct) =>
  !WANTS_NOTHING.has(act) && !ONLY_TELLS.has(act) && !ADDS.has(act) && act !== "undo" && act !== "other";

/** Without one of these words, a message takes nothing back. */
const TAKES_BACK =
  /\b(?:undo|back|revert\w*|revers\w*|restore|wrong|mistake|wait|never ?mind|before|oops|whoops|don't|keep|bring|original\w*|again|reinstate|un\w+)\b/i;
const OFTEN = /\b(?:every|each|weekly|daily|monthly|yearly|annual\w*|fortnight\w*|repeat\w*|recur\w*|once a)\b/i;
/** "Archive is such a funny word" says something, and asks for nothing. */
const REMARK =
  /^(?:the |my |our |this |that )?[\p{L}' -]{2,40}? (?:is|are|was|were) (?:such|so|very|always|never|really|quite|too|a bit|rather|pretty)\b/iu;

/** "all bought except the wine": what is named is what is not meant. */
const EXCEPTS = /\b(?:except|apart from|other than|but not|bar the|all but|everything but)\b/i;

/** "Write to him that eleven would suit me" is about a letter. */
const WRITES =
  /^(?:(?:then|and|so|ok|okay|please|now|also|can you|could you)[\s,]+)*(?:write|reply|respond|answer|e-?mail|let (?:him|her|them|\p{Lu}\p{L}+) know)\b/iu;
/** "I won't make it by Friday" says which day it will not be. */
const CANNOT = /^[^,;.]{0,200}\b(?:won't|can't|cannot|couldn't|doesn't|isn't)\b[^,;.]*[.!]?$/i;
const MOVES: ReadonlySet<ReadAct> = new Set<ReadAct>(["move", "until", "later", "earlier"]);
const LETTERS: ReadonlySet<ReadAct> = new Set<ReadAct>(["reply", "write", "forward", "send"]);

function isMeantSo(act: ReadAct, message: string): boolean {
  if (WRITES.test(message) && !LETTERS.has(act)) return false;
  if (MOVES.has(act) && CANNOT.test(message)) return false;
  if (!ONLY_TELLS.has(act) && !ADDS.has(act) && EXCEPTS.test(message)) return false;
  if (act === "undo") return TAKES_BACK.test(message);
  if (act === "repeat") return OFTEN.test(message);
  return ONLY_TELLS.has(act) || !REMARK.test(message);
}

async function replyTo(turn: Turn, message: string, act: ReadAct, slots: readonly Filled[]): Promise<Reply | null> {
  if (!isMeantSo(act, message)) return null;
  const { clock } = turn;
  const amendment = amendmentFor(act, message, slots, clock);
  if (amendment) {
    if (amendment.kind === "time" && amendment.to.getTime() < turn.ctx.now.getTime() - DAY_MS) return null;
    const found = await recordsMeant(turn, message, slots, kindsFor(amendment));
    if (found && amendment.kind === "place" && saysWhereSomebodyIs(slots, found.records)) return null;
    return found && amendRecords(turn, amendment, asWhole(message, found.records), false, found.isEach);
  }
  const deed = deedFor(act, message, slots, clock);
  if (deed) {
    const found = await recordsMeant(turn, message, slots, KINDS[deed.kind]);
    if (found && deed.kind === "remove" && !SAYS_REMOVE.test(message)) return askToRemove(turn, found.records);
    return found && doWith(turn, deed, asWhole(message, found.records), found.isEach);
  }
  return act === "undo"
    ? takeBack(turn, "undo")
    : act === "other"
      ? correctTo(turn, slots)
      : anew(turn, message, act, slots);
}

/** "Nora is at the clinic" does not say where "Lunch with Nora" is. */
const saysWhereSomebodyIs = (slots: readonly Filled[], records: readonly ChatRecord[]) =>
  filledBy(slots, "t").some((name) => records.some(({ title }) => isOnlyGuest(name, title)));

async function correctTo(turn: Turn, slots: readonly Filled[]): Promise<Reply | null> {
  const [name] = filledBy(slots, "t");
  return name ? correct(turn, `I meant the ${name.replace(/^(?:the|my) /i, "")}`) : null;
}

/** Who only says what is needed may talk to anybody; who adds it to something, or says when, wants it to be kept. */
function isTask(message: string, isKept: boolean): boolean {
  // "Make a list of goals" asks for something to be found.
  if (/\blists? of\b/i.test(message)) return false;
  if (/\b(?:remind|reminder|reminded|task|tasks|to-?dos?|don't forget|don't let me forget)\b/i.test(message))
    return true;
  const isNeed = /\b(?:need|needs|have|has|must|got|gotta|ought|should|forget|remember|add|put|note|jot)\b/i.test(
    message,
  );
  return isNeed && (isKept || /^(?:also|and|oh|plus|then)\b|\balso\b/i.test(message));
}

/** Something new, or a question: the request in the words that the rules know. */
async function anew(turn: Turn, message: string, act: ReadAct, slots: readonly Filled[]): Promise<Reply | null> {
  const when = timeWords(message, slots, turn.clock);
  const [title] = filledBy(slots, "n");
  const place = placeIn(slots);
  const [person] = filledBy(slots, "g");
  const [list] = filledBy(slots, "l");
  const [text] = filledBy(slots, "m");
  const [about] = filledBy(slots, "t");
  switch (act) {
    case "add_task":
      return title && isTask(message, when !== "" || list !== undefined)
        ? addTask(turn, `remind me to ${title}${when && ` ${when}`}${priorityWords(message, turn.clock)}`)
        : null;
    case "add_event":
      return title && when ? addEvent(turn, `schedule ${title} ${when}${place ? ` at ${place}` : ""}`) : null;
    case "write":
      return person && text ? emailCommand(turn, `write an email to ${person} saying ${text}`) : null;
    case "ask_day":
      return dayAhead(turn, `what do I have ${when || "today"}?`);
    case "ask_free":
      return freeTime(turn, `am I free ${when || "today"}?`);
    case "ask_tasks":
      return list ? showList(turn, `show the ${list} list`) : listTasks(turn, `show my tasks ${when && `due ${when}`}`);
    case "ask_mail":
      return searchEmails(
        turn,
        `find emails${person ? ` from ${person}` : ""}${about ? ` about ${about}` : ""} ${when}`,
      );
    default:
      return null;
  }
}

/** "I can't make it to the dentist" only implies that the event is to be cancelled. */
const SAYS_REMOVE =
  /\b(?:cancel(?:led|ed|ling|ing)?|delet\w+|remov\w+|drop\w*|scrap\w*|bin(?:ned)?|trash|kill|axe|ditch|erase|wipe|dump|chuck|scratch|lose|toss|rid|discard|skip\w*|junk|strike|clear)\b|\b(?:take|call\w*|cross|get|is|'s)\b.{0,40}\b(?:off|out)\b/i;

const REFERENCE = new RegExp(`(?<=^|\\s)${REF}(?=$|[\\s,.!?'])`, "i");

const MOST_WORDS_WITHOUT = 7;
const NO_NAME =
  /^(?:hers?|his|theirs?|mine|ours|yours|it'?\w*|that|this|those|these|them|(?:the )?(?:one|ones|two|three)(?: of .*)?)$/i;

/** Whether the words name something, and do not only refer to it or say when it is. */
const isName = ({ clock }: Turn, words: string) => !NO_NAME.test(words) && datesIn(words, clock).length === 0;

/** The records that the message names, or else those that it refers to. */
async function recordsMeant(
  turn: Turn,
  message: string,
  slots: readonly Filled[],
  given: readonly Kind[],
): Promise<Found | null> {
  const names = filledBy(slots, "t").filter((name) => isName(turn, name));
  // "Mum's appointment" is an event, also if a task is about her.
  if (names.some((name) => NAMES_AN_EVENT.test(name)) && given.includes("event"))
    return recordsMeantAs(turn, message, names, ["event"]);
  return recordsMeantAs(turn, message, names, given);
}

const NAMES_AN_EVENT = /\b(?:appointment|meeting|booking)\b/i;

async function recordsMeantAs(
  turn: Turn,
  message: string,
  names: readonly string[],
  kinds: readonly Kind[],
): Promise<Found | null> {
  if (names.length > 0) {
    for (const isWhole of [true, false]) {
      const found = await recordsNamed(turn, names.join(" and "), kinds, isWhole);
      if (found) return found;
    }
  }
  const mentioned = await recordsMentioned(turn, message, kinds);
  if (mentioned.length > 0) return { records: mentioned, isEach: true };
  if (names.length > 0) return null;
  const ref = REFERENCE.exec(message)?.groups?.ref;
  // Who leaves out what is meant says little: "Tuesday then".
  if (!ref && message.split(/\s+/).length > MOST_WORDS_WITHOUT && !/\b(?:instead|rather|actually)\b/i.test(message))
    return null;
  const found = meant(turn, readReference(ref ?? "it"), kinds);
  if (!found) return null;
  return "records" in found ? { records: found.records, isEach: true } : { records: found.options, isEach: false };
}
