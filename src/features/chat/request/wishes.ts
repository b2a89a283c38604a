import { listNameIn } from "../../../engine/notes/list-name.ts";
import { type Clock, datesIn, withoutPhrases } from "../../../engine/notes/message-time.ts";
import { wordSet } from "../../../lib/words.ts";
import { type Act, type Filled, readMessage, type Wish } from "../reader/read.ts";
import { groupOf } from "../reader/sure.ts";
import { classesOf } from "../reader/word-classes.ts";
import { beginsQuestion } from "./asked.ts";
import { quotedIn, remindsOfNew, wordsOf } from "./exact.ts";
import { enumerationIn } from "./items.ts";
import { asksOutside, orderIn } from "./orders.ts";
import { toldBare, toldIn } from "./telling.ts";

/* What a message wants, part by part: where the parts of the reader have to be split or joined. */

/** "milk, bread and butter to the shopping list": the list that only the last part names is for all of them. */
export function readWishes(text: string, context: string, clock: Clock): Wish[] {
  const read = readMessage(text, context, clock).flatMap((wish) => partsOf(text, wish, context, clock));
  const wishes = withWholeTexts(text, read);
  const partOf = ({ start, end }: Wish) => text.slice(start, end);
  const at = wishes.findLastIndex((wish) => wish.act === "add_task" && listNameIn(partOf(wish)) !== null);
  const [last, ...before] = wishes.slice(0, at + 1).reverse();
  const isThing = (wish: Wish) =>
    wordsOf(partOf(wish)).find((word) => word !== "and" && classesOf(word).length > 0) === undefined;
  const isList =
    last !== undefined &&
    before.length > 0 &&
    before.every((wish) => listNameIn(partOf(wish)) === null) &&
    isThing({ ...last, end: last.slots.find(({ slot }) => slot === "n")?.end ?? last.start }) &&
    before.slice(0, -1).every(isThing);
  const [first] = wishes;
  if (!isList || !first) return wishes;
  const slotsFor = (act: Act) => wishes.slice(0, at + 1).flatMap((wish) => wish.slotsFor(act));
  return [{ ...last, start: first.start, slots: slotsFor("add_task"), slotsFor }, ...wishes.slice(at + 1)];
}

const LETTERS = wordSet("reply write forward");
const TEXT_GOES_ON = /^(?:and|but|also) (?:that )?(?:i|i'll|i'm|i've|i'd|we|we'll|he|she|they|it|it's|there|my|the)\b/i;
/** "Tell her yes and that I look forward to it": what follows is said to her, too. */
const TOLD_GOES_ON = /^(?:and |but )?(?:that|say|i|i'll|i'm|we|there|with|also|he|she|they|her|his)\b/i;
/** What cannot be done is told somebody as well: "ring the chemist and tell them to …". */
const TOLD_THEM = /^and (?:then )?(?:tell|ask|say|let|give|get|have|bring)\b/i;

/** "Write back that they can park here and I'll send the code": a clause of its own, and a part of the email. */
function withWholeTexts(text: string, wishes: readonly Wish[]): Wish[] {
  const all: Wish[] = [];
  for (const wish of wishes) {
    const before = all.at(-1);
    const words = text.slice(wish.start, wish.end);
    const said = before ? text.slice(before.start, before.end) : "";
    const isLetter = before && LETTERS.has(before.act) && before.slots.some(({ slot }) => slot === "m");
    const isText = isLetter && TEXT_GOES_ON.test(words) && orderIn(words.replace(/^\S+ /, "")) === null;
    const isMore = isText || (toldIn(said) !== null && TOLD_GOES_ON.test(words));
    const isTold = before && TOLD_THEM.test(words) && asksOutside(said, before);
    if (before && isSameFor(before, wish, words)) {
      const slotsFor = (act: Act) => [...before.slotsFor(act), ...wish.slotsFor(act)];
      all.splice(-1, 1, { ...before, end: wish.end, slots: slotsFor(before.act), slotsFor });
    } else if (before && (isMore || isTold)) {
      const slotsFor = (act: Act) => withText(text, before.slotsFor(act), isMore ? wish.end : before.end);
      all.splice(-1, 1, { ...before, end: wish.end, slots: slotsFor(before.act), slotsFor });
    } else all.push(wish);
  }
  return all;
}

const ALSO_THE = /^(?:and|or|&|\+) (?:the|my|that|his|her|frau|mr|mrs)\b/i;

/** "Bin the sale and the tool shop one": what is named without a verb is wanted the same for. */
const isSameFor = (before: Wish, { share }: Wish, words: string) =>
  !TEXTS.has(before.act) &&
  groupOf(before.act) !== null &&
  share < SURE &&
  ALSO_THE.test(words) &&
  !wordsOf(words).some((word) => classesOf(word).some((each) => VERBS.has(each)));

/** The text of an email is one, from its first word to its last. */
function withText(text: string, slots: readonly Filled[], end: number): Filled[] {
  const start = slots.find(({ slot }) => slot === "m")?.start;
  const others = slots.filter(({ slot }) => slot !== "m");
  return start === undefined ? others : [...others, { slot: "m", start, end, text: text.slice(start, end) }];
}

/** Acts whose words may be sentences: the text of an email, a note. */
const TEXTS = wordSet("reply forward write note answer rename add_task add_event");
const ADDS = wordSet("add_task add_event");
const VERBS = wordSet("star unstar archive snooze tag remove done move reply forward read");
/** "call it Lease talk and make it an hour" */
const POINTS = /^(?:please )?\p{L}+ (?:it|that|them|this)\b/iu;
/** "…, and the walk is at eleven now" */
const IS_THEN = /^(?:the|my) .{1,40}? (?:is|are|should be|needs to be|starts|begins) (?:now )?(?:at|on|due)\b/i;
const BOUNDARY = /(?<=\p{L}{3}[.!;]) (?=\S+ \S)| (?:and|n) (?=\p{L}+ \S)|, (?=\p{L}+ \S)/gu;

/** So many characters beside a boundary are looked at: a long message takes no longer per word than a short one. */
const NEAR = 100;
/** More than one message can change: what is left stays one piece, and is named. */
const MOST_PIECES = 12;

/** A part in which two sentences stand, or two verbs: "star Oda's and mark it as read". */
function partsOf(text: string, wish: Wish, context: string, clock: Clock): Wish[] {
  const part = text.slice(wish.start, wish.end);
  if (quotedIn(part) !== null || enumerationIn(part)?.head) return [wish];
  const isVerb = (words: string) =>
    classesOf(wordsOf(words)[0] ?? "").some((each) => VERBS.has(each)) || /^mark\b/i.test(words);
  const pieces = [{ from: 0, to: part.length }];
  for (const { index, 0: sign } of part.matchAll(BOUNDARY)) {
    if (pieces.length === MOST_PIECES) break;
    const from = index + sign.length;
    const last = pieces.at(-1)?.from ?? 0;
    const [begin, end, right] = [
      part.slice(last, Math.min(index, last + NEAR)),
      part.slice(Math.max(last, index - NEAR), index),
      part.slice(from, from + NEAR),
    ];
    // The text of an email or a name may have sentences; an order behind one is no part of a name.
    const isBare = sign === " " && toldBare(right) !== null;
    const isTold = (isBare || toldIn(right) !== null) && toldIn(begin) === null;
    const isNext = isTold || (ADDS.has(wish.act) && isOwnOrder(end, sign, right, clock));
    const isAsked = beginsQuestion(wordsOf(right)) && beginsQuestion(wordsOf(begin));
    const isOrder = isVerb(begin) || POINTS.test(begin);
    const isOwn =
      isTold || isAsked || (isVerb(begin) && isVerb(right)) || (isOrder && (POINTS.test(right) || IS_THEN.test(right)));
    if (TEXTS.has(wish.act) ? !isNext : sign !== " " && !isOwn) continue;
    // "A task will do; tomorrow at 10"
    if (sign === " " && withoutPhrases(right, datesIn(right, clock)).replace(/[.!?]$/, "") === "") continue;
    pieces.splice(-1, 1, { from: last, to: index }, { from, to: part.length });
  }
  if (pieces.length === 1) return [wish];
  return pieces.flatMap(({ from, to }) =>
    readMessage(part.slice(from, to), context, clock).map((each) => shifted(each, wish.start + from)),
  );
}

/** Whether an order begins behind what is to be added: after a sentence, or after "and" with a time of its own. */
function isOwnOrder(end: string, sign: string, right: string, clock: Clock): boolean {
  if (sign === ", ") return remindsOfNew(right);
  const order = orderIn(right);
  if (sign === " ") return order !== null;
  // "remind me to buy milk tomorrow and cancel the review": what stands behind the time is no part of the name.
  return order !== null && order !== "add" && datesIn(end, clock).some((date) => date.end === end.length);
}

const SURE = 0.6;

function shifted(wish: Wish, by: number): Wish {
  const move = <Place extends { start: number; end: number }>(each: Place): Place => ({
    ...each,
    start: each.start + by,
    end: each.end + by,
  });
  return { ...move(wish), slots: wish.slots.map(move), slotsFor: (act) => wish.slotsFor(act).map(move) };
}
