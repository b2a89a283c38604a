import type { RepeatFrom } from "../lib/task-kinds.ts";
import { parseDueText } from "./due-date.ts";
import { readRepetition } from "./repetition-words.ts";

export interface DueText {
  due: Date;
  rule?: { rrule: string; from: RepeatFrom };
}

/** When something is due and how it repeats, from words such as "next friday 5pm" or "every 2 weeks". */
export function readDueText(text: string, now: Date, zone: string): DueText | null {
  const repeated = readRepetition(text, { reference: now, timeZone: zone });
  if (repeated) {
    const { rrule, from, due } = repeated;
    return { due, rule: { rrule, from } };
  }
  const due = parseDueText(text, now, zone);
  return due && { due };
}
