import type { FindOptions } from "../../../engine/dates/find-dates.ts";
import { MONTHS, WEEKDAYS } from "../../../engine/dates/vocabulary.ts";
import { dated, dueOf } from "../../../engine/due-date.ts";
import { actionItemsIn, isTask } from "../../../engine/email/action-items.ts";
import { amountsIn } from "../../../engine/email/amounts.ts";
import { type ReadEmail, readEmail, textOf } from "../../../engine/email/email.ts";
import { ADDRESSES, collapseSpace } from "../../../lib/text.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";

/** What can be extracted from a text, and the words that ask for it. */
export const KINDS = {
  emails: { name: "email addresses", words: /\be-?mail(?:s| address(?:es)?| ids?)?\b|\bmail addresses\b/ },
  phones: { name: "phone numbers", words: /\b(?:tele)?phone(?:s| numbers?)?\b|\bmobile numbers?\b/ },
  deadlines: { name: "deadlines", words: /\bdeadlines?\b|\bdue dates?\b/ },
  dates: { name: "dates", words: /\bdates?(?: and times?)?\b|\btimes?\b(?! zone)/ },
  links: { name: "links", words: /\b(?:links?|urls?|web ?(?:sites?|addresses|pages?)|hyperlinks?)\b/ },
  amounts: {
    name: "amounts",
    words: /\b(?:amounts?(?: of money)?|prices?|costs?|monetary (?:amounts|values)|sums?(?: of money)?)\b/,
  },
  actions: {
    name: "action items",
    words:
      /\baction(?:s| items?| points?)\b|\bto-?dos?\b|\btodo items?\b|\btasks?(?: items)?\b|\bnext steps\b|\brequests?\b/,
  },
  questions: { name: "questions", words: /\bquestions?\b/ },
  names: { name: "names", words: /\b(?:names?(?: of (?:people|persons))?|people(?:'s names)?|persons?)\b/ },
  hashtags: { name: "hashtags", words: /\bhash ?tags?\b/ },
} as const;
export type Kind = keyof typeof KINDS;

const MAX_FOUND = 200;
const PHONE = /(?<![\w.,/-])(?:\+|00)?\(?\d{1,4}\)?(?:[ .-]?\(?\d{2,5}\)?){2,5}(?![\w/-])/g;
const LINK = /\bhttps?:\/\/[^\s<>"')\]]{1,1000}|\bwww\.[^\s<>"')\]]{3,500}/gi;
const HASHTAG = /(?<![\w&/])#[\p{L}_][\p{L}\d_]{1,60}/gu;
const TITLED = /\b(?:Mr|Mrs|Ms|Mx|Dr|Prof)\.? \p{Lu}[\p{L}'-]{1,25}(?: \p{Lu}[\p{L}'-]{1,25})?/gu;
const FULL_NAME = /\b\p{Lu}\p{Ll}{1,20}(?: \p{Lu}\.)? \p{Lu}[\p{L}'-]{1,25}\b/gu;
const NOT_A_NAME =
  /\b(?:street|road|avenue|square|inc|ltd|gmbh|llc|corp|university|department|office|team|project|company|bank|group|new|united|north|south|east|west|san|los|the|dear|hi|hello|best|kind|many|please|thank|thanks|regards|meeting|room|black|good|happy|christmas|q[1-4])\b/i;

const isName = (words: string) =>
  !NOT_A_NAME.test(words) &&
  !words
    .toLowerCase()
    .split(" ")
    .some((word) => MONTHS.has(word) || WEEKDAYS.has(word));

/** Finds everything of a kind in the text, in order and without duplicates. The text is read once for all kinds. */
export function extractor(text: string, clock: FindOptions): (kind: Kind) => string[] {
  let email: ReadEmail | null = null;
  const read = () => {
    email ??= readEmail({ content: text, ...clock });
    return email;
  };
  return (kind) => [...new Set(FINDERS[kind](text, read))].slice(0, MAX_FOUND);
}

const FINDERS: Record<Kind, (text: string, read: () => ReadEmail) => string[]> = {
  emails: (text) => matches(text, ADDRESSES),
  phones: (text) =>
    matches(text.replace(ADDRESSES, " ").replace(LINK, " "), PHONE).filter((found) => {
      const digits = found.replace(/\D/g, "").length;
      // A plain run of digits may be an order number; a date has its year first or last.
      const isShaped = /^(?:\+|00|\(|0)/.test(found) || /\d[ .-]\d/.test(found);
      return (
        digits >= 7 && digits <= 15 && isShaped && !/^\d{4}[.-]\d{2}[.-]\d{2}|^\d{1,2}[.-]\d{1,2}[.-]\d{4}$/.test(found)
      );
    }),
  links: (text) => matches(text, LINK).map((link) => link.replace(/(?<![.,;:!?])[.,;:!?]+$/, "")),
  amounts: (text) => amountsIn(text).map(collapseSpace),
  hashtags: (text) => matches(text, HASHTAG),
  names: (text) =>
    [...matches(text, TITLED), ...matches(text, FULL_NAME).filter(isName)].filter(
      (name, _, all) => !all.some((other) => other !== name && other.endsWith(name)),
    ),
  dates(_, read) {
    const { dates, timeZone } = read();
    return dates
      .filter(({ type }) => type !== "duration")
      .map(({ text: phrase, from, zone }) => dated(phrase, from, zone?.includes("/") ? zone : timeZone));
  },
  deadlines(_, read) {
    const email = read();
    return email.dates
      .filter((date) => date.from !== null && BOUND.test(email.visible.slice(Math.max(0, date.start - 30), date.start)))
      .map((date) => dated(date.text, dueOf(date, email), email.timeZone));
  },
  questions(_, read) {
    const email = read();
    return email.sentences
      .map((range) => collapseSpace(textOf(email, range)))
      .filter((sentence) => sentence.endsWith("?"));
  },
  actions(_, read) {
    const { timeZone } = read();
    return actionItemsIn(read())
      .filter((item) => isTask(item) && !MERE_QUESTION.test(item.quote.text))
      .map(({ text: title, dueAt, assignee }) => {
        const due = dueAt ? `due ${dateOf(toWall(timeZone, dueAt.getTime()))}` : "";
        const who = assignee && assignee !== "you" && assignee !== "sender" ? assignee : "";
        const more = [who, due].filter((part) => part !== "").join(", ");
        return more ? `${title} (${more})` : title;
      });
  },
};

const MERE_QUESTION =
  /^(?:do|does|did|are|is|was|were|have|has|what|when|where|who|why|how)\s(?:you|we|they|i|he|she|it|the|there)\b/i;
const BOUND = /\b(?:by|before|until|till|due|deadline|no later than|not later than|expires?)\b[^.?!]{0,15}$/i;

function matches(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([found]) => collapseSpace(found)).slice(0, MAX_FOUND * 2);
}
