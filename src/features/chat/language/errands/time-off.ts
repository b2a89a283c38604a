import {
  type Clock,
  datesIn,
  isClock,
  isMoment,
  joinDayAndTime,
  withoutCourtesies,
  withoutPhrases,
} from "../../../../engine/notes/message-time.ts";

export const BLOCKS = /^(?:block|keep|reserve|hold|protect)(?: off| out| free)?\b/;
export const IS_AWAY =
  /\b(?:i am|i'm|i will be|i'll be|we are|we're|i have|i've got|i go|i am going|i'm going|add|book|schedule|put|enter|set)\b.{0,30}\b(?:vacations?|holidays?|annual leave|on leave|pto|time off|days? off|out of office|ooo|away)\b/;
const KINDS: readonly [RegExp, string][] = [
  [/\bholidays?\b/i, "Holiday"],
  [/\b(?:out of office|ooo)\b/i, "Out of office"],
  [/\bday off\b/i, "Day off"],
  [/\b(?:leave|pto|time off|days? off)\b/i, "Time off"],
  [/\baway\b/i, "Away"],
];

interface TimeOff {
  title: string;
  start: Date;
  /** Exclusive. */
  end: Date;
}

/** The time that "block Thursday afternoon for writing" reserves, and what for; null if it says no time. */
export function blockedTime(message: string, clock: Clock): (TimeOff & { isWholeDay: boolean }) | null {
  const text = withoutCourtesies(message);
  const dates = datesIn(text, clock);
  const both = joinDayAndTime(dates, clock);
  const found = both?.found ?? dates.find((date) => isMoment(date) && !date.doubt);
  const length = dates.find(({ type, durationMinutes }) => type === "duration" && durationMinutes);
  if (!found?.from) return null;
  const isWholeDay = !isClock(found);
  const minutes = length?.durationMinutes ?? 60;
  const end = length && !isWholeDay ? null : found.to;
  const phrases = [...(both?.parts ?? [found]), ...(length ? [length] : [])];
  const rest = withoutPhrases(text, phrases).replace(
    /^(?:block|keep|reserve|hold|protect)(?: off| out| free)?\s*/i,
    "",
  );
  const what = rest
    .replace(
      /^(?:(?:my|the|some|an?)(?:\s+|$))?(?:(?:all day|time|calendar|slot|hours?|morning|afternoon|evening|day)(?:\s+|$))?/i,
      "",
    )
    .replace(/^(?:for|to|as|on|in my calendar|free)\b\s*(?:an? )?/i, "")
    .replace(/(?<![\s.!])[\s.!]+$/, "")
    .replace(/^["“](.+)["”]$/, "$1");
  const title = what ? what.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : "Blocked";
  return { title, start: found.from, end: end ?? new Date(found.from.getTime() + minutes * 60_000), isWholeDay };
}

/** The days that a person is away; null if the message does not say when. */
export function vacationDays(message: string, clock: Clock): TimeOff | null {
  const days = datesIn(message, clock).filter((date) => isMoment(date) && !date.doubt);
  const [first, last] = [days[0], days.at(-1)];
  if (!first?.from || !last) return null;
  const end = last.to ?? (last.from && new Date(last.from.getTime() + 86_400_000));
  const title = KINDS.find(([word]) => word.test(message))?.[1] ?? "Vacation";
  // "until Friday" without a start begins today.
  const isOnlyEnd = days.length === 1 && /\b(?:until|till|through)\s*$/i.test(message.slice(0, first.start));
  const start = isOnlyEnd ? clock.reference : first.from;
  return end && end > start ? { title, start, end } : null;
}
