import { type Clock, datesIn, isMoment, withoutPhrases } from "../../../../engine/notes/message-time.ts";
import { DAY_MS, dateOf, toWall } from "../../../../lib/time-zone.ts";

const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|well|hmm|oh|great|thanks)\b[\s,!.]*)*(?:(?:what|how) about|and(?: what about)?|what if|or|then)?\b[\s,]*(?=\S)/i;
const HAS_LEAD = /^(?:(?:ok(?:ay)?|so|well|hmm|great|thanks)[\s,!.]+)*(?:what about|how about|and|or|but|then)\b/i;
const NAME = /\b(?!I\b|I'm\b)\p{Lu}[\p{L}'-]{1,40}(?: \p{Lu}[\p{L}'-]{1,40}){0,6}\b/gu;

/** The last question with another day, time or person: "what about Friday?" Null if the message asks nothing new. */
export function askAgain(message: string, asked: string, clock: Clock): string | null {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/(?<![\s?.!])[\s?.!]+$/, "");
  const isOnlyTime = /\?\s*$/.test(message) && text.split(/\s+/).length <= 7;
  if ((!HAS_LEAD.test(text) && !isOnlyTime) || text.split(/\s+/).length > 8) return null;
  const rest = text
    .replace(LEAD, "")
    .replace(/^(?:on|for|in|at|about|with|from|by|to) (?=\S)/i, (word) => (/^(?:at|in) /i.test(word) ? word : ""));
  const step = NEXT_DAY.exec(rest);
  if (step) return stepped(asked, /before/i.test(step[0]) ? -1 : 1, /week/i.test(step[0]) ? 7 : 1, clock);
  const side = /^(?:anything |what is |what's )?(?<side>before|after) (?:that|then|it)$/i.exec(rest)?.groups?.side;
  if (side) return besideThat(asked, /^after/i.test(side), clock);
  const moments = datesIn(rest, clock).filter(isMoment);
  if (
    moments.length > 0 &&
    /^(?:the|at|on|in|\s|,|then|same|time|any|anything|anytime|free|maybe|perhaps|how|is|about|later|else|instead|or|do|i|have|a|slot|something|on|there|busy){0,6}$/i.test(
      withoutPhrases(rest, moments),
    )
  ) {
    return withTime(asked, rest, clock);
  }
  const names = rest.match(NAME) ?? [];
  const before = asked
    .match(NAME)
    ?.filter(
      (name) =>
        !/^(?:What|When|Which|Who|Where|How|Did|Do|Does|Show|Is|Are|Have|Has|Any|Find|List|Tell|Am|Can)$/.test(name),
    );
  const last = before?.at(-1);
  const isName = names.length > 0 && rest.split(/\s+/).length <= 3;
  return isName && last ? asked.replace(last, rest.replace(/^(?:from|with|about|by) /i, "")) : null;
}

/** "and the day after that?" */
const NEXT_DAY =
  /^the (?:(?:day|one|week) (?:after|before)(?: (?:that|it|this))?|(?:next|following|previous) (?:day|one|week))(?: then)?$/i;

/** "and before that?": the rest of the day that was asked about. */
function besideThat(asked: string, isAfter: boolean, clock: Clock): string | null {
  const found = datesIn(asked, clock).filter(isMoment)[0];
  if (!found?.from || !/time/.test(found.type)) return null;
  const wall = (at: Date) => new Date(toWall(clock.timeZone, at.getTime())).toISOString();
  const range = isAfter
    ? `between ${wall(found.to ?? found.from).slice(11, 16)} and 23:59`
    : `between 00:00 and ${wall(found.from).slice(11, 16)}`;
  return `${asked.slice(0, found.start)}${range} on ${wall(found.from).slice(0, 10)}${asked.slice(found.end)}`;
}

/** The question about another day or week than the one it named. */
function stepped(asked: string, sign: number, days: number, clock: Clock): string | null {
  const found = datesIn(asked, clock).filter(isMoment)[0];
  if (!found?.from) return null;
  const length = found.grain === "week" ? 7 : days;
  const wall = toWall(clock.timeZone, found.from.getTime()) + sign * length * DAY_MS;
  const until = length === 7 ? ` to ${dateOf(wall + 6 * DAY_MS)}` : "";
  return `${asked.slice(0, found.start)}${until ? `from ${dateOf(wall)}` : dateOf(wall)}${until}${asked.slice(found.end)}`.replace(
    /\btomorrow's\b/,
    "tomorrow",
  );
}

/** A time alone replaces the time of the question and keeps its day; a day replaces the day. */
function withTime(asked: string, rest: string, clock: Clock): string {
  const question = asked.replace(/(?<![\s?.!])[\s?.!]+$/, "");
  const isOnly = (text: string, part: "time" | "date") => {
    const found = datesIn(text, clock).filter(isMoment);
    return (
      found.length > 0 &&
      found.every(({ type }) => (part === "time" ? /^time/.test(type) : /^date(?:range)?$/.test(type)))
    );
  };
  const before = datesIn(question, clock).filter(isMoment);
  const replaced = before.filter(({ type, text }) => {
    if (isOnly(rest, "time")) return /^time/.test(type);
    return !/^time/.test(type) || !isOnly(rest, "date") || text === "";
  });
  const whole = before.find(({ type }) => /^datetime/.test(type));
  if (isOnly(rest, "time") && whole) {
    // "tomorrow at 3pm" is one phrase: only its time changes.
    const part =
      /(?:(?:at|in the|this) )?(?:\d{1,2}(?::\d\d)?\s{0,9}(?:[ap]\.?m\.?)?|noon|midnight|morning|afternoon|evening|night)\s*$/i;
    const phrase = part.test(whole.text) ? whole.text.replace(part, "") : "";
    return `${question
      .replace(whole.text, phrase)
      .replace(/(?<!\s)\s+at\s*$/i, "")
      .trim()} ${/^(?:at|in|this|from|between|after|before)\b/i.test(rest) ? rest : `at ${rest}`}`.replace(/\s+/g, " ");
  }
  const kept = withoutPhrases(question, replaced);
  return `${kept} ${/^(?:at|on|in|today|tomorrow|tonight|this|next|from|between)\b/i.test(rest) || !isOnly(rest, "time") ? rest : `at ${rest}`}`.replace(
    /\s+/g,
    " ",
  );
}
