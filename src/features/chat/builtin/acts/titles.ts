import { wordSet } from "../../../../lib/words.ts";
import { isPlain } from "../../request/content.ts";
import { quotedIn, remindsOfNew, wordsOf } from "../../request/exact.ts";
import { levelIn } from "../../request/filters.ts";
import { orderIn } from "../../request/orders.ts";
import { isReferring } from "../../request/reference.ts";
import { type Request, slotsOf } from "../../request/request.ts";

const LONGEST_WORDS = 14;
/** Words that no name begins with: pronouns, fillers, conjunctions, and verbs that have no subject. */
const NO_BEGIN = wordSet(
  "it that this them these those i i'm i've i'll you we he she they it's that's ok okay oh ah yeah yep lol haha ffs hmm and but because if on at from goes belongs is are was were has does did es das ich du wir ça je tu nous il elle eso lo yo nosotros",
);
const LEADS = /^(?:(?:just|then|so|please|now) ){1,3}/i;
/** Names that stand for nothing: words of the request, and of times. */
const EMPTY = wordSet(
  "a an the my time thing things something stuff one ones task tasks todo reminder event meeting list new other another further more extra separate separately both same it that this them those me us for to in on at of too also please down up half quarter past til till until noon midnight morning evening afternoon night tonight today tomorrow hour hours day days week minute minutes min mins oclock o'clock am pm before after later earlier",
);
/** Verbs that ask for something, if all behind them stands for nothing: "write it down", "make that three". */
const ORDERS = wordSet(
  "make change put write do add move set jot note pop stick bump push shift keep leave give book enter create",
);
const POINTS = wordSet("it that this them those these me us");
/** Verbs that make a sentence of what stands before them, unless another word says that it is a clause of the name. */
const FINITE = wordSet("is are was were isn't aren't will would has comes does ist sind wird hat est sont está");
const CLAUSE = wordSet("if whether that what when who which how why where because dass ob que si");
const LONGEST_SUBJECT = 3;
/** What is to be made is no part of what it is called. */
const ORDER_WITHIN =
  /\b(?:put|add|book) (?:it|them|that)\b|\b(?:make|add|create|set|do) (?:me )?(?:an?|another) (?:task|to-?do|reminder|event|note)\b/i;

/** "A task will suffice": a subject and its verb. */
function isSentence(words: readonly string[], title: string): boolean {
  const verb = words.findIndex((word) => FINITE.has(word));
  // "Lunch with Will" names him.
  const isName = words[verb] === "will" && (verb === words.length - 1 || /\sWill\b/.test(title));
  const isSubject = verb > 0 && verb <= LONGEST_SUBJECT;
  return isSubject && !isName && !words.slice(0, verb).some((word) => CLAUSE.has(word));
}

const INTO_TASKS =
  /(?<=\S)\s(?:(?:zu|auf|in) (?:meinen?|meine[rm]|die|den) (?:aufgaben|liste|kalender)(?: hinzu| ein)?|à (?:mes tâches|ma liste|mon agenda)|(?:a|en) mis? (?:tareas|lista|calendario|agenda))$/i;

/** A title as it is stored. */
export const tidy = (title: string) =>
  title
    .replace(/^["“'„«]{1,3}|["”'“»]{1,3}$/g, "")
    .replace(/^[\s,:;–-]+|(?<![\s,.!?;:])[\s,.!?;:]+$/g, "")
    .replace(/^(?:and|also|plus)\s(?=\S)/i, "")
    .replace(
      /^(?:all[- ]day )?(?:(?:(?:an?|the) )?(?:event|task|reminder) )?(?:called|named|titled|entitled|saying|to|that|about|for|daran,?|de|que)\s+(?=\S)|^d'/i,
      "",
    )
    .replace(
      /(?<=\S)\s+(?:to|on|in|into|onto)\s+(?:my|the|our)(?:\s+(?:calendar|diary|schedule|agenda|planner|to-?do(?: list)?|list|tasks?))?$/i,
      "",
    )
    .replace(INTO_TASKS, "")
    .replace(/(?<=\S) (?:please|pls|bitte|por favor|s'il te plaît)$/i, "")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
    .slice(0, 300);

const isEmpty = (word: string) => EMPTY.has(word) || isPlain(word) || /^\d+$/.test(word);

/**
 * Whether words can be the name of something: not if they talk about the request, begin with a pronoun or a filler, are a
 * sentence, or stand for nothing. What is to be remembered ("remind me that …") may be a sentence.
 */
export function isTitle(title: string, isTold = false): boolean {
  const words = wordsOf(title.replace(LEADS, ""));
  const [first = "", second = ""] = words;
  if (words.length === 0 || words.length > LONGEST_WORDS || NO_BEGIN.has(first) || /^no,/i.test(title)) return false;
  const isOrder = ORDERS.has(first) && (POINTS.has(second) || words.slice(1).every(isEmpty));
  if (isOrder || words.every(isEmpty) || /^new (?:one|list|task|event)\b/i.test(title)) return false;
  if (!isTold && isSentence(words, title)) return false;
  return !/[.!?]\s+\S+\s+\S/.test(title) && !ORDER_WITHIN.test(title);
}

/** "…, put it in": what is to be added was told before. */
const PUT_IT =
  /(?:^|[\s,.;:–-])(?:(?:and|so|please) ){0,2}(?:(?:put|add|book|pop|stick|note|save) (?:it|that|them|this|those)|(?:trag|trage|schreib) (?:das|es|sie)|(?:mets|ajoute|note) (?:le|la|les)|(?:ponlo|ponla|(?:añade|apunta) l[oa]))(?=[\s,.!]|$).{0,300}$/iu;
const TOLD_THING = /\b(?:an?|the|my|ein|eine|einen|une?|una)\s([^,.;\s][^,.;]{0,120})$/i;

/** The name of what was told: "Nils has been invited to a regatta, put it in" is Regatta. */
export function toldTitle(text: string): string | null {
  const whole = text.replace(/^(?:and|also|und|et|y)\s+/i, "").trim();
  const told = whole.replace(PUT_IT, "").replace(/(?<![\s,;:–-])[\s,;:–-]+$/, "");
  if (told === whole || told === "") return null;
  const title = tidy(wordsOf(told).length > LONGEST_TOLD ? (TOLD_THING.exec(told)?.[1] ?? "") : told);
  return title !== "" && isTitle(title) ? title : null;
}

const LONGEST_TOLD = 4;

/** "Remind me to call Ann and cancel the gym" may be about both: what would be an order of its own is not obeyed. */
function wholeReminder({ slots, message, text }: Request): string | null {
  const names = slots.filter(({ slot }) => slot === "n");
  const [first, last] = [names[0], names.at(-1)];
  const isMeant = names.slice(1).some((name) => ["remove", "move"].includes(orderIn(name.text) ?? ""));
  return first && last && isMeant && remindsOfNew(text) ? message.slice(first.start, last.end) : null;
}

/** The names of what is new, as the message says them; empty if it says none that could be one. */
export function newTitles(request: Request): string[] {
  const quoted = quotedIn(request.text);
  if (quoted !== null) return [quoted];
  const whole = wholeReminder(request);
  if (whole !== null) return [tidy(whole)];
  const isTold = remindsOfNew(request.text);
  return namesIn(request).filter((name) => isTitle(name, isTold));
}

/** What was taken for a name and cannot be one, but says something. */
export const notTitles = (request: Request): string[] =>
  quotedIn(request.text) === null && !remindsOfNew(request.text)
    ? namesIn(request).filter((name) => !isTitle(name) && !wordsOf(name).every(isEmpty))
    : [];

const namesIn = (request: Request): string[] =>
  slotsOf(request, "n")
    // "High priority task review budget": how urgent it is is no name.
    .filter((name) => !isReferring(name) && !(levelIn(name) !== null && wordsOf(name).length === 1))
    .map((name) => tidy(remindsOfNew(request.text) ? name.replace(/^forget (?:to )?/i, "") : name));
