import { type Clock, datesIn, isMoment, withoutPhrases } from "../assistant/message-time.ts";

const LEAD =
  /^(?:(?:ok(?:ay)?|so|and|but|then|well|hmm|oh|great|thanks)\b[\s,!.]*)*(?:(?:what|how) about|and(?: what about)?|what if|or|then)?\b[\s,]*(?=\S)/i;
const HAS_LEAD = /^(?:(?:ok(?:ay)?|so|well|hmm|great|thanks)[\s,!.]+)*(?:what about|how about|and|or|but|then)\b/i;
const NAME = /\b(?!I\b|I'm\b)\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)*\b/gu;

/** The last question with another day, time or person: "what about Friday?" Null if the message asks nothing new. */
export function askAgain(message: string, asked: string, clock: Clock): string | null {
  const text = message
    .replaceAll("’", "'")
    .trim()
    .replace(/[\s?.!]+$/, "");
  if (!HAS_LEAD.test(text) || text.split(/\s+/).length > 8) return null;
  const rest = text
    .replace(LEAD, "")
    .replace(/^(?:on|for|in|at|about|with|from|by|to) (?=\S)/i, (word) => (/^(?:at|in) /i.test(word) ? word : ""));
  const moments = datesIn(rest, clock).filter(isMoment);
  if (moments.length > 0 && /^(?:the|at|on|in|\s|,|then|same|time)*$/i.test(withoutPhrases(rest, moments))) {
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

/** A time alone replaces the time of the question and keeps its day; a day replaces the day. */
function withTime(asked: string, rest: string, clock: Clock): string {
  const question = asked.replace(/[\s?.!]+$/, "");
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
    const part = /(?:at )?(?:\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?)?|noon|midnight)\s*$/i;
    const phrase = part.test(whole.text) ? whole.text.replace(part, "") : "";
    return `${question
      .replace(whole.text, phrase)
      .replace(/\s+at\s*$/i, "")
      .trim()} ${/^at\b/i.test(rest) ? rest : `at ${rest}`}`.replace(/\s+/g, " ");
  }
  const kept = withoutPhrases(question, replaced);
  return `${kept} ${/^(?:at|on|in|today|tomorrow|tonight|this|next|from|between)\b/i.test(rest) || !isOnly(rest, "time") ? rest : `at ${rest}`}`.replace(
    /\s+/g,
    " ",
  );
}
