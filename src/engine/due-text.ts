import type { RepeatFrom } from "../lib/task-kinds.ts";
import type { FindOptions } from "./dates/find-dates.ts";
import { parseDueText, whyNoDate } from "./due-date.ts";
import { reminderPhrases, withoutReminders } from "./reminder-words.ts";
import { readRepetition } from "./repetition-words.ts";

export interface DueText {
  due: Date;
  rule?: { rrule: string; from: RepeatFrom };
  /** The minutes before it at which to remind: "tomorrow 5pm, remind me an hour before". */
  remindBefore?: number[];
}

/**
 * When something is due, how it repeats and when to remind of it, from words such as "next friday 5pm" or "every 2
 * weeks". Null if they name
 * no date, or one that cannot be used: `whyNoDate` says why.
 */
export function readDueText(text: string, options: FindOptions): DueText | null {
  const phrases = reminderPhrases(text);
  if (phrases.length === 0) return readDate(text, options);
  const read = readDate(withoutReminders(text, phrases), options);
  return read && { ...read, remindBefore: [...new Set(phrases.flatMap(({ minutesBefore }) => minutesBefore))] };
}

function readDate(text: string, options: FindOptions): DueText | null {
  const repeated = whyNoDate(text, options) === null ? readRepetition(text, options) : null;
  if (repeated) {
    const { rrule, from, due } = repeated;
    return { due, rule: { rrule, from } };
  }
  const due = parseDueText(text, options);
  return due && { due };
}

export { whyNoDate };
