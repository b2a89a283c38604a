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
  /\b(?:by|before|until|till|due|deadline|no later than|not later than|expires?|ends?|bis|vor|fällig|avant|d['’]ici|au plus tard|jusqu['’]|antes|hasta|a más tardar)(?!\p{L})[^.?!,;]{0,20}$/iu;

/** "book the flights by Wednesday noon" suggests no time to meet. */
function isDeadline({ content }: ReadEmail, { quote }: Meeting): boolean {
  return DEADLINE_BEFORE.test(content.slice(Math.max(0, quote.start - 40), quote.start));
}

const REFUSAL =
  /(?<!\p{L})(?:(?:can ?not|can't|unable to|not able to|won't be able to|(?:does|do|did|is|are)(?:n't| not)(?: really)?) (?:make|come|attend|do|meet|join|work|suit|possible|available|free)|cancel|call(?:ed)? (?:it )?off|have to decline|no longer|not possible|nicht (?:\p{L}+ ){0,2}(?:komm|klapp|möglich|pass|geht|kann|schaff)|(?:kann|geht|passt|klappt|schaffe)[^.!?\n]{0,40} nicht|ab(?:ge)?sag|fällt\b[^.!?\n]{0,40} aus|annul|ne (?:peux|peut|pourrai|pouvons|convient) pas|impossible|anul|no (?:puedo|podr|podemos|me viene|es posible))/iu;

/** Whether the email says no, or takes something back. */
export const refuses = ({ visible }: ReadEmail): boolean => REFUSAL.test(visible);

/** A time that its own sentence refuses: "Tuesday does not work". */
function isRefused({ content, sentences }: ReadEmail, { quote }: Meeting): boolean {
  const own = sentences.find(({ start, end }) => start <= quote.start && quote.start < end);
  const clauses = own ? content.slice(own.start, own.end).split(/,|;| but | aber | mais | pero /) : [];
  const named = content.slice(quote.start, quote.end);
  return clauses.some((clause) => REFUSAL.test(clause) && (clauses.length === 1 || clause.includes(named)));
}

/** The future times that the email suggests or announces, soonest first. */
export function suggestedTimes(input: EmailInput, read: ReadEmail): Meeting[] {
  return detectIn(input)
    .meetings.filter(
      (meeting) => meeting.start > input.reference && !isDeadline(read, meeting) && !isRefused(read, meeting),
    )
    .sort((a, b) => a.start.getTime() - b.start.getTime());
}

/** From the first to the last time that a reply to this email may have to check; null if it suggests none. */
export function timesToCheck(email: EmailInput): Interval | null {
  const input = withoutPromptInjections(email);
  const times = suggestedTimes(input, readEmail(input)).filter(({ allDay }) => !allDay);
  const [first] = times;
  return first ? { start: first.start.getTime(), end: Math.max(...times.map(({ end }) => end.getTime())) } : null;
}

/** Whether the person is free at the times that the email suggests; null if nobody knows. */
export function aboutTimes(
  times: readonly Meeting[],
  email: ReadEmail,
  busy: readonly Interval[] | null,
): string | null {
  const shown = times.filter(({ allDay }) => !allDay).slice(0, 4);
  if (busy === null || shown.length === 0) return null;
  const named = (isWanted: boolean) =>
    joined(shown.filter((time) => isFree(time, busy) === isWanted).map((time) => momentOf(time, email)));
  const [free, taken] = [named(true), named(false)];
  if (free === "") return `I am not free on ${taken}.`;
  return `I am free on ${free}${taken === "" ? "" : `, but not on ${taken}`}.`;
}

function isFree({ start, end }: Meeting, busy: readonly Interval[]): boolean {
  return !busy.some((taken) => taken.start < end.getTime() && taken.end > start.getTime());
}

function joined(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
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
function dayOf(moment: Date, timeZone: string, { reference, habits }: ReadEmail): string {
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
