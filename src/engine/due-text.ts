import type { RepeatFrom } from "../lib/task-kinds.ts";
import { wordSet } from "../lib/words.ts";
import { type FindOptions, findDates } from "./dates/find-dates.ts";
import { parseDueText, whyNoDate as whyImpossible } from "./due-date.ts";
import { reminderPhrases, withoutReminders } from "./reminder-words.ts";
import { readRepetition } from "./repetition/read.ts";

interface DueText {
  due: Date;
  rule?: { rrule: string; from: RepeatFrom };
  /** The minutes before it at which to remind: "tomorrow 5pm, remind me an hour before". */
  remindBefore?: number[];
}

/**
 * When something is due, how it repeats and when to remind of it, from words such as "next friday 5pm" or "every 2
 * weeks". Null if they name no date, or one that cannot be used: `whyNoDate` says why.
 */
export function readDueText(text: string, options: FindOptions): DueText | null {
  const phrases = reminderPhrases(text);
  if (phrases.length === 0) return readDate(text, options);
  const read = readDate(withoutReminders(text, phrases), options);
  return read && { ...read, remindBefore: [...new Set(phrases.flatMap(({ minutesBefore }) => minutesBefore))] };
}

function readDate(text: string, options: FindOptions): DueText | null {
  const repeated = whyImpossible(text, options) === null ? readRepetition(text, options) : null;
  if (repeated) {
    const { rrule, from, due } = repeated;
    return { due, rule: { rrule, from } };
  }
  if (whyNoDate(text, options)) return null;
  const due = parseDueText(text, options);
  return due && { due };
}

/** Words beside a date that change nothing about it. */
const BESIDE = wordSet(
  "by before until till on at the in for around about due of from after no not later than latest sharp please approx approximately circa ca asap a an is it this my local time o'clock to be done it's deadline date end and pls plz thanks thank you thx kindly sometime some anytime any maybe perhaps possibly possible if ideally preferably probably roughly exactly precisely just only say strictly very or so day when do finish finished complete completed ready must should needs need has have been i i'd we like want would could can will let's make set remind me starting start starts beginning begins early",
);
const MAX_SHOWN = 40;

/** Why the date in a `dueText` cannot be used: it does not exist, or a part of the text would be dropped. */
export function whyNoDate(whole: string, options: FindOptions): string | null {
  const text = withoutReminders(whole, reminderPhrases(whole));
  const impossible = whyImpossible(text, options);
  if (impossible) return impossible;
  const { dates, language } = findDates(text.slice(0, 200), options);
  const read = dates.filter(({ from }) => from !== null);
  const [first] = read;
  if (!first || language !== "en") return null;
  let rest = text.slice(0, 200);
  for (const { start, end } of [...dates].reverse()) rest = `${rest.slice(0, start)} ${rest.slice(end)}`;
  const unread = (rest.toLowerCase().match(/[\p{L}\d][\p{L}\d']*/gu) ?? []).filter((word) => !BESIDE.has(word));
  if (/^\W*not\b/i.test(text)) return `“${text.slice(0, MAX_SHOWN)}” says only which date is not meant.`;
  if (unread.length === 0) return null;
  return `I read “${first.text}”, but not “${unread.join(" ").slice(0, MAX_SHOWN)}”.`;
}
