import { tokenize } from "../../../engine/dates/tokens.ts";
import { dueOf } from "../../../engine/due-date.ts";
import { languageOf } from "../../../engine/languages/language.ts";
import { type Clock, datesIn, isMoment, joinDayAndTime } from "../../../engine/notes/message-time.ts";
import { reminderPhrases } from "../../../engine/reminder-words.ts";
import { readRepetition } from "../../../engine/repetition/read.ts";
import type { RepeatFrom } from "../../../lib/task-kinds.ts";

/*
 * One line of text as a task: "Call Ann tomorrow 5pm #home p1 every week". Each part that is understood is taken out of
 * the title; every other word stays in it. The text keeps its length while it is read, so that the parts can be shown
 * where they stand.
 */

type PartKind = "due" | "repeat" | "tag" | "list" | "priority" | "estimate" | "reminder";

/** A part of the line that was understood: `slice(start, end)` of it. */
interface Part {
  kind: PartKind;
  text: string;
  start: number;
  end: number;
}

interface QuickTask {
  title: string;
  /** The last millisecond of a day for one without a time. */
  due: Date | null;
  rule: { rrule: string; from: RepeatFrom } | null;
  tags: string[];
  /** As it was written, or as the list is called that is meant. */
  list: string | null;
  priority: "urgent" | "high" | "medium" | "low" | null;
  estimateMinutes: number | null;
  reminders: ({ minutesBefore: number } | { at: Date })[];
  parts: Part[];
  /** Why a date in it cannot be used; its words stay in the title. */
  doubt: string | null;
}

/** Nothing is read out of text in quotation marks. */
const QUOTED = /(?<![\p{L}\p{N}+])"[^"]*"|“[^“”]*”/gu;
const TAG = /(?<=^|\s)#([\p{L}_][\p{L}\p{N}_/-]*)/gu;
const LIST = /(?<=^|\s)\+(?:"([^"]+)"|([\p{L}][\p{L}\p{N}_-]*))/u;
const PRIORITY = /(?<=^|\s)(?:p([1-4])|!{1,3}(urgent|high|medium|low|[1-4]))(?=$|[\s,.;])/iu;
const PRIORITIES = ["urgent", "high", "medium", "low"] as const;
const HOURS = String.raw`(\d{1,2}(?:[.,]\d)?) ?h(?:(?:ou)?rs?)?`;
const MINUTES = String.raw`(\d{1,3}) ?m(?:in(?:ute)?s?)?`;
/** "30m", "1h30m", "~45min", and with a word before them also "30 minutes" and "an hour". */
const SHORT_ESTIMATE = /(?<=^|\s)~?(?:(\d{1,2}(?:[.,]\d)?)h(?:(\d{1,2})m?)?|(\d{1,3})m(?:in)?)(?=$|[\s,.;])/iu;
const SAID_ESTIMATE = new RegExp(
  String.raw`(?<=^|\s)(?:for|takes?|needs?|about|~) ?(?:about )?(?:(half an hour)|(an hour)(?: and a half)?|${HOURS}(?: (?:and )?${MINUTES})?|${MINUTES})(?=$|[\s,.;])`,
  "iu",
);
/** "in 30m", "every 2h": no estimate. */
const NOT_ESTIMATE =
  /\b(?:in|every|after|before|within|at|past|to|by|from|until|today|tomorrow|tonight|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\s*$/i;
const REMIND_ME = /^\s*(?:please )?remind me(?: to| about| that)?\b:?\s*/iu;
const REMIND_AT = /(?<=\S\s)(?:and )?remind me (?=(?:at|on|in|tomorrow|tonight|next|an hour)\b)/iu;

export function readQuickTask(line: string, clock: Clock, lists: readonly string[] = []): QuickTask {
  const reader = new Reader(line);
  const tags = reader.takeAll("tag", TAG).map(([, tag = ""]) => tag.toLowerCase());
  const list = readList(reader, lists);
  const priority = reader.take("priority", PRIORITY);
  const reminders = readReminders(reader, clock);
  const estimateMinutes = readEstimate(reader);
  const doubt = datesIn(reader.text, clock).find((found) => found.doubt)?.doubt ?? null;
  const { due, rule } = doubt === null ? readDue(reader, clock) : { due: null, rule: null };
  const level = priority?.[1] ?? priority?.[2]?.toLowerCase();
  return {
    title: reader.rest(),
    due,
    rule,
    tags: [...new Set(tags)],
    list,
    priority: level === undefined ? null : priorityOf(level),
    estimateMinutes,
    reminders,
    parts: reader.parts.sort((a, b) => a.start - b.start),
    doubt,
  };
}

const priorityOf = (level: string) =>
  PRIORITIES.find((name, index) => name === level || String(index + 1) === level) ?? null;

/** The line with what was understood blanked out. */
class Reader {
  readonly parts: Part[] = [];
  /** As long as the line. */
  text: string;
  private readonly line: string;
  private readonly taken: boolean[];

  constructor(line: string) {
    this.line = line;
    this.taken = Array.from({ length: line.length }, () => false);
    // Letters, so that what stands before and after the quotation is not read as one phrase.
    this.text = line.replace(QUOTED, (quoted) => "x".repeat(quoted.length));
  }

  take(kind: PartKind, form: RegExp): RegExpExecArray | null {
    const match = form.exec(this.text);
    if (match) this.mark(kind, match.index, match.index + match[0].length);
    return match;
  }

  takeAll(kind: PartKind, form: RegExp): RegExpExecArray[] {
    const matches = [...this.text.matchAll(form)];
    for (const match of matches) this.mark(kind, match.index, match.index + match[0].length);
    return matches;
  }

  /** Of a phrase that goes around parts which are taken already, only the rest is marked. */
  mark(kind: PartKind, from: number, to: number): void {
    let start = -1;
    for (let at = from; at <= to; at += 1) {
      const isFree = at < to && !this.taken[at];
      if (isFree && start < 0) start = at;
      if (!isFree && start >= 0) {
        this.add(kind, start, at);
        start = -1;
      }
    }
  }

  private add(kind: PartKind, from: number, to: number): void {
    const whole = this.line.slice(from, to);
    const start = from + whole.length - whole.trimStart().length;
    const end = from + whole.trimEnd().length;
    this.taken.fill(true, from, to);
    this.text = this.text.slice(0, from) + " ".repeat(to - from) + this.text.slice(to);
    if (end > start) this.parts.push({ kind, text: this.line.slice(start, end), start, end });
  }

  /** What was not understood. */
  rest(): string {
    return [...this.taken.entries()]
      .map(([at, isTaken]) => (isTaken ? " " : this.line[at]))
      .join("")
      .replace(/\s+/g, " ")
      .replace(/(?<!\s)\s+([,.;:!?])/g, "$1")
      .replace(/^[\s,;:.–-]+|(?<![\s,;:–-])[\s,;:–-]+$/g, "")
      .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
  }
}

/** "+shopping", "+Home improvement" if there is such a list, and "to the shopping list" if there is one. */
function readList(reader: Reader, lists: readonly string[]): string | null {
  const byLength = [...lists].sort((a, b) => b.length - a.length);
  for (const name of byLength) {
    const words = literal(bare(name));
    const form = new RegExp(
      String.raw`(?<=^|\s)(?:\+${words}|(?:to|on|onto|in|into) (?:my|the|our) ${words} list|^${words} list:)(?=$|[\s,.;])`,
      "iu",
    );
    if (reader.take("list", form)) return name;
  }
  const named = reader.take("list", LIST);
  return named ? (named[1] ?? named[2] ?? "").replaceAll("_", " ") : null;
}

const bare = (name: string) => name.replace(/ list$/i, "");
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function readEstimate(reader: Reader): number | null {
  const said = reader.take("estimate", SAID_ESTIMATE);
  if (said) {
    const [whole, half, hour, hours, andMinutes, minutes] = said;
    if (half) return 30;
    if (hour) return /half$/i.test(whole.trim()) ? 90 : 60;
    return minutesOf(hours, andMinutes ?? minutes);
  }
  const short = SHORT_ESTIMATE.exec(reader.text);
  if (!short || NOT_ESTIMATE.test(reader.text.slice(0, short.index)) || isClock(short, reader.text)) return null;
  reader.take("estimate", SHORT_ESTIMATE);
  return minutesOf(short[1], short[2] ?? short[3]);
}

/** "8h30" is a time of day, and so is "20h" in French, Spanish and German; "2h" is a length. */
function isClock([, hours, minutes]: RegExpExecArray, text: string): boolean {
  if (Number(hours ?? 0) < FIRST_HOUR || /m/i.test(minutes ?? "")) return false;
  const language = languageOf(tokenize(text));
  return minutes !== undefined || (language !== null && language !== "en");
}

const FIRST_HOUR = 6;

/** Null for nothing, which is no estimate. */
function minutesOf(hours = "0", minutes = "0"): number | null {
  return Math.round(Number(hours.replace(",", ".")) * 60 + Number(minutes)) || null;
}

function readReminders(reader: Reader, clock: Clock): QuickTask["reminders"] {
  const phrases = reminderPhrases(reader.text);
  if (phrases.length > 0) {
    for (const { start, end } of phrases) reader.mark("reminder", start, end);
    reader.take("reminder", REMIND_ME);
    return phrases.flatMap(({ minutesBefore }) => minutesBefore.map((minutes) => ({ minutesBefore: minutes })));
  }
  reader.take("reminder", REMIND_ME);
  const said = REMIND_AT.exec(reader.text);
  const start = said ? said.index + said[0].length : 0;
  const found = said && datesIn(reader.text.slice(start), clock).find((date) => isMoment(date) && !date.doubt);
  const at = found && dueOf(found, clock);
  if (!said || !found || !at) return [];
  reader.mark("reminder", said.index, start + found.end);
  return [{ at }];
}

/** The small words before a date, in the four languages. */
const BEFORE_DATE =
  /(?:\bdue\s+)?(?<![\p{L}\d])(?:by|on|at|for|in|before|until|till|from|due|starting|beginning|am|um|ab|bis|gegen|vor|à|le|dès|vers|avant|a las?|el|para el)\s+$/iu;

function readDue(reader: Reader, clock: Clock): Pick<QuickTask, "due" | "rule"> {
  const markAll = (kind: PartKind, phrases: readonly { start: number; end: number }[]) => {
    for (const { start, end } of phrases) {
      const lead = BEFORE_DATE.exec(reader.text.slice(0, start))?.[0].length ?? 0;
      // The last full stop of "3.12." belongs to the date.
      const isDotted = /\d\.\d{1,2}$/.test(reader.text.slice(start, end)) && reader.text[end] === ".";
      reader.mark(kind, start - lead, isDotted ? end + 1 : end);
    }
  };
  const repeated = readRepetition(reader.text, clock);
  if (repeated) {
    const { rrule, from, due, phrases, times } = repeated;
    markAll("repeat", phrases);
    markAll("due", times);
    return { due, rule: { rrule, from } };
  }
  const dates = datesIn(reader.text, clock).filter(isMoment);
  const both = joinDayAndTime(dates, clock);
  const last = reader.text.trimEnd().length;
  // "the Friday report by Thursday": the date at the end is the due date, or else the first one.
  const found = both?.found ?? dates.find(({ end }) => end >= last) ?? dates[0];
  if (!found) return { due: null, rule: null };
  markAll("due", both?.parts ?? [found]);
  return { due: dueOf(found, clock), rule: null };
}
