import { wordSet } from "../../lib/words.ts";
import type { FoundDate } from "../dates/find-dates.ts";
import { MONTHS, WEEKDAYS } from "../dates/vocabulary.ts";
import { type ReadEmail, textOf } from "../email/email.ts";
import type { TextRange } from "../email/sentences.ts";
import { MEETING_WORDS, MEETS } from "../languages/meetings.ts";
import {
  CANCELLATION,
  CONFIRMATION,
  INVITATION,
  JOIN_LINK,
  MEETING_LINK,
  MEETING_NOUN,
  PAST,
  PLACE_AFTER_TIME,
  PLACE_BEFORE_TIME,
  PLACE_IN_TEXT,
  PLACE_LABEL,
  REQUEST,
  RESCHEDULE,
  STREET_ADDRESS,
  SUITS,
  WISH,
} from "./patterns.ts";

type SignalKind = "request" | "time" | "link" | "location" | "cancellation" | "invite";

export interface Signal extends TextRange {
  kind: SignalKind;
  text: string;
  resolved?: { start: Date; end: Date | null; grain: string };
  /** The other reading of a date such as 11/12. */
  alternative?: { start: Date; end: Date | null };
  /** Why nobody can know which time is meant: "There is no 30 February." */
  doubt?: string;
}

/** The cues of one sentence about meetings. */
export interface SentenceCues {
  range: TextRange;
  noun: boolean;
  request: boolean;
  confirms: boolean;
  /** It wishes for a meeting without naming one. */
  wishes: boolean;
  invites: boolean;
  moves: boolean;
  cancels: boolean;
  past: boolean;
}

/** Without one of these words a sentence wishes for no meeting. Much faster than the patterns that follow. */
const MAY_WISH =
  /meet|together|talk|speak|sit|lunch|dinner|coffee|drinks|breakfast|join|come|go |call|visit|schedul|calendar|availab|time|slot|days|dates|attend|make it|free|mark |get |drop|stop by|pop |suggest|propos|hour|minutes|up for|fancy|feel like|hope|could do|can do|which|any of|one of/i;

const MAX_SENTENCES = 400;
const MAX_LINKS = 20;

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
}

/** Reads every sentence for cues and adds their words to `signals`. */
export function readCues(email: ReadEmail, signals: Signal[]): SentenceCues[] {
  const { language } = email;
  const other = language === "en" || language === null ? undefined : MEETING_WORDS[language];
  return email.sentences.slice(0, MAX_SENTENCES).map((range) => {
    const text = textOf(email, range).slice(0, 800);
    const add = (kind: SignalKind, match: RegExpExecArray) => {
      const start = range.start + match.index;
      const end = start + match[0].length;
      signals.push({ kind, text: email.content.slice(start, end), start, end });
    };
    const noun = MEETING_NOUN.test(text) || other?.noun.test(text) === true;
    const foreign = other?.request.exec(text) ?? null;
    const request = foreign ?? firstMatch(REQUEST, text);
    const invites = firstMatch(INVITATION, text);
    const confirms = other?.confirms.exec(text) ?? firstMatch(CONFIRMATION, text) ?? SUITS.exec(text);
    const isForeign = foreign !== null && MEETS.test(foreign[0]);
    const wishes = isForeign ? foreign : MAY_WISH.test(text) ? firstMatch(WISH, text) : null;
    const cancels = other?.cancels.exec(text) ?? CANCELLATION.exec(text);
    const moves = other?.moves.exec(text) ?? RESCHEDULE.exec(text);
    const past = PAST.test(text);
    const asks = request ?? wishes;
    if (asks) add("request", asks);
    else if (moves) add("request", moves);
    if (invites) add("invite", invites);
    if (cancels) add("cancellation", cancels);
    return {
      range,
      noun,
      request: request !== null || wishes !== null,
      confirms: confirms !== null,
      wishes: wishes !== null,
      invites: invites !== null,
      moves: moves !== null,
      cancels: cancels !== null,
      past,
    };
  });
}

/** Links to video meetings, anywhere in the part of the email that is read. */
export function linksIn(email: ReadEmail): Signal[] {
  const links: Signal[] = [];
  for (const match of email.content.slice(0, email.visible.length).matchAll(MEETING_LINK)) {
    const text = match[0].replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
    if (!links.some((link) => link.text === text))
      links.push({ kind: "link", text, start: match.index, end: match.index + text.length });
    if (links.length === MAX_LINKS) break;
  }
  for (const match of email.content.slice(0, email.visible.length).matchAll(JOIN_LINK)) {
    const text = (match[1] ?? "").replace(/(?<![.,;:!?])[.,;:!?]+$/, "");
    if (links.length === MAX_LINKS || links.some((link) => link.text === text)) continue;
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    links.push({ kind: "link", text, start, end: start + text.length });
  }
  return links;
}

/** The place: lines with a label first, then rooms and buildings named in sentences. */
export function placesIn(email: ReadEmail): Signal[] {
  const places: Signal[] = [];
  for (const match of email.visible.matchAll(PLACE_LABEL)) {
    const value = (match[1] ?? "").trimEnd();
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    if (value !== "" && !/^https?:/.test(value)) places.push(placeAt(email, start, value.length));
    if (places.length === 5) return places;
  }
  for (const range of email.sentences.slice(0, MAX_SENTENCES)) {
    const text = textOf(email, range).slice(0, 800);
    const match = PLACE_IN_TEXT.exec(text);
    const street = STREET_ADDRESS.exec(text);
    if (match?.[1])
      places.push(placeAt(email, range.start + match.index + match[0].length - match[1].length, match[1].length));
    else if (street) places.push(placeAt(email, range.start + street.index, street[0].length));
    if (places.length >= 5) return places;
  }
  if (places.length === 0) places.push(...placesBesideTimes(email));
  return places;
}

/** Names after "at" or "in" that directly follow a time; a month, weekday or person is none. */
function placesBesideTimes(email: ReadEmail): Signal[] {
  for (const date of email.dates) {
    if (date.from === null) continue;
    const after = PLACE_AFTER_TIME.exec(email.visible.slice(date.end, date.end + 160));
    const from = Math.max(0, date.start - 120);
    const before = after ? null : PLACE_BEFORE_TIME.exec(email.visible.slice(from, date.start));
    const said = after ? (after[1] ?? after[2]) : before?.[1];
    const name = said?.replace(/(?<![.,])[.,]+$/, "");
    if (!said || !name || !isPlace(name)) continue;
    const start = after
      ? date.end + after[0].lastIndexOf(said)
      : from + (before?.index ?? 0) + (before?.[0].indexOf(said) ?? 0);
    return [placeAt(email, start, name.length)];
  }
  return [];
}

/** Capitals also begin weekdays, and the names of programs. */
function isPlace(name: string): boolean {
  const [first = "", ...others] = name.toLowerCase().split(" ");
  const word = /^(?:the|our|my|your|der|dem|den|la|le|el|los|las)$/.test(first) ? (others[0] ?? "") : first;
  return !WEEKDAYS.has(word) && !MONTHS.has(word) && !NOT_PLACES.has(word);
}

const NOT_PLACES = wordSet(
  "english german french spanish zoom teams skype webex google meet pm am est cet gmt utc pst edt ist bst",
);

function placeAt(email: ReadEmail, start: number, length: number): Signal {
  return { kind: "location", text: email.content.slice(start, start + length), start, end: start + length };
}

export function timeSignal(email: ReadEmail, date: FoundDate): Signal {
  const { start, end, from, to, grain, doubt, alternative } = date;
  const signal: Signal = {
    kind: "time",
    text: email.content.slice(start, end),
    start,
    end,
    ...(alternative && { alternative: { start: alternative.from, end: alternative.to } }),
    ...(doubt && { doubt }),
  };
  return from ? { ...signal, resolved: { start: from, end: to, grain } } : signal;
}
