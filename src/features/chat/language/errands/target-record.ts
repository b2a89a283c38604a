import type { FoundDate } from "../../../../engine/dates/find-dates.ts";
import {
  type Clock,
  datesIn,
  isClock,
  isMoment,
  joinDayAndTime,
  saidMinutes,
  withoutCourtesies,
  withoutPhrases,
} from "../../../../engine/notes/message-time.ts";
import { tellingWords } from "../../../tools/language/name-match.ts";
import { daysLater, daysToNextOfName, hasOpenHour } from "../follow-ups/open-time.ts";

/** The task or event that a message refers to: words of its title, and its time. */
export interface Meant {
  match: string;
  from: Date | null;
  until: Date | null;
  /** All records at that time are meant. */
  isAll: boolean;
  /** A time was given without a day. */
  isClockOnly: boolean;
}

/** Verbs that report a task as done ("I paid …"). */
export const DONE_VERBS =
  "paid|called|sent|bought|booked|submitted|emailed|filed|ordered|cleaned|fixed|signed|returned|picked up|dropped off|mailed|written|wrote|washed|watered|fed|mowed|painted|hoovered|vacuumed|posted|renewed|rang|phoned|texted|tidied|packed|ironed|emptied|collected|printed|handed in";
const TARGET_VERB = new RegExp(
  `^(?:move|reschedule|postpone|push(?: back)?|shift|delay|bring(?: forward)?|pull(?: forward)?|rebook|cancel|call off|delete|remove|drop|scrap|clear|erase|take|get rid of|wipe|mark|check off|tick off|cross off|check|tick|cross|complete|finish(?:ed)?|completed|done with|change|update|set|make|extend|forget|i(?:'ve| have|'m)? (?:just |already )?(?:finished|completed|done with|did|done|${DONE_VERBS})|i no longer need(?: to)?|i don't need)(?:\\s+|$)`,
  "i",
);
const TARGET_NOISE =
  /\b(?:(?:from|off|on|in|out of) (?:of )?(?:my|the)(?: (?!to\b)\w+)? ?(?:calendar|schedule|agenda|list|to-?do list|to do list|to-?dos|tasks|reminders)|as (?:done|complete|completed|finished)|(?:is |are )?(?:done|complete|completed|finished)|the due date (?:of|for)|due date|deadline|priority|(?:called|named|titled)|off)\b/gi;

function meantIn(text: string, clock: Clock): Meant {
  const dates = datesIn(text, clock).filter(isMoment);
  const both = joinDayAndTime(dates, clock);
  const found = both?.found ?? dates[0];
  const rest = withoutPhrases(text, both?.parts ?? (found ? [found] : []))
    .replace(TARGET_VERB, "")
    .replace(TARGET_NOISE, " ")
    .replace(
      /(?:[\s,]{1,9}(?:again|now|already|too|as well|then|please|after all|any ?more|altogether|completely)){1,6}\s{0,9}$/i,
      "",
    )
    .replace(
      /^(?:\s*(?:all(?: of)?|every|everything|any|both|my|mine|the|our|a|an|that|this|task|event|reminder|item)\b)+/gi,
      " ",
    )
    .replace(/["“”]/g, "");
  const isPoint = found?.from && found.to === null;
  return {
    match: rest.replace(/\s+/g, " ").trim().slice(0, 200),
    from: found?.from ?? null,
    until: found?.to ?? (isPoint ? new Date((found.from?.getTime() ?? 0) + 60_000) : null),
    isClockOnly: found?.type === "time" || found?.type === "timerange",
    isAll: /\b(?:all|everything|every|both|entire|whole)\b|\bclear my\b|^(?:clear|wipe|empty)\b/i.test(text),
  };
}

export function meantRecord(message: string, clock: Clock): Meant {
  return meantIn(withoutCourtesies(message), clock);
}

export interface MoveSlots extends Meant {
  /** Minutes to move it by; negative for earlier. */
  shiftMinutes: number | null;
  /** The new start. `isDay`: only a day was given; `isTime`: only a time. */
  to: Date | null;
  end: Date | null;
  isDay: boolean;
  isTime: boolean;
  /** It has an hour, and neither "am" nor "pm". */
  isOpenHour: boolean;
}

const SHIFT =
  /\s(?:(back|forward) )?(?:by )?((?:\d+|an?|one|two|three|half an|a couple of) (?:minutes?|mins?|hours?|hrs?|days?|weeks?))(?: (earlier|sooner|forward|later|back))?$/i;
const EARLIER = /^(?:bring|pull)\b/i;
/** Words that the new time can follow. */
const LINKS = [/\s(?:to|until|till|onto)\s+/gi, /\sfor\s+/gi, /\son\s+/gi, /\sat\s+/gi];

/** "move X from Thursday to Friday at 10": the record is named before the link, its new time after it. */
export function moveSlots(message: string, clock: Clock): MoveSlots {
  const text = withoutCourtesies(message);
  const nowhere = { shiftMinutes: null, to: null, end: null, isDay: false, isTime: false, isOpenHour: false };
  const shift = SHIFT.exec(text);
  const minutes = shift?.[2] ? saidMinutes(`for ${shift[2]}`, clock) : null;
  if (shift && minutes !== null) {
    const isEarlier = EARLIER.test(text) || /earlier|sooner|forward/i.test(`${shift[1]} ${shift[3]}`);
    return { ...meantIn(text.slice(0, shift.index), clock), ...nowhere, shiftMinutes: isEarlier ? -minutes : minutes };
  }
  for (const links of LINKS) {
    for (const link of [...text.matchAll(links)].reverse()) {
      const behind = text.slice(link.index + link[0].length).replace(/^the (?=\d)/, "");
      const bare = /^\d{1,2}(?::\d\d)?$/.test(behind) ? `at ${behind}` : behind;
      const [found] = datesIn(bare, clock).filter(isMoment);
      if (!found?.from || found.start > 3) continue;
      return { ...withoutClock(meantIn(text.slice(0, link.index), clock)), ...movedTo(found, clock) };
    }
  }
  // "reschedule the dentist friday 10am"
  const [found] = datesIn(text, clock).filter(isMoment);
  if (!found?.from) return { ...meantIn(text, clock), ...nowhere };
  return { ...meantIn(withoutPhrases(text, [found]), clock), ...movedTo(found, clock) };
}

/** "the interview from 2pm to 3pm on friday": the title identifies it better than a time without a day. */
function withoutClock(meant: Meant): Meant {
  return meant.isClockOnly && tellingWords(meant.match).length > 0 ? { ...meant, from: null, until: null } : meant;
}

function movedTo(found: FoundDate, clock: Clock) {
  const isRange = found.to !== null && isClock(found) && /-|–|\bto\b|\band\b|\bfor\b/.test(found.text);
  const isTime = found.type === "time" || found.type === "timerange";
  // "to next week" keeps the weekday.
  const shiftMinutes = found.grain === "week" && /^next week$/i.test(found.text) ? 7 * 24 * 60 : null;
  const days = daysToNextOfName(found, clock);
  return {
    shiftMinutes,
    to: found.from && daysLater(found.from, days),
    end: isRange && found.to ? daysLater(found.to, days) : null,
    isDay: !isClock(found),
    isTime,
    isOpenHour: hasOpenHour(found),
  };
}
