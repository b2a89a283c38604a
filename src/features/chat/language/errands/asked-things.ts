import { type Clock, datesIn, isMoment, withoutPhrases } from "../../../../engine/notes/message-time.ts";

/** One of several things that a sentence of an email asks for. */
interface AskedThing {
  text: string;
  /** The words of the email. */
  quote: string;
  /** The date that these words name; empty if they name none. */
  due: string;
}

const VERBS =
  "add|agree|approve|arrange|ask|attach|book|bring|buy|call|cancel|change|check|choose|collect|complete|confirm|contact|create|decide|deliver|draft|drop|email|enter|fill|find|finish|fix|forward|get|give|hand|install|invite|invoice|join|let|look|make|order|organi[sz]e|pack|pay|phone|pick|plan|prepare|print|provide|read|register|remove|renew|reply|return|review|ring|save|scan|schedule|select|send|set|share|sign|submit|take|tell|test|transfer|update|upload|wear|write";
const ASKS =
  /^(?:(?:hi|hello|dear)\b[^,]{0,40}, )?(?:(?:please|kindly|also|and|then|could you|can you|would you|will you|you need to|you must|don't forget to|make sure (?:you|to))[\s,]+)*/i;
const NEXT = new RegExp(
  `(?:;|,)? {1,9}and (?:then |also |please ){0,6}(?=(?:${VERBS})\\b)|[,;] {1,9}(?:then |also |please ){0,6}(?=(?:${VERBS})\\b)`,
  "gi",
);
const STARTS = new RegExp(`^(?:${VERBS})\\b`, "i");
const MOST = 6;
/** Only what follows these says when: in "a room for Monday's review" the day is part of the name. */
const BEFORE = /\b(?:by|before|until|till|on|no later than)(?: the)?\s*$/i;

/** "Send the plan, share the docs and set up a channel" asks for three things; empty if it is one. */
export function askedThings(quote: string, clock: Clock): AskedThing[] {
  const clauses = quote
    .replace(/(?<![\s.!?])[\s.!?]+$/, "")
    .replace(ASKS, "")
    .split(NEXT);
  if (clauses.length < 2 || clauses.length > MOST || !clauses.every((each) => STARTS.test(each))) return [];
  return clauses.map((clause) => {
    const [last] = datesIn(clause, clock)
      .filter((found) => isMoment(found) && found.end >= clause.length && BEFORE.test(clause.slice(0, found.start)))
      .slice(-1);
    const rest = (last ? withoutPhrases(clause, [last]) : clause).replace(/(?<![\s,;:])[\s,;:]+$/, "");
    return {
      text: rest.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()),
      quote: clause,
      due: last?.text ?? "",
    };
  });
}
