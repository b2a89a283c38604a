import type { Language } from "../../lib/languages.ts";
import { ADDRESSES, capitalize, collapseSpace } from "../../lib/text.ts";
import { pairs } from "../../lib/words.ts";
import { MONTHS, WEEKDAYS } from "../dates/vocabulary.ts";
import { type Person, type ReadEmail, textOf } from "../email/email.ts";
import type { TextRange } from "../email/sentences.ts";
import { MEETING_WORDS } from "../languages/meetings.ts";
import { eventName } from "./event-name.ts";
import { EVENT_NOUN, MEETING_NOUN } from "./patterns.ts";

const MAX_TITLE = 120;
const MAX_ATTENDEES = 30;
const WITH =
  /\bwith ([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?(?:(?:,| and|, and| &) [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?){0,5})/;
const TOPIC =
  /\b(?:to (?:discuss|talk about|review|go over|go through|plan|walk through)|about|regarding|re|on the topic of|to cover) ((?:the |our |your )?[a-zA-Z0-9][^.?!,;\n]{2,60})/i;
const REPLY = /^(?:\s{0,3}(?:re|fw|fwd|aw|wg)\s?(?:\[\d+\])?:)+/i;

/** The subject of the email, or else the kind of meeting and its topic or people. */
export function meetingTitle(email: ReadEmail, range: TextRange, others: readonly TextRange[]): string {
  const subject = collapseSpace((email.subject ?? "").replace(REPLY, ""));
  if (subject.length >= 3 && !subject.split(/[\s,]+/).every(isTimeWord)) {
    const talk = talkAbout(textOf(email, range), subject);
    return cut(talk ? `${talk}: ${subject}` : subject);
  }
  const named = eventName(email, range, others, false);
  if (named) return cut(named);
  const wide = { start: Math.max(0, range.start - 300), end: Math.min(email.visible.length, range.end + 300) };
  const around = withoutRanges(email, wide, others);
  const sentence = withoutRanges(email, range, others).slice(0, 800);
  const { language } = email;
  const words = language === "en" || language === null ? MEETING_NOUN : MEETING_WORDS[language].noun;
  const noun =
    (words.exec(sentence) ?? words.exec(around) ?? MEETING_NOUN.exec(sentence))?.[0] ?? UNNAMED[language ?? "en"];
  const name = capitalize(collapseSpace(noun));
  const topic = words === MEETING_NOUN ? (TOPIC.exec(sentence) ?? TOPIC.exec(around)) : null;
  const about = topic?.[1] ? withoutTime(collapseSpace(topic[1])) : "";
  if (about.length >= 3) return cut(`${name}: ${about}`);
  const people = namesIn(email);
  const who = people.length > 0 ? people.slice(0, 3).join(", ") : (email.from?.name ?? "");
  return cut(who ? `${name} with ${who}` : name);
}

const TALK =
  /\b(?:can|could|shall|should|may|let's|would|want to|like to|need to)\b.{0,30}\b(talk|speak|chat|call|discuss|meet)\b/i;
const KINDS_OF_TALK = pairs("talk: Talk, speak: Talk, discuss: Talk, chat: Chat, call: Call, meet: Meeting");

/** "Can we talk on Thursday?" under the subject "Offsite in March" is a talk about it, and not the offsite. */
function talkAbout(sentence: string, subject: string): string | null {
  const event = EVENT_NOUN.exec(subject)?.[0].toLowerCase() ?? "";
  const verb = TALK.exec(sentence)?.[1]?.toLowerCase() ?? "";
  const isOther = event !== "" && !/^(?:meet|call|talk|review|date|event|session)/.test(event);
  return isOther && !sentence.toLowerCase().includes(event) ? (KINDS_OF_TALK.get(verb) ?? null) : null;
}

/** The title of a meeting without a name. */
const UNNAMED: Readonly<Record<Language, string>> = { en: "meeting", de: "Treffen", fr: "rendez-vous", es: "reunión" };

/** "au Café de Flore" is where, not what. */
function withoutRanges({ visible }: ReadEmail, { start, end }: TextRange, others: readonly TextRange[]): string {
  let text = visible.slice(start, end);
  for (const other of others) {
    if (other.start < start || other.end > end) continue;
    const blank = " ".repeat(other.end - other.start);
    text = text.slice(0, other.start - start) + blank + text.slice(other.end - start);
  }
  return text;
}

function isTimeWord(word: string): boolean {
  const plain = word.toLowerCase().replace(/[^a-z]/g, "");
  const isMonth = MONTHS.has(plain) && plain !== "may";
  return (
    isMonth || WEEKDAYS.has(plain) || /^\d/.test(word) || /^(?:tomorrow|today|tonight|next|this|sometime)$/.test(plain)
  );
}

/** "the budget on Tuesday at 3" → "the budget" */
function withoutTime(topic: string): string {
  const words = topic.split(" ");
  const stop = words.findIndex(isTimeWord);
  const kept = stop < 0 ? words : words.slice(0, stop);
  while (/^(?:on|at|in|for|by|next|this|the|from)$/i.test(kept.at(-1) ?? "")) kept.pop();
  return kept.join(" ");
}

function namesIn(email: ReadEmail): string[] {
  for (const range of email.sentences.slice(0, 200)) {
    const found = WITH.exec(textOf(email, range).slice(0, 500))?.[1];
    const names = found
      ?.split(/, and | and |, | & /)
      .filter((name) => !WEEKDAYS.has(name.toLowerCase()) && !MONTHS.has(name.toLowerCase()));
    if (names && names.length > 0) return names;
  }
  return [];
}

/** The sender, the addresses in the text, and the people named after "with". */
export function attendeesOf(email: ReadEmail): Person[] {
  const people: Person[] = [];
  const add = (person: Person) => {
    const isKnown = people.some((known) =>
      person.email !== null ? known.email === person.email : known.name === person.name,
    );
    if (!isKnown && people.length < MAX_ATTENDEES) people.push(person);
  };
  if (email.from && (email.from.name || email.from.email)) add(email.from);
  for (const range of email.sentences.slice(0, 200)) {
    for (const [address] of textOf(email, range).slice(0, 2000).matchAll(ADDRESSES))
      add({ name: null, email: address.toLowerCase() });
  }
  for (const name of namesIn(email)) add({ name, email: null });
  return people;
}

function cut(text: string): string {
  return [...text].slice(0, MAX_TITLE).join("");
}
