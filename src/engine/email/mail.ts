import { type FoundDate, findDates, MAX_SCANNED } from "../dates/find-dates.ts";
import { ownSentences, type Span } from "./parts.ts";
import { visibleText } from "./visible-text.ts";

export interface Quote {
  text: string;
  start: number;
  end: number;
}

export interface Person {
  name: string | null;
  email: string | null;
}

/** A mail as the engine takes it. */
export interface MailInput {
  content: string;
  subject?: string | null;
  from?: Person | null;
  /** When it was written: what "tomorrow" is counted from. */
  reference: Date;
  timeZone: string;
}

/** A mail read once: every part of the engine looks at the same sentences and dates. */
export interface ReadMail extends MailInput {
  /** What a reader sees, at the same offsets as the content; cut where the engine stops reading. */
  visible: string;
  sentences: readonly Span[];
  /** Those inside the sender's own sentences. */
  dates: readonly FoundDate[];
  note: string | null;
}

export function readMail(input: MailInput): ReadMail {
  const visible = visibleText(input.content.slice(0, MAX_SCANNED));
  const sentences = ownSentences(visible);
  const found = findDates(visible, { reference: input.reference, timeZone: input.timeZone });
  const note =
    input.content.length > MAX_SCANNED
      ? `Only the first ${MAX_SCANNED} of ${input.content.length} characters were read.`
      : found.note;
  return { ...input, visible, sentences, dates: inside(found.dates, sentences), note };
}

/** Both lists are in order, so one walk pairs them. */
function inside(dates: readonly FoundDate[], sentences: readonly Span[]): FoundDate[] {
  let at = 0;
  return dates.filter(({ start, end }) => {
    while (at < sentences.length && (sentences[at]?.end ?? 0) <= start) at += 1;
    const sentence = sentences[at];
    return sentence !== undefined && sentence.start < end && start < sentence.end;
  });
}

export function quoteOf(mail: ReadMail, { start, end }: Span): Quote {
  return { text: mail.content.slice(start, end), start, end };
}

const MAX_QUOTE = 2000;

/** Where the words stand in what a reader sees, whatever space is between them; null when they do not. */
export function findQuote(mail: ReadMail, words: string): Span | null {
  const parts = words.slice(0, MAX_QUOTE).split(/\s+/).filter(Boolean);
  if (parts.length === 0) return null;
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+");
  const match = new RegExp(pattern).exec(mail.visible);
  return match && { start: match.index, end: match.index + match[0].length };
}

export function textOf(mail: ReadMail, { start, end }: Span): string {
  return mail.visible.slice(start, end);
}

export function datesIn(mail: ReadMail, span: Span): FoundDate[] {
  return mail.dates.filter(({ start, end }) => start >= span.start && end <= span.end);
}
