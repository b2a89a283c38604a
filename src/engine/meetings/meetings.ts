import type { Language } from "../../lib/languages.ts";
import { collapseSpace } from "../../lib/text.ts";
import { wallDay } from "../../lib/time-zone.ts";
import type { FoundDate } from "../dates/find-dates.ts";
import { instantOf } from "../dates/zone.ts";
import { dueOf } from "../due-date.ts";
import { quoteOf, type ReadEmail, textOf } from "../email/email.ts";
import { asksToMeet } from "../email/meeting-ask.ts";
import type { TextRange } from "../email/sentences.ts";
import { calendarEvents, type Invite, MAX_INVITES } from "./calendar-events.ts";
import { type Candidate, confidenceOf } from "./confidence.ts";
import { eventName } from "./event-name.ts";
import { markedUpEvents } from "./marked-up-events.ts";
import { noteKind, noteTitle } from "./note.ts";
import { LONG_MEETING } from "./patterns.ts";
import { linksIn, placesIn, readCues, type SentenceCues, type Signal, timeSignal } from "./signals.ts";
import { attendeesOf, meetingTitle } from "./title.ts";

export interface Meeting extends Omit<Invite, "cancelled"> {
  confidence: number;
  /** Another reading of the time is as likely, or several times are proposed. */
  ambiguous: boolean;
  /** It is asked for or suggested, and nobody has agreed to it yet. */
  proposed: boolean;
}

export interface Detection {
  detected: boolean;
  confidence: number;
  meetings: Meeting[];
  signals: Signal[];
  note: string | null;
  language: Language | null;
}

const ENOUGH = 0.44;
const MAX_MEETINGS = 10;
/** A person's own words to their assistant leave little doubt. */
const NOTE_CONFIDENCE = 0.8;
const INVITE_CONFIDENCE = 0.98;
/** The least confidence in a meeting that a language model found, if the engine can read its time. */
const MODEL_CONFIDENCE = 0.7;

/** Finds the meetings that an email asks for, proposes, confirms or contains as calendar data. */
export function detectMeetings(email: ReadEmail): Detection {
  const signals: Signal[] = [];
  const text = email.content.slice(0, email.visible.length);
  const found = [calendarEvents(text, email.timeZone), markedUpEvents(text, email.timeZone)];
  const invites = found.flat().slice(0, MAX_INVITES);
  for (const { quote } of invites) signals.push({ kind: "invite", ...quote });
  const around = surroundingsOf(email, signals);
  const { cues, links, places } = around;
  signals.push(...links, ...places, ...email.dates.map((date) => timeSignal(email, date)));
  const note = invites.length === 0 ? noteKind(email, around.candidates.length > 0, places.length > 0) : null;
  const attached = invites.filter(({ cancelled }) => !cancelled);
  const meetings =
    attached.length > 0
      ? attached.map((invite) => fromInvite(invite, around))
      : meetingsInText(email, around, note === "add");
  const isOther = note !== null && note !== "add";
  const requested = attached.length === 0 && invites.length === 0 ? requestConfidence(cues, links) : 0;
  const asked = note === "add" ? Math.max(requested, NOTE_CONFIDENCE) : isOther ? 0 : requested;
  const kept = isOther ? [] : meetings;
  const confidence = Math.max(asked, ...kept.map((meeting) => meeting.confidence), 0);
  return {
    detected: kept.length > 0 || asked >= ENOUGH,
    confidence: round(confidence),
    meetings: kept,
    signals: signals.sort((a, b) => a.start - b.start || a.end - b.end),
    note: email.note,
    language: email.language,
  };
}

function fromInvite(invite: Invite, { links, attendees }: Surroundings): Meeting {
  const { cancelled: _, ...meeting } = invite;
  return {
    ...meeting,
    attendees: meeting.attendees.length > 0 ? meeting.attendees : attendees,
    meetingUrl: meeting.meetingUrl ?? links[0]?.text ?? null,
    confidence: INVITE_CONFIDENCE,
    ambiguous: false,
    proposed: false,
  };
}

/** How likely it is that the email asks for a meeting, with or without a time. */
function requestConfidence(cues: readonly SentenceCues[], links: readonly Signal[]): number {
  const sentence = cues.find(
    (cue) => (cue.wishes || ((cue.request || cue.invites || cue.moves) && cue.noun)) && !cue.past,
  );
  const cancels = cues.some((cue) => cue.cancels) && !cues.some((cue) => cue.moves);
  if (cancels) return 0;
  if (sentence) return links.length > 0 ? 0.7 : 0.5;
  return links.length > 0 && cues.some((cue) => cue.noun || cue.invites) ? 0.5 : 0;
}

/** Details that apply to the meeting at any of its times. Adds the words of the cues to `signals`. */
function surroundingsOf(email: ReadEmail, signals: Signal[]) {
  const cues = readCues(email, signals);
  const candidates = candidatesIn(email, cues);
  return { cues, candidates, links: linksIn(email), places: placesIn(email), attendees: attendeesOf(email) };
}

type Surroundings = ReturnType<typeof surroundingsOf>;

/** `isNote`: the person tells their assistant about it, so every time that is said is the event's. */
function meetingsInText(email: ReadEmail, around: Surroundings, isNote: boolean): Meeting[] {
  const { cues, links, places } = around;
  const meetings: Meeting[] = [];
  for (const candidate of around.candidates) {
    const found = confidenceOf(email, candidate, cues, links.length > 0, places.length > 0);
    const confidence = isNote ? Math.max(found, NOTE_CONFIDENCE) : found;
    if (confidence < ENOUGH || meetings.some(({ start }) => start.getTime() === candidate.start.getTime())) continue;
    const meeting = toMeeting(email, candidate, confidence, around);
    const title = isNote ? noteName(email, candidate, around) : "";
    const isSuggested = suggests(email, candidate, cues) || (meeting.proposed && !isNote);
    meetings.push({ ...meeting, title: title || meeting.title, proposed: isSuggested });
    if (meetings.length === MAX_MEETINGS) break;
  }
  // A day that only introduces the times after it is not a meeting itself.
  const timed = meetings.filter(({ allDay }) => !allDay);
  return timed.length > 0 ? timed : meetings;
}

/** "Lunch on Friday at noon?" and "Let's meet at 3" suggest; "Could you add lunch on Friday?" is told to an assistant. */
function suggests(email: ReadEmail, { sentence, quote }: Candidate, cues: readonly SentenceCues[]): boolean {
  const text = textOf(email, cues[sentence]?.range ?? quote).trim();
  if (/^(?:please |hey |hi |ok |so )*(?:let's|lets|let us)\b/i.test(text)) return true;
  // "Are you up for a hike on Saturday? We'd leave around 9."
  const first = cues.find(({ range }) => range.start <= quote.start && quote.start < range.end);
  if (first && first !== cues[sentence] && asksToMeet(textOf(email, first.range))) return true;
  return text.endsWith("?") && !/^(?:\W*\w+,? )?(?:please )?(?:can|could|would|will) you\b/i.test(text);
}

/** The name that the note's sentence gives the event, or else what remains of the note without its details. */
function noteName(email: ReadEmail, { sentence, quote }: Candidate, { cues, places, links }: Surroundings): string {
  const range = cues[sentence]?.range ?? quote;
  return eventName(email, range, [...places.slice(0, 1), ...links], true) ?? noteTitle(email);
}

function toMeeting(email: ReadEmail, candidate: Candidate, confidence: number, around: Surroundings): Meeting {
  const { cues, links, places, attendees, candidates } = around;
  const isOneOfSeveral = candidates.some((other) => other !== candidate && other.sentence === candidate.sentence);
  return {
    title: meetingTitle(email, cues[candidate.sentence]?.range ?? candidate.quote, [...places.slice(0, 1), ...links]),
    start: candidate.start,
    end: candidate.end ?? new Date(candidate.start.getTime() + lengthOf(email, candidate, cues) * 60_000),
    timeZone: candidate.date.zone?.includes("/") ? candidate.date.zone : email.timeZone,
    allDay: candidate.allDay,
    location: places[0] ? collapseSpace(places[0].text) : null,
    meetingUrl: links[0]?.text ?? null,
    attendees,
    confidence: round(Math.min(confidence, 0.95)),
    ambiguous: candidate.ambiguous || isOneOfSeveral,
    proposed: isProposal(cues[candidate.sentence]),
    quote: quoteOf(email, candidate.quote),
    rrule: null,
    exdates: [],
  };
}

/** "Can we talk on Tuesday at 2?" suggests a meeting; "see you on Tuesday at 2" confirms it. */
function isProposal(cue: SentenceCues | undefined): boolean {
  return cue !== undefined && (cue.request || cue.wishes) && !cue.confirms;
}

/** The meeting that a language model found at these words. Null if the engine reads no future time there. */
export function meetingAt(email: ReadEmail, range: TextRange): Meeting | null {
  const around = surroundingsOf(email, []);
  const { cues, links, places } = around;
  const there = around.candidates.filter(({ quote }) => quote.start < range.end && range.start < quote.end);
  const candidate = there.find(({ allDay }) => !allDay) ?? there[0];
  if (!candidate) return null;
  const own = confidenceOf(email, candidate, cues, links.length > 0, places.length > 0);
  return toMeeting(email, candidate, Math.max(own, MODEL_CONFIDENCE), around);
}

const isClock = ({ type, grain, from }: FoundDate) =>
  from !== null && (/time/.test(type) || (type === "set" && grain !== "day"));

/** Every day or time that could be a meeting's. A time without a day takes the day named before it. */
function candidatesIn(email: ReadEmail, cues: readonly SentenceCues[]): Candidate[] {
  const candidates: Candidate[] = [];
  let day: FoundDate | null = null;
  let sentence = 0;
  for (const found of email.dates) {
    const date = afterMove(email, found);
    while (sentence < cues.length - 1 && (cues[sentence]?.range.end ?? 0) <= date.start) sentence += 1;
    if (date.from === null || date.wall.from === null || isReplaced(email, date)) continue;
    const isLone = date.type === "time" || date.type === "timerange";
    const base: FoundDate | null = day;
    if (isLone && base && base.wall.from !== null && date.start - base.end < 400) {
      candidates.push(onDay(email, base, date, sentence));
      continue;
    }
    const last = candidates.at(-1);
    const isBefore =
      last?.sentence === sentence &&
      (last.date.type === "time" || last.date.type === "timerange") &&
      last.quote.start === last.date.start;
    if (date.type === "date" && last && isBefore) {
      // "at 4:00 in my office on Monday"
      const merged = onDay(email, date, last.date, sentence);
      candidates.splice(-1, 1, { ...merged, quote: { start: last.date.start, end: date.end } });
      day = date;
      continue;
    }
    if (date.type === "date" || date.type === "datetime" || date.type === "datetimerange") day = date;
    if (!isClock(date) && date.type !== "date") continue;
    candidates.push({
      date,
      quote: date,
      start: isWholePart(date) ? (dueOf(date, email) ?? date.from) : date.from,
      end: date.type === "datetime" || date.type === "set" ? null : isWholePart(date) ? null : date.to,
      allDay: date.type === "date",
      ambiguous: date.ambiguous,
      sentence,
    });
  }
  return candidates.filter(
    ({ start, end, allDay }) => (allDay && end ? end : start).getTime() > email.reference.getTime(),
  );
}

/** "tomorrow morning" gives no length: the meeting is some time within it. */
function isWholePart(date: FoundDate): boolean {
  return date.type === "datetimerange" && date.durationMinutes === null && date.ambiguous;
}

/** "instead of 8am", "moved from Monday": the time that no longer holds. */
function isReplaced(email: ReadEmail, date: FoundDate): boolean {
  return /\b(?:instead of|rather than|not|was|originally|moved from|from our)\s{0,3}(?:at|on|for)?\s{0,3}$/i.test(
    email.visible.slice(Math.max(0, date.start - 30), date.start),
  );
}

const MOVING =
  /\b(?:mov(?:e|ed|ing)|re-?schedul\w+|shifted|push(?:ed)?|postponed?|changed?) (?:(?!to |for )[\w'-]+ ){0,4}from $/i;

/** "moved from Tuesday 3pm to Wednesday 4pm" is not a range: only the second time holds. */
function afterMove({ visible }: ReadEmail, date: FoundDate): FoundDate {
  if (!MOVING.test(visible.slice(Math.max(0, date.start - 60), date.start + 5))) return date;
  return { ...date, from: date.to, to: null, wall: { from: date.wall.to, to: null } };
}

function onDay(email: ReadEmail, day: FoundDate, time: FoundDate, sentence: number): Candidate {
  const midnight = wallDay(day.wall.from ?? 0);
  const shift = midnight - wallDay(time.wall.from ?? 0);
  const zone = time.zone ?? day.zone;
  const moved = (wall: number) => new Date(instantOf(wall + shift, zone, email.timeZone));
  return {
    date: time,
    quote: { start: day.start, end: time.end },
    start: moved(time.wall.from ?? 0),
    end: time.wall.to === null ? null : moved(time.wall.to),
    allDay: false,
    ambiguous: time.ambiguous || day.ambiguous,
    sentence,
  };
}

/** Minutes: the length given near the time, or the usual length of such a meeting. */
function lengthOf(email: ReadEmail, candidate: Candidate, cues: readonly SentenceCues[]): number {
  const lengths = email.dates.filter(
    ({ type, durationMinutes }) =>
      type === "duration" && durationMinutes !== null && durationMinutes > 0 && durationMinutes <= 12 * 60,
  );
  const nearest = lengths.sort(
    (a, b) => Math.abs(a.start - candidate.quote.start) - Math.abs(b.start - candidate.quote.start),
  )[0];
  if (nearest?.durationMinutes && Math.abs(nearest.start - candidate.quote.start) < 400) return nearest.durationMinutes;
  const range = cues[candidate.sentence]?.range;
  return range && LONG_MEETING.test(`${textOf(email, range)} ${email.subject ?? ""}`) ? 60 : 30;
}

function round(value: number): number {
  return Math.round(Math.max(0, Math.min(1, value)) * 100) / 100;
}
