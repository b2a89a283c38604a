import type { FoundDate } from "../dates/find-dates.ts";
import { type ReadEmail, textOf } from "../email/email.ts";
import type { TextRange } from "../email/sentences.ts";
import type { SentenceCues } from "./signals.ts";

export interface Candidate {
  date: FoundDate;
  quote: TextRange;
  start: Date;
  end: Date | null;
  allDay: boolean;
  ambiguous: boolean;
  sentence: number;
}

/** How likely it is that a time in an email is the time of a meeting, judged by the words around it. */
export function confidenceOf(
  email: ReadEmail,
  candidate: Candidate,
  cues: readonly SentenceCues[],
  hasLink: boolean,
  hasPlace: boolean,
): number {
  const own = cues[candidate.sentence];
  if (!own || (own.cancels && !own.moves)) return 0;
  const before = email.visible.slice(Math.max(0, candidate.quote.start - 30), candidate.quote.start);
  let score = candidate.allDay ? 0.15 : 0.3;
  for (const [name, here, beside] of CUE_POINTS) score += cuePoints(candidate.sentence, cues, name, here, beside);
  if (hasLink) score += 0.2;
  if (hasPlace) score += 0.1;
  if (/\b(?:when|date|time|day)\s?:\s*$/i.test(before)) score += 0.2;
  if (email.subject && /\b(?:meeting|call|invit|appointment|interview|lunch|demo|sync|webinar)/i.test(email.subject))
    score += 0.2;
  if (own.past) score -= 0.4;
  if (candidate.allDay && PROMISE.test(textOf(email, own.range))) score -= 0.4;
  if (/\b(?:by|before|until|till|due|deadline|since|expires?|ends?)\s{0,3}(?:on|at|is|:)?\s{0,3}$/i.test(before))
    score -= 0.4;
  if (/\bfrom\s{0,3}$/i.test(before) && candidate.allDay) score -= 0.2;
  if (
    /\b(?:% off|discount|sale|offer|deal|shipping|delivery|deliver(?:ed|y|s)?|invoice|payment|subscription)\b/i.test(
      textOf(email, own.range),
    )
  )
    score -= 0.3;
  return score;
}

/** "I'll send everybody the details tomorrow" */
const PROMISE =
  /\b(?:i|we)(?:'ll| will) (?:\w+ ){0,5}?(?:send|book|forward|share|email|get back|let you know|prepare|finish|check|reply|write|submit|order|pay|update)\b/i;

/** The points of each cue, in the same sentence and in one beside it. */
const CUE_POINTS = [
  ["noun", 0.3, 0.2],
  ["request", 0.3, 0.2],
  ["invites", 0.25, 0.15],
  ["confirms", 0.2, 0.05],
  ["moves", 0.2, 0.1],
] as const;

/** The points for a cue in the same sentence, or fewer for one in a neighbouring sentence. */
function cuePoints(
  at: number,
  cues: readonly SentenceCues[],
  name: (typeof CUE_POINTS)[number][0],
  here: number,
  beside: number,
): number {
  if (cues[at]?.[name]) return here;
  const isBeside = [-2, -1, 1].some((offset) => cues[at + offset]?.[name] && !cues[at + offset]?.past);
  return isBeside ? beside : 0;
}
