import type { ChatRecord } from "../../../db/schema/chat.ts";
import { bestMatches, isOnlyGuest, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";

const PLACE =
  "first|second|third|fourth|fifth|sixth|last|other|next|same|right|wrong|only|new|latest|newest|oldest|earliest|previous|whole|big|small|one|no|1st|2nd|3rd|\\dth";
/** "the gym one" */
const NAMED = new RegExp(
  `\\b(?:the|that|my) (?<name>(?!(?:${PLACE})\\b)[\\p{L}\\d](?:(?! (?:to|as|is|and|until|on|at)\\b)[\\p{L}\\d' -]){1,40}?) ones?\\b(?! (?:of|from|with|about|on|at|for|in)\\b)`,
  "iu",
);
/** "the one about the gym" */
const ABOUT =
  /\b(?:the|that) one (?:about|called|named|regarding|concerning) (?:the |my )?(?<name>[\p{L}\d][\p{L}\d' -]{1,40}?)(?=$| (?:to|until|till|as|is|and|please|too)\b|[.!?,])/iu;
const NEW = /^(?:and |please |also )*(?:add|buy|remind|schedule|book|create|write|draft|email|put down)\b/i;

const LONGEST_NAME = 5;
/** What follows a name in a sentence about it. */
const SAYS =
  /^(?:is|are|was|will|should|must|needs|need|has|can|could|might|gets|got|starts|ends|begins|finishes|lasts|takes|happens|runs|goes|moves|moved|'s)\b/i;

/** "Leo needs picking up" is about Leo, and not about what is called after him. */
const IS_A_CHORE =
  /^(?:needs?|wants?|has to|have to) (?:\p{L}+ing\b|to (?:go|be (?:picked|collected|taken|dropped|fetched))\b)/iu;
const IS_SOMEWHERE = /^(?:is|was|will be|'s)(?: now)? (?:at|in|on) (?!\d)/i;

/** "Swimming is in Westbad this time": a record of this conversation, named at the beginning of a sentence, becomes "it". */
export function withLeadingName({ state }: Turn, message: string): string {
  const [, lead = "", text = ""] =
    /^((?:(?:and|but|also|so|oh|actually|sorry)[\s,]{1,9}){0,6}(?:the |my |our )?)(.*)$/isu.exec(message) ?? [];
  const words = text
    .replace(/^(\S+?)'s (?=been\b)/iu, "$1 has ")
    .replace(/^(\S+?)'s (?=(?:at|in|on|now|been|moved|going|gone|actually|not|off|only)\b)/iu, "$1 is ")
    .split(" ");
  const records = new Map(
    state.groups.flat().map((record) => [`${record.kind} ${record.id} ${record.occurrence}`, record]),
  );
  for (let count = Math.min(LONGEST_NAME, words.length - 1); count > 0; count -= 1) {
    const name = words.slice(0, count).join(" ");
    const rest = words.slice(count).join(" ");
    if (
      !SAYS.test(rest) ||
      IS_A_CHORE.test(rest) ||
      tellingWords(name).length === 0 ||
      /^(?:what|who|when|where|which|how|why|it|that|this|there|i|you|we|he|she|they)\b/i.test(name)
    )
      continue;
    const [only, ...others] = bestMatches(name, [...records.values()], ({ title }) => [title]);
    if (!only || others.length > 0 || (IS_SOMEWHERE.test(rest) && isOnlyGuest(name, only.title))) continue;
    state.groups.unshift([only]);
    return `${lead.replace(/(?:the|my|our) $/i, "")}it ${rest.replace(/^are\b/i, "is").replace(/^have\b/i, "has")}`;
  }
  return message;
}

const KIND_WORDS: Partial<Record<ChatRecord["kind"], string>> = { email: "the email about ", task: "the task " };

/**
 * "Delete the gym one": of what this conversation was about, the one of that name becomes "it". A name that it has not
 * mentioned yet is one of the same kind.
 */
export function withNamedOne({ state }: Turn, message: string): string {
  const found = NEW.test(message) ? null : (NAMED.exec(message) ?? ABOUT.exec(message));
  const name = found?.groups?.name;
  if (!found || !name || tellingWords(name).length === 0) return message;
  const records = new Map(
    state.groups.flat().map((record) => [`${record.kind} ${record.id} ${record.occurrence}`, record]),
  );
  const fitting = bestMatches(name, [...records.values()], ({ title }) => [title]);
  const [only] = fitting;
  if (only && fitting.length === 1) {
    state.groups.unshift([only]);
    return message.replace(found[0], "it");
  }
  const kind = state.groups[0]?.[0]?.kind;
  // "Tag the hotel one travel": where the name ends is known only by the record.
  if (/^(?:and |also |please )*(?:tag|label|file)\b/i.test(message)) return message;
  return fitting.length > 1 || !kind ? message : message.replace(found[0], `${KIND_WORDS[kind] ?? "the "}${name}`);
}
