import { type Clock, datesIn } from "../../../engine/notes/message-time.ts";
import { distance } from "../../../lib/nearest-names.ts";
import { wordSet } from "../../../lib/words.ts";
import { quotedIn, wordsOf } from "./exact.ts";
import { orderIn } from "./orders.ts";
import { bareTime } from "./times.ts";
import { isQuestion } from "./vetoes.ts";

/* People correct themselves. What they take back is removed before the message is read. */

/** Words that say that another time is meant than the one before them. */
const SETS_RIGHT = wordSet(
  "no nah naw forgot sorry rather better mean meant actually instead correction oops wait scratch nope prefer nein doch lieber besser meine meinte quatsch sondern non plutôt pardon mieux voulais mejor perdón digo sino quise",
);
/** Words that may stand around them. */
const AROUND = wordSet(
  "i i'd i'll i'm it it's that that's this make made said say did do should would could like may might change my mind have to be is was the a an at on by for in of but and or so oh ah hm hmm ok okay well yes please thanks then now still hang hold on one moment only just it'll than hours minutes latest soonest dear til till until bis ich es das ist war auf um am dann bitte aber mach nimm je le la à au mais c'est mets moi s'il te plaît yo el lo es pero por favor ponlo a las al mi",
);

/** Whether the words only say that something is meant otherwise. */
export const onlySetsRight = (text: string): boolean =>
  wordsOf(text).every((word) => SETS_RIGHT.has(word) || AROUND.has(word));

export const setsRight = (text: string): boolean => wordsOf(text).some((word) => SETS_RIGHT.has(word));

/** Words before what is not meant: "Friday, not Thursday", "rather than at 3". */
const NOT_MEANT =
  /,?\s?(?:\b(?:and|und|et|y)\s)?\b(?:not|rather than|instead of|nicht|statt|anstatt|et pas|plutôt que|au lieu de|y no|en vez de|en lugar de)\s(?!(?:before|until|till|later|earlier|vor|bis|avant|antes|hasta)\b)/giu;
const NEXT_CHARACTERS = 40;

/** "Friday, not Thursday" is Friday; "at 12, no sorry, 12:30" is 12:30; "I said Monday but I mean Tuesday" is Tuesday. */
export function withoutTakenBack(text: string, clock: Clock): string {
  return withoutReason(withoutEarlier(withoutDenied(withoutNumber(text), clock), clock));
}

const REASON = /,?\s(?:because of|due to|on account of|wegen|à cause de|por culpa de)\s[^,.;]{1,60}$/i;

/** "Cancel the shift because of Pablo": why something is wanted says nothing about what. */
function withoutReason(text: string): string {
  const order = orderIn(text);
  return order === "remove" || order === "move" ? text.replace(REASON, "") : text;
}

const COUNT = "\\d{1,2}(?:[:.]\\d\\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const COUNTS = new RegExp(`\\b(?:${COUNT})\\b`, "gi");
const OTHER_COUNT = new RegExp(
  `[\\s,.–-]{1,3}(?:(?:no|nope|sorry|actually|wait|oops|i mean|or rather|make that|make it)[\\s,]{1,2}){1,4}(${COUNT})(?=[.!]?$|[,;]\\s)`,
  "i",
);

/** "two hours before, no make that three", "at 3, sorry, 4": the number takes the place of the last one before it. */
function withoutNumber(text: string): string {
  const said = OTHER_COUNT.exec(text);
  const near = said ? Math.max(0, said.index - NEXT_CHARACTERS) : 0;
  const before = [...text.slice(near, said?.index).matchAll(COUNTS)].at(-1);
  if (!said?.[1] || !before) return text;
  const [from, to] = [near + before.index, near + before.index + before[0].length];
  return `${text.slice(0, from)}${said[1]}${text.slice(to, said.index)}${text.slice(said.index + said[0].length)}`;
}

function withoutDenied(text: string, clock: Clock): string {
  for (const { index, 0: words } of text.matchAll(NOT_MEANT)) {
    const from = index + words.length;
    const [denied] = datesIn(text.slice(from, from + NEXT_CHARACTERS), clock);
    if (!denied || denied.start > 4) continue;
    const without = `${text.slice(0, index)}${text.slice(from + denied.end)}`;
    if (datesIn(without, clock).length > 0) return without;
  }
  return text;
}

/** A number alone is an hour beside these words. */
const SAID_HOUR = /\b(?:said|say) (?:at )?(\d{1,2}(?:[:.]\d\d)?)\b/i;

function withoutEarlier(text: string, clock: Clock): string {
  const dates = datesIn(text, clock).filter(({ type }) => type !== "set");
  for (const [at, later] of dates.entries()) {
    const earlier = dates[at - 1];
    if (!earlier) continue;
    const between = text.slice(earlier.end, later.start);
    if (!setsRight(between) || !onlySetsRight(between)) continue;
    const isLength = earlier.type === "duration";
    if (isLength !== (later.type === "duration")) continue;
    return `${text.slice(0, earlier.start).trimEnd()} ${text.slice(later.start)}`;
  }
  const said = SAID_HOUR.exec(text);
  const after = said ? text.slice(said.index + said[0].length) : "";
  return said && /\d/.test(after) && setsRight(after) ? `${text.slice(0, said.index)}${after}` : text;
}

const LONGEST_SET_RIGHT = 200;
/** Where a clause ends: what sets a time right may stand beside the reason for it. */
const CLAUSES = /[,;:](?=\s)|(?<=\p{L}{3}|\d)[.!](?=\s|$)|\s(?=but\s)/u;

/** "No, I'm driving then, half 8": the only clause that says nothing but another time; null if there is none. */
export function timeSetRight(text: string, clock: Clock): string | null {
  if (text.length > LONGEST_SET_RIGHT) return null;
  const clauses = text.split(CLAUSES).map((clause) => clause.trim());
  if (clauses.length < 2 || !setsRight(text)) return null;
  const [only, ...others] = clauses.filter((clause) => isOnlyTime(clause, clock));
  const isTold = clauses.every((clause) => clause === only || orderIn(clause) === null);
  return only && others.length === 0 && isTold && quotedIn(text) === null && !isQuestion(text) ? `no, ${only}` : null;
}

/** "Friday noon for the shopping": what the time is for. */
export const FOR_NAME = /\bfor (?:the|my|our) (?<name>\p{L}[\p{L}' -]{1,40})[\s,.!]*$/iu;

/** Whether a text says a time and nothing else. */
export function isOnlyTime(text: string, clock: Clock): boolean {
  const dates = text.length > LONGEST_SET_RIGHT ? [] : datesIn(text, clock);
  const isBare = dates.length === 0 && bareTime(text, clock).length > 0;
  if (dates.length === 0 && !isBare) return false;
  const rest = dates.reduce((left, { text: words }) => left.replace(words, " "), text).replace(FOR_NAME, " ");
  return onlySetsRight(isBare ? rest.replace(/\d{1,2}(?:[:.]\d\d)?/g, " ") : rest);
}

const WORD = String.raw`(\p{L}[\p{L}'-]{0,40})`;
/** "Not Anna, Hannah", "Hannah, not Anna" */
const NOT_THIS = new RegExp(
  String.raw`\bnot\s+${WORD}[\s,]+(?:but\s+)?${WORD}|\bnicht\s+${WORD}[\s,]+sondern\s+${WORD}|${WORD},? not ${WORD}[.!]?$`,
  "iu",
);
const LONGEST_CORRECTION = 7;

/** A title with a word set right: "not Anna, Hannah", "it's Mr. Meyer", of "Call Mr. Maier". Null if no word is. */
export function titleSetRight(text: string, title: string): string | null {
  const put = (from: string, to: string) => {
    const word = title.split(/(\s+)/).find((each) => each.toLowerCase() === from.toLowerCase());
    const isName = word !== undefined && /^\p{Lu}/u.test(word);
    const shown = isName ? `${to[0]?.toUpperCase()}${to.slice(1)}` : to;
    return word === undefined ? null : title.replace(word, shown);
  };
  const denied = NOT_THIS.exec(text);
  const [from, to] = denied ? [denied[1] ?? denied[3] ?? denied[6], denied[2] ?? denied[4] ?? denied[5]] : [];
  if (from && to) return put(from, to);
  const isShort = wordsOf(text).length <= LONGEST_CORRECTION;
  if (!isShort || !/\b(?:correction|name|called|spelled|spelt|it's|heißt|s'appelle|se llama)\b/i.test(text))
    return null;
  const names = text.match(/(?<!^)(?<!\p{L}{4}[.!?]\s)\b\p{Lu}\p{L}{2,}/gu) ?? [];
  for (const name of names) {
    const near = title.split(/\s+/).find((word) => word !== name && isNearName(word, name));
    if (near) return put(near, name);
  }
  return null;
}

/** "Maier" and "Meyer", "Katrin" and "Kathrin": two slips at most. */
function isNearName(one: string, other: string): boolean {
  const isAlike = one.length >= 4 && one[0]?.toLowerCase() === other[0]?.toLowerCase();
  return isAlike && one !== other && distance(one, other) <= 2;
}
