import { type Clock, datesIn, isClock } from "../../../engine/notes/message-time.ts";
import { wordSet } from "../../../lib/words.ts";
import { wordsOf } from "./exact.ts";

/* People set right what they have just said. What they have taken back is left out before the message is read. */

/** Words that say that another time is meant than the one before them. */
const SETS_RIGHT = wordSet(
  "no sorry rather better mean meant actually instead correction oops wait scratch nope prefer nein doch lieber besser meine meinte quatsch sondern non plutôt pardon mieux voulais mejor perdón digo sino quise",
);
/** Words that may stand around them. */
const AROUND = wordSet(
  "i i'd i'll i'm it it's that that's this make made said say did do should would could like may might change my mind have to be is was the a an at on by for in of but and or so oh ah hm hmm ok okay well yes please thanks then now still hang hold on one moment only just it'll than hours minutes ich es das ist war auf um am dann bitte aber mach nimm je le la à au mais c'est mets moi s'il te plaît yo el lo es pero por favor ponlo a las al mi",
);

/** Whether the words only say that something is meant otherwise. */
export const onlySetsRight = (text: string): boolean =>
  wordsOf(text).every((word) => SETS_RIGHT.has(word) || AROUND.has(word));

export const setsRight = (text: string): boolean => wordsOf(text).some((word) => SETS_RIGHT.has(word));

/** What is not meant stands behind these: "Friday, not Thursday", "rather than at 3". */
const NOT_MEANT =
  /,?\s?(?:\b(?:and|und|et|y)\s)?\b(?:not|rather than|instead of|nicht|statt|anstatt|et pas|plutôt que|au lieu de|y no|en vez de|en lugar de)\s(?!(?:before|until|till|later|earlier|vor|bis|avant|antes|hasta)\b)/giu;
/** The time of day at the end of a phrase. */
const CLOCK_END = /\s?(?:,\s?)?\b(?:at|um|à|a las)?\s?\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\.?|uhr|h|o'clock)?$/i;
const NEXT_CHARACTERS = 40;

/** "Friday, not Thursday" is Friday; "at 12, no sorry, 12:30" is 12:30; "I said Monday but I mean Tuesday" is Tuesday. */
export function withoutTakenBack(text: string, clock: Clock): string {
  return withoutEarlier(withoutDenied(text, clock), clock);
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
    // "Monday at 12, no sorry, 12:30" stays on Monday.
    const kept = isClock(later) && !/^date/.test(later.type) ? dayOf(earlier.text, isClock(earlier)) : "";
    return `${text.slice(0, earlier.start)}${kept} ${text.slice(later.start)}`.replace(/ {2,}/g, " ");
  }
  const said = SAID_HOUR.exec(text);
  const after = said ? text.slice(said.index + said[0].length) : "";
  return said && /\d/.test(after) && setsRight(after) ? `${text.slice(0, said.index)}${after}` : text;
}

const dayOf = (phrase: string, hasClock: boolean) => (hasClock ? phrase.replace(CLOCK_END, "") : phrase);

const NOT_THIS =
  /\bnot\s+(\p{L}[\p{L}'-]*)[\s,]+(?:but\s+)?(\p{L}[\p{L}'-]*)|\b(?:nicht)\s+(\p{L}+)[\s,]+sondern\s+(\p{L}+)/iu;
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
  const [from, to] = denied ? [denied[1] ?? denied[3], denied[2] ?? denied[4]] : [];
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
  if (one.length < 4 || one[0]?.toLowerCase() !== other[0]?.toLowerCase()) return false;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, target] of [...other].entries())
      next.push(Math.min((row[to] ?? 0) + (letter === target ? 0 : 1), (row[to + 1] ?? 0) + 1, (next[to] ?? 0) + 1));
    row = next;
  }
  const distance = row.at(-1) ?? 0;
  return distance > 0 && distance <= 2;
}
