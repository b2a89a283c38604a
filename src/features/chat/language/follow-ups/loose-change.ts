import type { FoundDate } from "../../../../engine/dates/find-dates.ts";
import { meantMoment } from "../../../../engine/due-date.ts";
import {
  type Clock,
  datesIn,
  isClock,
  isMoment,
  joinDayAndTime,
  withoutPhrases,
} from "../../../../engine/notes/message-time.ts";
import { BARE_RANGE } from "../../../../engine/notes/slots.ts";
import type { Amendment } from "./amendment.ts";
import { isQuestion } from "./denial.ts";
import { LENGTH, minutesOf } from "./event-length.ts";
import { daysLater, daysToNextOfName, hasOpenHour } from "./open-time.ts";

/** A new time or length, said in any order: "could we do the dentist at 4 instead", "I'd rather have an hour". */
export interface LooseChange {
  amendment: Amendment;
  /** The words that are left: they may name what is changed. Empty if the message names nothing. */
  name: string;
  /** It has a word that says that something changes. */
  isChange: boolean;
  /** It is only considered: "would 5 work?" */
  isAsked: boolean;
}

const LONGEST = 140;
const words = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(" ")));

/** Words that say that something changes. */
const CHANGING = words(
  "move moved moving push pushed pushing shift shifted shifting bring brought bump bumped change changed changing reschedule rescheduled postpone postponed switch switched swap swapped delay delayed knock slide slid pull pulled nudge amend amended",
  "instead rather better prefer preferred later earlier sooner back forward longer shorter extend extended stretch lengthened prolong lengthen shorten trim cut reduce adjust update correct meant",
);
/** Words that say nothing by themselves. */
const FILLERS = words(
  "a an the to at on for by from till until in of and or so but then than as into onto over around about roughly with",
  "it its it's that that's this these those them they they've they're there here he he's him his hers she she's her hers their theirs one ones thing things lot whole both all meeting event appointment call task due date time times day hour hours slot start starts starting begin begins",
  "i i'd i'll i'm i've we we'd we'll we're we've you you'd me us my our your let's let",
  "be is are was were been being am do does did doing done make makes have has had having get gets got go goes going take takes happen happens keep leave set put say give need needs needed want wants wanted would could can will should must may shall like love think guess suppose see find try fit run runs last lasts gonna gotta wanna",
  "please pls thanks thank cheers ta sorry no nope nah not yes yeah yep ok okay right well hm hmm oh ah oops wait hang hold actually just only also too again still now after already really quite bit little much more less even either ideally same normally usually here accordingly hence therefore any",
  "fine good great perfect nice lovely best ideal possible easier suits suit works work alright sure enough plenty chance sense dear mind meet meets second thought thoughts further extra another up down out off along ahead long length total",
);
/** After an article, these fillers are names: "the suit". */
const NOUNS = words("call suit suits run work fit try find cut trim shift swap back");
const ARTICLES = words("the my our a an");
const STEPS = /\b(?:later|back|forward|earlier|sooner|ahead|on|up)\b/i;
const EARLIER = /\b(?:earlier|sooner|forward|ahead)\b|\b(?:bring|pull|brought) \S+(?: \S+)? up\b/i;
const LONGER = /\b(?:longer|more|extra|another|extend(?:ed)?|stretch|prolong|lengthen|add)\b/i;
const SHORTER = /\b(?:shorter|less|shorten|trim|cut|reduce)\b/i;
const TO_LENGTH = /\b(?:shorten|cut|trim|reduce|extend|stretch)\b.{0,200} to\b/i;
/** Not what is wished for, but what would be, what somebody says or another request. */
const OTHER =
  /\b(?:if|unless|in case|whether|wish|wishes|says|told|thinks?|suggest(?:ed|s)?|remind|reminder|every|each|daily|weekly|monthly|cancel|delete|remove|e-?mail|mail|reply|write|invite|free|available|busy|don't|do not|didn't|never|won't|wouldn't|shouldn't|can't|cannot|thinking|thought about|considering|wondering|might|nearly|almost|was going to)\b/i;
const SUGGESTS =
  /^(?:(?:and|or|so|but|ok|okay|hm+|well)[\s,]+)*(?:would|could it|might|maybe|perhaps|what about|how about)\b/i;
/** "not 3", "instead of Monday", "from 2": the time before. */
const BEFORE = /\b(?:not|instead of|rather than|no longer|from)(?: (?:at|on))?\s*$/i;

/** "to 4" and "say 5" are times, if nothing is counted. */
const BARE_HOUR =
  /\b(to|say|than|prefer|do|be|would|make it|make that|for|with|not|instead of|from|till|until|it's|is)\s+(\d{1,2}(?:[:.]\d\d)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=$|[,.?!]|\s+(?:instead|rather|please|then|not|works?|would|is|if|better|on|o'clock|to|but|be|suit)\b)/gi;

/** "from 1 to 4" is one time, and not two. */
const RANGE = /\b(?:from|between) \d{1,2}(?:[:.]\d\d)? ?(?:[ap]m )?(?:-|–|to|till|until|and) ?\d/i;

const hours = (text: string) =>
  RANGE.test(text)
    ? text
    : text
        .replace(BARE_HOUR, "$1 at $2")
        .replace(/^(\d{1,2})(?=,| (?:instead|rather|please|works|would|is)\b|$)/, "at $1")
        .replace(/, (\d{1,2})$/, ", at $1");

/** "Brandt wants it an hour later, can you sort that": who wishes for it does not matter. */
const SORT_IT =
  /(?<![,;.])[,;.]+ (?:so |and )?(?:please |can you |could you |would you |will you )*(?:sort|change|update|fix|do|move|adjust|amend|arrange|switch|shift) (?:that|it|this|the calendar|my calendar)(?: (?:please|for me|out|accordingly|in my calendar))*$/i;

/** The change that a message asks for, wherever its words stand; null if it may mean anything else. */
export function readLooseChange(message: string, clock: Clock): LooseChange | null {
  const plain = message.replaceAll("’", "'").replace(/\s+/g, " ").trim();
  if (plain.length > LONGEST || OTHER.test(plain) || isQuestion(plain)) return null;
  const isAsked = SUGGESTS.test(plain) && /\?\s*$/.test(plain);
  const asked = plain.replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const isForwarded = SORT_IT.test(asked);
  const text = hours(
    asked
      .replace(SORT_IT, "")
      .replace(/(?<![\s,])[\s,]+this (?:week|time)$/i, "")
      .replace(BARE_RANGE, "from $1 to $2"),
  );
  const step = STEP.exec(text);
  if (step) return withStep(text, step, clock, isAsked);
  const dates = datesIn(text, clock).filter(({ text: said }) => !/^(?:right )?now$/i.test(said));
  if (dates.some(({ doubt, type }) => doubt || type === "set")) return null;
  const moments = dates.filter((found) => isMoment(found) && !BEFORE.test(text.slice(0, found.start)));
  const lengths = dates.filter(({ durationMinutes, type }) => type === "duration" && durationMinutes);
  const amendment =
    moments.length === 1 && UNTIL.test(text.slice(0, moments[0]?.start))
      ? untilOf(moments[0])
      : moments.length > 0
        ? timeOf(moments, clock, lengths[0]?.durationMinutes)
        : lengthOf(text, lengths);
  if (!amendment) return null;
  const phrases = dates.filter((found) => isMoment(found) || found.type === "duration");
  const rest = withoutPhrases(text, phrases).split(/[\s,;:–-]+/);
  const said = rest.map((word) => word.toLowerCase());
  return {
    amendment,
    name: nameIn(rest),
    isChange:
      isForwarded ||
      said.some(
        (word) => CHANGING.has(word) && !(word === "later" && /\blater (?:today|this|that|on)\b/i.test(text)),
      ) ||
      /\b(?:should|must|has to|needs? to|needs) (?:be|start|happen)\b|\bnow (?:at|on)\b|\b(?:at|from) [\d:. apmto]{1,9} now$/i.test(
        text,
      ),
    isAsked,
  };
}

/** "half an hour later" */
const STEP = new RegExp(`${LENGTH} (earlier|sooner|later|back|forward)\\b`, "i");

function withStep(text: string, step: RegExpExecArray, clock: Clock, isAsked: boolean): LooseChange | null {
  const minutes = minutesOf(step[1] ?? "", clock);
  const rest = text.replace(step[0], " ");
  if (minutes === null || datesIn(rest, clock).some(isMoment)) return null;
  const isEarlier = /earlier|sooner|forward/i.test(step[2] ?? "");
  const amendment: Amendment = { kind: "shift", minutes: isEarlier ? -minutes : minutes };
  return { amendment, name: nameIn(rest.split(/[\s,;:–-]+/)), isChange: true, isAsked };
}

/** The words that neither say that something changes nor nothing at all. */
export function nameIn(said: readonly string[]): string {
  const isNoun = (at: number) =>
    ARTICLES.has(said[at - 1]?.toLowerCase() ?? "") && NOUNS.has(said[at]?.toLowerCase() ?? "");
  const kept = said.filter(
    (word, at) => isNoun(at) || (!FILLERS.has(word.toLowerCase()) && !CHANGING.has(word.toLowerCase())),
  );
  return kept.join(" ").replace(/'s$/i, "").trim();
}

const UNTIL = /\b(?:until|till|up to)\s*(?:about |around )?$/i;

function untilOf(found: FoundDate | undefined): Amendment | null {
  if (!found?.from || !isClock(found)) return null;
  return { kind: "until", to: found.from, isDay: false, isTime: found.type === "time" };
}

function timeOf(moments: readonly FoundDate[], clock: Clock, minutes: number | null = null): Amendment | null {
  const both = joinDayAndTime(moments, clock);
  const found = both?.found ?? moments[0];
  if (!found?.from || (moments.length > 1 && !both) || (found.to && !isClock(found) && found.grain !== "day"))
    return null;
  const isRange = found.to !== null && isClock(found) && /-|–|\bto\b|\band\b|\btill?\b|\buntil\b/.test(found.text);
  const days = Math.max(...moments.map((each) => daysToNextOfName(each, clock)));
  const to = daysLater(found.from, days);
  const end = isRange && found.to ? daysLater(found.to, days) : null;
  return {
    kind: "time",
    to: (both ? null : meantMoment(found, clock)) ?? to,
    end: end ?? (minutes && isClock(found) ? new Date(to.getTime() + minutes * 60_000) : null),
    isDay: !isClock(found),
    isTime: found.type === "time" || found.type === "timerange",
    isOpenHour: hasOpenHour(found),
  };
}

function lengthOf(text: string, [found, ...more]: readonly FoundDate[]): Amendment | null {
  const minutes = found?.durationMinutes;
  if (!found || !minutes || more.length > 0) return null;
  if (TO_LENGTH.test(text.slice(0, found.start))) return { kind: "length", minutes };
  if (LONGER.test(text) || SHORTER.test(text))
    return { kind: "longer", minutes: SHORTER.test(text) ? -minutes : minutes };
  const around = `${text.slice(0, found.start)} ${text.slice(found.end)}`;
  if (/\b(?:push|postpone|delay|move|shift|bump)\b/i.test(around)) return { kind: "shift", minutes };
  if (STEPS.test(around)) return { kind: "shift", minutes: EARLIER.test(around) ? -minutes : minutes };
  return { kind: "length", minutes };
}
