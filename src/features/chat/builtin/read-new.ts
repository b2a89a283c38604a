import { listNameIn } from "../../../engine/notes/list-name.ts";
import { datesIn, isClock } from "../../../engine/notes/message-time.ts";
import { eventSlots, taskSlots } from "../../../engine/notes/slots.ts";
import { MAX_WRITES, type Turn } from "../../tools/turn.ts";
import { errandByRule } from "../language/errands/errand.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { reader, SURE_TO_ADD, VERY_SURE } from "../language/reader/reader.ts";
import { filledBy, placeIn, tidy, timeWords } from "../language/reader/wish.ts";
import { TO_DO } from "../language/wording/everyday-words.ts";
import { addThings } from "./another.ts";
import type { Reply } from "./reply-text.ts";
import { addTask, createTask } from "./tasks.ts";

/* What the trained reader says about messages that add something. */

interface Title {
  text: string;
  start: number;
  end: number;
}

/** "ask Mum" and "get the kids" are one task in "ask Mum to get the kids". */
function joined(message: string, titles: readonly Title[]): Title[] {
  const whole: Title[] = [];
  for (const title of titles) {
    const last = whole.at(-1);
    const isOne =
      last !== undefined && /^ ?(?:to|if|whether|that|about|for) ?$/i.test(message.slice(last.end, title.start));
    if (isOne) whole.splice(-1, 1, { ...last, end: title.end, text: message.slice(last.start, title.end) });
    else whole.push(title);
  }
  return whole;
}

const TOLD_BEFORE = /\b(?:i|we|he|she|they)(?:'\w+)? (?:can't|cannot|won't|don't|didn't|couldn't|isn't|am not)\b/i;
const ASKED_BEFORE = /\b(?:remind|add|put|note|task|to-?do|need|have to|must|forget)\b/i;

/** Several tasks in one sentence, each with its own time: "update the deck by Friday, call Ann tomorrow and book a room". */
export async function addSeveral(turn: Turn, message: string, partsByRule: number): Promise<Reply | null> {
  // The rules know how a list is named, and which one was just shown.
  if (listNameIn(message) !== null && errandByRule(message) === "add_task") return null;
  const onList = await addThings(turn, message);
  if (onList) return onList;
  const reading = reader.read(message, turn.clock);
  const [best] = reading.acts;
  if (best?.act !== "add_task" || best.share < SURE_TO_ADD || isQuestion(message)) return null;
  const slots = reading.slots("add_task");
  const titles = joined(
    message,
    slots.filter(({ slot, text }) => slot === "n" && !ATTRIBUTE.test(text)),
  );
  // "I won't make pick-up. Remind me to ask Mum": what is told before is no task.
  if (
    titles.some(({ start }) => TOLD_BEFORE.test(message.slice(0, start)) && !ASKED_BEFORE.test(message.slice(0, start)))
  )
    return null;
  // "Make a list of goals" asks for something to be found.
  if (/\blists? of\b/i.test(message)) return null;
  const list = filledBy(slots, "l")[0] ?? listNameIn(message);
  const fewest = list ? 2 : Math.max(message.includes(",") ? 2 : 3, partsByRule + 1);
  if (titles.length < fewest || titles.length > MAX_WRITES || saysSeveralTimes(message, turn.clock)) return null;
  if (titles.some(({ text }) => /^(?:it|that|this|them|these|those)\b/i.test(text))) return null;
  // "Slept badly, the neighbours had a party again" tells what was.
  if (!list && !titles.every(({ text }) => TO_BE_DONE.test(text))) return null;
  const replies: Reply[] = [];
  for (const [at, { text, end }] of titles.entries()) {
    const until = titles[at + 1]?.start ?? message.length;
    const title = tidy(text.replace(/ (?:to|on|onto|in) (?:my|the) .{0,200}\blist$/i, ""));
    const when =
      timeWords(message.slice(end, until), [], turn.clock) ||
      timeWords(message.slice(0, titles[0]?.start), [], turn.clock);
    replies.push(
      list
        ? await createTask(turn, { title, list: listName(list) })
        : await addTask(turn, `remind me to ${text} ${when}`),
    );
  }
  return { ...replies.at(-1), text: replies.map(({ text }) => text).join("\n") };
}

/** What follows a task says something about it: "…, high priority", "…, tag finance", "…, yellow ones". */
const ATTRIBUTE =
  /^(?:(?:high|low|top|medium|normal|urgent)(?:est)?(?: prio(?:rity)?)?|prio(?:rity)? .*|urgent|asap|important|(?:tag(?:ged)?|label(?:led)?|due|by|list|category|project)\b.*|no rush|[\p{L}-]+ (?:one|ones))$/iu;
const TO_BE_DONE = new RegExp(`^(?:to )?${TO_DO}\\b`, "i");

/** "gym at 7, dentist at 10": these are events. */
const saysSeveralTimes = (message: string, clock: Turn["clock"]) => datesIn(message, clock).filter(isClock).length > 0;

const listName = (name: string) => listNameIn(`the ${name} list`) ?? name;

/** A title that has so many words more than the model has marked has taken in words of the request. */
const TOO_MANY = 2;

/** "I'd like to be reminded to call Ann on Friday": the request in plain words if its title would have too many of them. */
export function withPlainTitle(turn: Turn, message: string, errand: "add_task" | "add_event"): string {
  const { clock } = turn;
  const reading = reader.read(message, clock);
  const [best] = reading.acts;
  if (best?.act !== errand || best.share < VERY_SURE || /["“”]/.test(message)) return message;
  const slots = reading.slots(errand);
  const [given = "", ...others] = filledBy(slots, "n");
  // "Book a table" is what the person has to do.
  const title = given.replace(errand === "add_task" ? REMINDS : REQUESTS, "");
  const isClear = title !== "" && others.length === 0 && filledBy(slots, "g").length === 0;
  const read = errand === "add_task" ? taskSlots(message, clock).title : eventSlots(message, clock).title;
  if (!isClear || wordCount(read) < wordCount(title) + TOO_MANY) return message;
  const place = placeIn(slots);
  const [list] = filledBy(slots, "l");
  const times = datesIn(message, clock).map(({ text, type }) => (type === "duration" ? `for ${text}` : text));
  const rank = errand === "add_task" ? priorityWords(message, clock) : "";
  const where = `${place ? ` at ${place}` : ""}${list ? ` on the ${list} list` : ""}`;
  return `${errand === "add_task" ? "remind me to" : "schedule"} ${title} ${times.join(" ")}${where}${rank}`.trim();
}

const REMINDS = /^(?:please |and |also )*(?:add|remind me to|note) (?:down )?/i;
const REQUESTS =
  /^(?:please |and |also )*(?:schedule|book|add|put|plan|set up|create|remind me to|note) (?:in |down |an? |the )?/i;

/** The priority that a message gives to a new task, as words of a request. */
export function priorityWords(message: string, clock: Turn["clock"]): string {
  const { priority } = taskSlots(message, clock);
  return priority ? ` ${priority} priority` : "";
}

const wordCount = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
