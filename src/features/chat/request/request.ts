import type { ChatRecord } from "../../../db/schema/chat.ts";
import type { FoundDate } from "../../../engine/dates/find-dates.ts";
import { withoutListName } from "../../../engine/notes/list-name.ts";
import { type Clock, datesIn } from "../../../engine/notes/message-time.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import type { Act, Filled, Slot, Wish } from "../reader/read.ts";
import { isDeterminer } from "../reader/word-classes.ts";
import { clearsTasks, clearsTime, exactly, type Moment, quotedIn, remindsOfNew } from "./exact.ts";
import { absenceIn, addsToTasks, asksOutside, canMean } from "./orders.ts";
import { isReferring, type Kind, kindIn, nounIn, type Reference, referenceIn } from "./reference.ts";
import { type Part, timesIn } from "./times.ts";

/** One wish of a message: what is wanted, of what, with which words and times. */
export interface Request {
  act: Act;
  /** How likely the act is, and that it wants a change now. */
  share: number;
  change: number;
  /** The next likely acts. */
  others: Wish["others"];
  /** The words of this wish. */
  text: string;
  /** Names of existing records. */
  names: string[];
  /** "it", "both", "the second one": what the last reply was about. */
  reference: Reference | null;
  /** The kind of record that a noun names, and the noun. */
  kind: Kind | null;
  noun: string | null;
  slots: readonly Filled[];
  /** Phrases about time outside of names. */
  times: readonly FoundDate[];
  /** The words that are neither name nor time. */
  rest: string;
  message: string;
  /** The event that a new one is like: "the same on Wednesday". */
  copyOf?: ChatRecord;
  /** The record that is meant, if something better than a name has found it. */
  about?: ChatRecord;
  /** The records that answer a question, the best first. */
  recalled?: readonly ChatRecord[];
  /** The records or the conversation say that this is meant, and signs against a change have been looked for. */
  isKnown?: boolean;
  /** The same words, read as another act. */
  as(act: Act): Request;
}

export const slotsOf = ({ slots }: Pick<Request, "slots">, slot: Slot): string[] =>
  slots.filter((each) => each.slot === slot).map(({ text }) => text);

export interface Conversation extends Moment {
  clock: Clock;
  /** Whether an act makes sense at this point: nothing can be picked if nothing was offered. */
  fits(act: Act): boolean;
}

/** What a wish asks for. A few exact forms are known better than the reader can. */
export function requestOf(message: string, wish: Wish, conversation: Conversation): Request {
  const text = message.slice(wish.start, wish.end).trim();
  const exact = exactly(text, conversation);
  const isReminder = (remindsOfNew(text) && wish.act !== "remind") || remindsAt(text, conversation.clock);
  const isNew = isReminder || addsToTasks(text);
  if (exact !== null || isNew) return readAs(message, wish, exact ?? "add_task", 1, 1, [], conversation);
  if (clearsTime(text) || clearsTasks(text)) {
    const all = readAs(message, wish, "remove", 1, 1, [], conversation);
    return { ...all, names: [], slots: [], reference: { which: "all" }, kind: clearsTasks(text) ? "task" : "event" };
  }
  const times = timesIn(message, wish, [], conversation.clock);
  if (asksOutside(text, wish)) return readAs(message, wish, "other_world", 1, 0, [], conversation);
  const absence = absenceIn(text, times);
  if (absence) {
    const slots: Filled[] = [{ slot: "n", text: absence, start: 0, end: 0 }];
    return { ...readAs(message, wish, "add_event", 1, 1, [], conversation), slots, times };
  }
  const likely = [{ act: wish.act, share: wish.share }, ...wish.others];
  const fits = (act: Act) => conversation.fits(act) && canMean(text, act);
  const [best = likely[0], ...others] = likely.filter(({ act }) => fits(act));
  const total = likely.filter(({ act }) => !fits(act)).reduce((sum, each) => sum + each.share, 0);
  const share = (best?.share ?? 0) / Math.max(0.01, 1 - total);
  return readAs(message, wish, best?.act ?? wish.act, Math.min(1, share), wish.change, others, conversation);
}

function readAs(
  message: string,
  wish: Wish,
  act: Act,
  share: number,
  change: number,
  others: Wish["others"],
  conversation: Conversation,
): Request {
  const dates = datesIn(message, conversation.clock);
  const all = joined(act === wish.act ? wish.slots : wish.slotsFor(act), message).map((slot) =>
    withoutList(withoutRequest(trimmed(slot, message, dates), wish.start)),
  );
  // "the last one", "the draft" name nothing.
  const isOnlyKind = (text: string) =>
    kindIn(text) !== null && tellingWords(text).every((word) => kindIn(word) || isReferring(word));
  const isName = (text: string) => tellingWords(text).length > 0 && !isReferring(text) && !isOnlyKind(text);
  const slots = all.filter(({ slot, text }) => slot !== "t" || isName(text));
  const times = timesIn(message, wish, slots, conversation.clock);
  const rest = without(message, wish, [...slots, ...times]);
  const noun = nounIn(rest);
  const text = message.slice(wish.start, wish.end).trim();
  const quoted = quotedIn(text);
  // "archive the shoe ad + payslip"
  const names = slots.filter(({ slot }) => slot === "t").flatMap((slot) => slot.text.replace(DO_IT, "").split(" + "));
  const isQuotedName = quoted !== null && names.length === 0 && !slots.some(({ slot }) => slot === "n" || slot === "m");
  return {
    act,
    share,
    change,
    others,
    text,
    names: isQuotedName && quoted ? [quoted] : names,
    reference: referenceIn(rest),
    kind: noun?.kind ?? null,
    noun: noun?.noun ?? null,
    slots,
    times,
    rest,
    message,
    as: (other) => readAs(message, wish, other, share, change, others, conversation),
  };
}

/** "The slides I'll do on Sunday" */
const DO_IT = / (?:i|we)(?:'ll| will| must| have to| need to| can|'d rather)? do$/i;

/** "Remind me every morning at 8 to take the pills": the time stands before what is to be done. */
function remindsAt(text: string, clock: Clock): boolean {
  const begin = /^(?:(?:please|and|also)[\s,]+)*remind me\s+/i.exec(text)?.[0].length ?? 0;
  const end =
    begin > 0 ? datesIn(text, clock).reduce((at, { start, end: to }) => (start <= at + 3 ? to : at), begin) : 0;
  return end > begin && /^[\s,]*(?:please\s+)?(?:to|that|of|about)\s+\S/i.test(text.slice(end));
}

const LOOSE_END =
  /(?:\s(?:at|on|for|by|in|to|due|every|the|and|then|too|as well|as|um|am|à|le|el|a las)|[\s,.;:!?]){1,12}$/i;
export const withoutLooseEnd = (text: string) => text.replace(LOOSE_END, "");

/** Verbs that begin a request, and nouns that say the kind of what is named after them. */
const NEW =
  /^(?:(?:please|and|also|bitte|und|et|y)[\s,]+)*(?:(?:setze?|füge?|schreibe?|packe?|trage?|notiere?|ajoute[rz]?|mets|note[rz]?|añade|agrega|pon|apunta|anota|schedule|add|put|create|arrange|reserve|set up|enter)\s+(?:(?:an?|the|my|some|me)\s+)?|(?:book|plan|block|make|pencil in|stick|pop)\s+(?:an?|the|my|some|me|in)\s+)(?=\S)/i;
const KNOWN =
  /^(?:(?:mark|tick off|tick|check off|cross off|complete|finish|cancel|delete|remove|move|push|reschedule|postpone|shift|snooze|star|archive|label|bin|drop|scrap|take|call off)\s+)?(?:(?:the|my)\s+)?(?:(?:task|event|e-?mail|mail)\s+)?(?=\S)/i;

/** What is to be added, without the words that ask for it. */
export const withoutVerb = (text: string) => text.trim().replace(NEW, "");

/** A name that a message begins with, without the words of the request. */
function withoutRequest(slot: Filled, begin: number): Filled {
  if (slot.start > begin + 2 && !/^(?:task|event|e-?mail)\b/i.test(slot.text)) return slot;
  const form = slot.slot === "n" ? NEW : slot.slot === "t" ? KNOWN : null;
  const cut = form?.exec(slot.text)?.[0].length ?? 0;
  return cut === 0 ? slot : { ...slot, start: slot.start + cut, text: slot.text.slice(cut) };
}

/** "take out the bins" is one name, although the reader leaves out the article. */
function joined(slots: readonly Filled[], message: string): Filled[] {
  const all: Filled[] = [];
  for (const slot of slots) {
    const before = all.at(-1);
    const between =
      before && slot.slot === "t" && before.slot === "t" ? message.slice(before.end, slot.start).trim() : "";
    if (before && isDeterminer(between.toLowerCase()))
      all[all.length - 1] = { ...slot, start: before.start, text: message.slice(before.start, slot.end) };
    else all.push(slot);
  }
  return all;
}

/** "bread from the shopping list" is Bread; "shopping list", beside it, is the list. */
function withoutList(slot: Filled): Filled {
  if (slot.slot !== "t") return slot;
  const text = withoutListName(slot.text);
  if (text !== slot.text && text !== "") return { ...slot, end: slot.start + text.length, text };
  return / list$/i.test(slot.text) ? { ...slot, slot: "l" } : slot;
}

/** A name without the time at its end, and without a time or a length at its beginning: "45 minute call", "3pm meeting". */
function trimmed(slot: Filled, message: string, dates: readonly FoundDate[]): Filled {
  if (slot.slot !== "n" && slot.slot !== "t") return slot;
  let { start, end } = slot;
  for (const date of [...dates].reverse()) {
    if (date.start > start && date.end >= end && date.start < end) end = date.start;
  }
  const first = dates.find((date) => date.start <= start && date.end > start && date.end < end);
  if (first && (first.type === "duration" || /time/.test(first.type))) start = first.end;
  const text = message
    .slice(start, end)
    .replace(LOOSE_END, "")
    .replace(/^[\s,.;:-]+/, "");
  return text === "" || text === slot.text
    ? slot
    : { ...slot, start, end: start + message.slice(start, end).indexOf(text) + text.length, text };
}

/** The words of a part that none of these have taken. */
function without(message: string, { start, end }: Part, taken: readonly Part[]): string {
  let text = "";
  let at = start;
  for (const each of [...taken].sort((a, b) => a.start - b.start)) {
    text += ` ${message.slice(at, Math.max(at, each.start))}`;
    at = Math.max(at, each.end);
  }
  return `${text} ${message.slice(at, Math.max(at, end))}`.replace(/\s+/g, " ").trim();
}
