import type { DateHabits } from "../../lib/date-habits.ts";
import type { EmailAuthentication, EmailKind, SignInKind } from "../../lib/email-kinds.ts";
import type { Language } from "../../lib/languages.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { type FoundDate, findDates, MAX_SCANNED } from "../dates/find-dates.ts";
import { ownSentences, type TextRange } from "./sentences.ts";

export interface Quote extends TextRange {
  text: string;
}

export interface Person {
  name: string | null;
  email: string | null;
}

/** An email as it is given to the engine. */
export interface EmailInput {
  content: string;
  subject?: string | null;
  from?: Person | null;
  to?: readonly Person[];
  /** When it was written; "tomorrow" is the day after. */
  reference: Date;
  timeZone: string;
  /** How its reader writes dates and times. */
  habits?: DateHabits;
  /** What its headers say about the sender, if they are known. */
  kind?: EmailKind;
  authentication?: EmailAuthentication | null;
  /** What it signs its reader in with, if that is known; left out for a text that nobody has looked at. */
  signIn?: { kind: SignInKind } | null;
}

/** An email with its sentences and dates, which every part of the engine shares. */
export interface ReadEmail extends EmailInput {
  /** The visible text, at the same offsets as `content`; cut where the engine stops reading. */
  visible: string;
  sentences: readonly TextRange[];
  /** The dates inside these sentences. */
  dates: readonly FoundDate[];
  note: string | null;
  /** The language it is written in; null for one that the engine does not read. */
  language: Language | null;
}

export function readEmail(input: EmailInput): ReadEmail {
  const visible = visibleText(input.content.slice(0, MAX_SCANNED));
  const sentences = ownSentences(visible, isForward(input.subject ?? "", visible));
  const found = findDates(visible, input);
  const note =
    input.content.length > MAX_SCANNED
      ? `Only the first ${MAX_SCANNED} of ${input.content.length} characters were read.`
      : found.note;
  return { ...input, visible, sentences, dates: inside(found.dates, sentences), note, language: found.language };
}

const FORWARDED_SUBJECT = /^\s{0,5}(?:fwd?|wg|tr|rv|i)\s?:/i;
const FORWARDED_MARK = /^\s{0,5}(?:-{2,}\s?forwarded message|begin forwarded message)/im;

/** Whether the email passes on another one: its subject or its first lines say so. */
function isForward(subject: string, text: string): boolean {
  return FORWARDED_SUBJECT.test(subject) || FORWARDED_MARK.test(text.slice(0, 1500));
}

/** Both lists are sorted, so one pass is enough. */
function inside(dates: readonly FoundDate[], sentences: readonly TextRange[]): FoundDate[] {
  let at = 0;
  return dates.filter(({ start, end }) => {
    while (at < sentences.length && (sentences[at]?.end ?? 0) <= start) at += 1;
    const sentence = sentences[at];
    return sentence !== undefined && sentence.start < end && start < sentence.end;
  });
}

export function quoteOf(email: ReadEmail, { start, end }: TextRange): Quote {
  return { text: email.content.slice(start, end), start, end };
}

const MAX_QUOTE = 2000;

/** Where these words are in the visible text, whatever white space is between them; null if they are not in it. */
export function findQuote(email: ReadEmail, words: string): TextRange | null {
  const parts = words.slice(0, MAX_QUOTE).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return null;
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+");
  const match = new RegExp(pattern).exec(email.visible);
  return match && { start: match.index, end: match.index + match[0].length };
}

export function textOf(email: ReadEmail, { start, end }: TextRange): string {
  return email.visible.slice(start, end);
}

export function datesIn(email: ReadEmail, range: TextRange): FoundDate[] {
  return email.dates.filter(({ start, end }) => start >= range.start && end <= range.end);
}
