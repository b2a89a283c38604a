import { collapseSpace } from "../../lib/text.ts";
import { type Detection, type Meeting, meetingAt } from "../meetings/meetings.ts";
import { type ActionItem, dueOf } from "./action-items.ts";
import { findQuote, quoteOf, type ReadEmail } from "./email.ts";

/*
 * Checks the output of a language model against the email. Words it quotes must be in the email, and every time is the
 * one the engine reads there: models are poor at date arithmetic.
 */

interface ModelItem {
  text: string;
  quote: string;
  assignee: string | null;
  confidence: number;
}

interface ModelMeeting {
  title: string;
  quote: string;
  location: string | null;
}

const MAX_ITEMS = 20;
const MAX_MEETINGS = 10;
const MAX_TITLE = 200;
const MAX_LOCATION = 300;

/** The items whose quotes are in the email. */
export function checkItems(email: ReadEmail, found: readonly ModelItem[]): ActionItem[] {
  const items: ActionItem[] = [];
  const seen = new Set<number>();
  for (const item of found) {
    const range = findQuote(email, item.quote);
    const text = collapseSpace(item.text).slice(0, MAX_TITLE);
    if (!range || !text || seen.has(range.start)) continue;
    seen.add(range.start);
    items.push({
      text,
      quote: quoteOf(email, range),
      dueAt: dueOf(email, range),
      assignee: knownPerson(email, item.assignee),
      confidence: Math.round(clamp(item.confidence, 0, 1) * 100) / 100,
    });
    if (items.length === MAX_ITEMS) break;
  }
  return items;
}

/** "you", the sender, or a name in the email; otherwise null. */
function knownPerson(email: ReadEmail, name: string | null): string | null {
  const text = collapseSpace(name ?? "").slice(0, 100);
  if (!text) return null;
  if (/^(?:you|reader|the reader)$/i.test(text)) return "you";
  const isSender = [email.from?.name, email.from?.email].some((known) => known?.toLowerCase() === text.toLowerCase());
  return isSender || findQuote(email, text) ? text : null;
}

/** The meetings whose quotes are in the email and have a time that the engine can read, without duplicates. */
export function checkMeetings(email: ReadEmail, found: readonly ModelMeeting[]): Meeting[] {
  const meetings: Meeting[] = [];
  for (const item of found.slice(0, MAX_MEETINGS)) {
    const range = findQuote(email, item.quote);
    const meeting = range && meetingAt(email, range);
    if (!meeting || meetings.some(({ start }) => start.getTime() === meeting.start.getTime())) continue;
    const location = collapseSpace(item.location ?? "").slice(0, MAX_LOCATION);
    meetings.push({
      ...meeting,
      title: collapseSpace(item.title).slice(0, MAX_TITLE) || meeting.title,
      location: location && findQuote(email, location) ? location : meeting.location,
    });
  }
  return meetings;
}

/** Whether the meeting came as calendar data, which needs no interpretation. */
export function hasCalendarInvite({ signals, meetings }: Detection): boolean {
  return meetings.length > 0 && signals.some(({ kind }) => kind === "invite");
}

export function clamp(value: number, min: number, max: number): number {
  return Number.isFinite(value) ? Math.max(min, Math.min(max, value)) : min;
}

/** Texts fit to be shown: one line each, none empty, not too many. */
export function shortTexts(texts: readonly string[], count: number, characters: number): string[] {
  return texts
    .map((text) => collapseSpace(text).slice(0, characters))
    .filter(Boolean)
    .slice(0, count);
}

/** The email as the prompt for a model: what a reader sees, without the gaps that markup leaves. */
export function emailPrompt(email: ReadEmail): string {
  const from = [email.from?.name, email.from?.email && `<${email.from.email}>`].filter(Boolean).join(" ");
  const head = [
    `Written: ${email.reference.toISOString()} (time zone ${email.timeZone})`,
    from && `From: ${collapseSpace(from)}`,
    email.subject && `Subject: ${collapseSpace(email.subject)}`,
  ].filter(Boolean);
  const text = email.visible.replace(/[ \t]{2,}/g, " ").replace(/\n(?:[^\S\n]*\n)+/g, "\n\n");
  return `${head.join("\n")}\n\n${text.trim()}`;
}
