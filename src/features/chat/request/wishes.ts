import { listNameIn } from "../../../engine/notes/list-name.ts";
import { type Clock, datesIn } from "../../../engine/notes/message-time.ts";
import { type Act, readMessage, type Wish } from "../reader/read.ts";
import { classesOf } from "../reader/word-classes.ts";
import { quotedIn, remindsOfNew, wordsOf } from "./exact.ts";
import { orderIn } from "./orders.ts";

/* What a message wants, part by part: where the parts of the reader have to be split or joined. */

/** "milk, bread and butter to the shopping list": the list that only the last part names is for all of them. */
export function readWishes(text: string, context: string, clock: Clock): Wish[] {
  const wishes = readMessage(text, context, clock).flatMap((wish) => partsOf(text, wish, context, clock));
  const [last, ...before] = [...wishes].reverse();
  const partOf = ({ start, end }: Wish) => text.slice(start, end);
  const isThing = (wish: Wish) =>
    wordsOf(partOf(wish)).find((word) => word !== "and" && classesOf(word).length > 0) === undefined;
  const isList =
    last?.act === "add_task" &&
    before.length > 0 &&
    listNameIn(partOf(last)) !== null &&
    before.every((wish) => listNameIn(partOf(wish)) === null) &&
    isThing({ ...last, end: last.slots.find(({ slot }) => slot === "n")?.end ?? last.start }) &&
    before.slice(0, -1).every(isThing);
  const [first] = wishes;
  if (!isList || !first) return wishes;
  const slotsFor = (act: Act) => wishes.flatMap((wish) => wish.slotsFor(act));
  return [{ ...last, start: first.start, slots: slotsFor("add_task"), slotsFor }];
}

/** Acts whose words may be sentences: the text of an email, a note. */
const TEXTS: ReadonlySet<Act> = new Set<Act>([
  "reply",
  "forward",
  "write",
  "note",
  "answer",
  "rename",
  "add_task",
  "add_event",
]);
const ADDS: ReadonlySet<Act> = new Set<Act>(["add_task", "add_event"]);
const VERBS = new Set([
  "star",
  "unstar",
  "archive",
  "snooze",
  "tag",
  "remove",
  "done",
  "move",
  "reply",
  "forward",
  "read",
]);
/** "call it Lease talk and make it an hour" */
const POINTS = /^(?:please )?\p{L}+ (?:it|that|them|this)\b/iu;
const BOUNDARY = /(?<=\p{L}{3}[.!]) (?=\S+ \S)| and (?=\p{L}+ \S)|, (?=remind me )/gu;

/** A part in which two sentences stand, or two verbs: "star Oda's and mark it as read". */
function partsOf(text: string, wish: Wish, context: string, clock: Clock): Wish[] {
  const part = text.slice(wish.start, wish.end);
  if (quotedIn(part) !== null) return [wish];
  const isVerb = (words: string) =>
    classesOf(wordsOf(words)[0] ?? "").some((each) => VERBS.has(each)) || /^mark\b/i.test(words);
  for (const { index, 0: sign } of part.matchAll(BOUNDARY)) {
    const [left, right] = [part.slice(0, index), part.slice(index + sign.length)];
    // The text of an email or a name may have sentences; an order behind one is no part of a name.
    const isNext = ADDS.has(wish.act) && isOwnOrder(left, sign, right, clock);
    const isOwn = (isVerb(left) && isVerb(right)) || (POINTS.test(left) && POINTS.test(right));
    if (TEXTS.has(wish.act) ? !isNext : sign === " and " && !isOwn) continue;
    const begin = wish.start + index + sign.length;
    const read = (words: string, by: number) => readMessage(words, context, clock).map((each) => shifted(each, by));
    return [...read(left, wish.start), ...read(right, begin)];
  }
  return [wish];
}

/** Whether an order begins behind what is to be added: after a sentence, or after "and" with a time of its own. */
function isOwnOrder(left: string, sign: string, right: string, clock: Clock): boolean {
  if (sign === ", ") return remindsOfNew(right);
  if (sign === " ") return orderIn(right) !== null;
  return orderIn(right) === "add" && [left, right].every((words) => datesIn(words, clock).length > 0);
}

function shifted(wish: Wish, by: number): Wish {
  const move = <Place extends { start: number; end: number }>(each: Place): Place => ({
    ...each,
    start: each.start + by,
    end: each.end + by,
  });
  return { ...move(wish), slots: wish.slots.map(move), slotsFor: (act) => wish.slotsFor(act).map(move) };
}
