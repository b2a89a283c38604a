import type { FoundDate } from "../dates/find-dates.ts";
import { type ReadMail, textOf } from "../email/mail.ts";
import type { Span } from "../email/parts.ts";
import {
  CANCELLATION,
  CONFIRMATION,
  INVITATION,
  MEETING_LINK,
  MEETING_NOUN,
  PAST,
  PLACE_IN_TEXT,
  PLACE_LABEL,
  REQUEST,
  RESCHEDULE,
} from "./words.ts";

export type SignalKind = "request" | "time" | "link" | "location" | "cancellation" | "invite";

export interface Signal extends Span {
  kind: SignalKind;
  text: string;
  resolved?: { start: Date; end: Date | null; grain: string };
}

/** What one sentence says about meetings. */
export interface SentenceCues {
  span: Span;
  noun: boolean;
  request: boolean;
  confirms: boolean;
  invites: boolean;
  moves: boolean;
  cancels: boolean;
  past: boolean;
}

const MAX_SENTENCES = 400;
const MAX_LINKS = 20;

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match) return match;
  }
  return null;
}

/** Reads every sentence for cues; `signals` gets the words that were one. */
export function readCues(mail: ReadMail, signals: Signal[]): SentenceCues[] {
  return mail.sentences.slice(0, MAX_SENTENCES).map((span) => {
    const text = textOf(mail, span).slice(0, 800);
    const add = (kind: SignalKind, match: RegExpExecArray) => {
      const start = span.start + match.index;
      const end = start + match[0].length;
      signals.push({ kind, text: mail.content.slice(start, end), start, end });
    };
    const noun = MEETING_NOUN.test(text);
    const request = firstMatch(REQUEST, text);
    const invites = firstMatch(INVITATION, text);
    const confirms = firstMatch(CONFIRMATION, text);
    const cancels = CANCELLATION.exec(text);
    const moves = RESCHEDULE.exec(text);
    const past = PAST.test(text);
    if (request) add("request", request);
    else if (moves) add("request", moves);
    if (invites) add("invite", invites);
    if (cancels) add("cancellation", cancels);
    return {
      span,
      noun,
      request: request !== null,
      confirms: confirms !== null,
      invites: invites !== null,
      moves: moves !== null,
      cancels: cancels !== null,
      past,
    };
  });
}

/** Addresses of video meetings, wherever in the mail's own part they stand. */
export function linksIn(mail: ReadMail): Signal[] {
  const links: Signal[] = [];
  for (const match of mail.content.slice(0, mail.visible.length).matchAll(MEETING_LINK)) {
    const text = match[0].replace(/[.,;:!?]+$/, "");
    if (!links.some((link) => link.text === text))
      links.push({ kind: "link", text, start: match.index, end: match.index + text.length });
    if (links.length === MAX_LINKS) break;
  }
  return links;
}

/** Where it is: a labelled line first, then a room or house in a sentence. */
export function placesIn(mail: ReadMail): Signal[] {
  const places: Signal[] = [];
  for (const match of mail.visible.matchAll(PLACE_LABEL)) {
    const value = (match[1] ?? "").trimEnd();
    const start = match.index + match[0].length - (match[1]?.length ?? 0);
    if (value !== "" && !/^https?:/.test(value))
      places.push({
        kind: "location",
        text: mail.content.slice(start, start + value.length),
        start,
        end: start + value.length,
      });
    if (places.length === 5) return places;
  }
  for (const span of mail.sentences.slice(0, MAX_SENTENCES)) {
    const match = PLACE_IN_TEXT.exec(textOf(mail, span).slice(0, 800));
    const value = match?.[1];
    if (!match || !value) continue;
    const start = span.start + match.index + match[0].length - value.length;
    places.push({
      kind: "location",
      text: mail.content.slice(start, start + value.length),
      start,
      end: start + value.length,
    });
    if (places.length === 5) break;
  }
  return places;
}

export function timeSignal(mail: ReadMail, date: FoundDate): Signal {
  const { start, end, from, to, grain } = date;
  const signal: Signal = { kind: "time", text: mail.content.slice(start, end), start, end };
  return from ? { ...signal, resolved: { start: from, end: to, grain } } : signal;
}
