import type { Interval } from "../../lib/intervals.ts";
import { blankPromptInjections } from "../../lib/prompt-injection.ts";
import { type EmailInput, type ReadEmail, readEmail } from "../email/email.ts";
import { detectIn } from "../email/intelligence.ts";
import type { Meeting } from "../meetings/meetings.ts";

/** The email without sentences that address a program. */
export function withoutPromptInjections(email: EmailInput): EmailInput {
  const { visible, sentences } = readEmail(email);
  return { ...email, content: blankPromptInjections(visible, sentences) };
}

const DEADLINE_BEFORE =
  /\b(?:by|before|until|till|due|deadline|no later than|not later than|expires?|ends?)\b[^.?!,;]{0,20}$/i;

/** "book the flights by Wednesday noon" suggests no time to meet. */
function isDeadline({ content }: ReadEmail, { quote }: Meeting): boolean {
  return DEADLINE_BEFORE.test(content.slice(Math.max(0, quote.start - 40), quote.start));
}

/** The future times that the email suggests or announces, soonest first. */
export function suggestedTimes(input: EmailInput, read: ReadEmail): Meeting[] {
  return detectIn(input)
    .meetings.filter((meeting) => meeting.start > input.reference && !isDeadline(read, meeting))
    .sort((a, b) => a.start.getTime() - b.start.getTime());
}

/** From the first to the last time that a reply to this email may have to check; null if it suggests none. */
export function timesToCheck(email: EmailInput): Interval | null {
  const input = withoutPromptInjections(email);
  const times = suggestedTimes(input, readEmail(input)).filter(({ allDay }) => !allDay);
  const [first] = times;
  return first ? { start: first.start.getTime(), end: Math.max(...times.map(({ end }) => end.getTime())) } : null;
}

/** The answer to the times that the email suggests; `busy` is null if the calendar was not read. */
export function aboutTimes(times: readonly Meeting[], email: ReadEmail, busy: readonly Interval[] | null): string {
  const shown = times.slice(0, 4);
  const moments = shown.map((time) => momentOf(time, email));
  const only = times[0];
  // An appointment that is settled needs no answer about it.
  if (only && moments.length === 1 && !only.proposed && !only.ambiguous && busy === null)
    return `I have noted ${moments[0]}.`;
  const suggested = `You ${moments.length === 1 && only?.ambiguous ? "seem to mean" : "suggested"} ${joined(moments, "or")}.`;
  const known =
    busy !== null && shown.every(({ allDay }) => !allDay) ? shown.filter((time) => isFree(time, busy)) : null;
  if (moments.length === 1) {
    if (known) return `${suggested} ${known.length === 1 ? FREE : TAKEN}`;
    return `${suggested} I will check my calendar and confirm the ${only?.allDay ? "date" : "time"}.`;
  }
  if (!known) return `${suggested} I will check which of them suits me and confirm it.`;
  if (known.length === 0) return `${suggested} I am busy at all of these times. Could you suggest another one?`;
  const free = joined(
    known.map((time) => momentOf(time, email)),
    "and",
  );
  return known.length === shown.length
    ? `${suggested} I am free at all of these times and will confirm one of them.`
    : `${suggested} Of these, I am free on ${free}. I will confirm it.`;
}

const FREE = "I am free then and will confirm the time.";
const TAKEN = "I am busy at that time. Could you suggest another one?";

function isFree({ start, end }: Meeting, busy: readonly Interval[]): boolean {
  return !busy.some((taken) => taken.start < end.getTime() && taken.end > start.getTime());
}

export function joined(parts: readonly string[], word: string): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

export function momentOf({ start, allDay, timeZone }: Meeting, email: ReadEmail): string {
  const day = dayOf(start, timeZone, email);
  if (allDay) return day;
  const is12 = email.habits?.clock24 === false;
  const format = new Intl.DateTimeFormat(is12 ? "en-US" : "en-GB", {
    hour: is12 ? "numeric" : "2-digit",
    minute: "2-digit",
    timeZone,
  });
  const time = format.format(start).replace(/\s(?=[AP]M$)/, " ");
  return `${day} at ${time}${timeZone === email.timeZone ? "" : ` (${timeZone})`}`;
}

/** "Friday, 20 November", or "Friday, November 20" for somebody who writes the month first. */
export function dayOf(moment: Date, timeZone: string, { reference, habits }: ReadEmail): string {
  const isOtherYear = moment.getUTCFullYear() !== reference.getUTCFullYear();
  const far = isOtherYear && Math.abs(moment.getTime() - reference.getTime()) > 45 * 86_400_000;
  const format = new Intl.DateTimeFormat(habits?.dayFirst === false ? "en-US" : "en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone,
    ...(far && { year: "numeric" }),
  });
  return format.format(moment).replace(/^(\w+) (?=\d)/, "$1, ");
}
