import { ADDRESSES, collapseSpace } from "../../lib/text.ts";
import { MONTHS, WEEKDAYS } from "../dates/words.ts";
import { type Person, type ReadMail, textOf } from "../email/mail.ts";
import type { Span } from "../email/parts.ts";
import { MEETING_NOUN } from "./words.ts";

const MAX_TITLE = 120;
const MAX_ATTENDEES = 30;
const WITH =
  /\bwith ([A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?(?:(?:,| and|, and| &) [A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?){0,5})/;
const TOPIC =
  /\b(?:to (?:discuss|talk about|review|go over|go through|plan|walk through)|about|regarding|re|on the topic of|to cover) ((?:the |our |your )?[a-zA-Z0-9][^.?!,;\n]{2,60})/i;
const REPLY = /^(?:\s{0,3}(?:re|fw|fwd|aw|wg)\s?(?:\[\d+\])?:)+/i;

/** The subject, or what kind of meeting the sentence speaks of and what about. */
export function meetingTitle(mail: ReadMail, span: Span): string {
  const subject = collapseSpace((mail.subject ?? "").replace(REPLY, ""));
  if (subject.length >= 3) return cut(subject);
  const around = mail.visible.slice(Math.max(0, span.start - 300), Math.min(mail.visible.length, span.end + 300));
  const sentence = textOf(mail, span).slice(0, 800);
  const noun = (MEETING_NOUN.exec(sentence) ?? MEETING_NOUN.exec(around))?.[0] ?? "meeting";
  const name = capital(collapseSpace(noun));
  const topic = TOPIC.exec(sentence) ?? TOPIC.exec(around);
  const about = topic?.[1] ? withoutTime(collapseSpace(topic[1])) : "";
  if (about.length >= 3) return cut(`${name}: ${about}`);
  const people = namesIn(mail);
  const who = people.length > 0 ? people.slice(0, 3).join(", ") : (mail.from?.name ?? "");
  return cut(who ? `${name} with ${who}` : name);
}

/** "the budget on Tuesday at 3" → "the budget" */
function withoutTime(topic: string): string {
  const words = topic.split(" ");
  const stop = words.findIndex((word, at) => {
    const plain = word.toLowerCase().replace(/[^a-z]/g, "");
    const isTime =
      WEEKDAYS.has(plain) ||
      (MONTHS.has(plain) && plain !== "may") ||
      /^\d/.test(word) ||
      /^(?:tomorrow|today|tonight|next|this|sometime)$/.test(plain);
    return at > 0 && isTime;
  });
  const kept = stop < 0 ? words : words.slice(0, stop);
  while (/^(?:on|at|in|for|by|next|this|the|from)$/i.test(kept.at(-1) ?? "")) kept.pop();
  return kept.join(" ");
}

function namesIn(mail: ReadMail): string[] {
  for (const span of mail.sentences.slice(0, 200)) {
    const found = WITH.exec(textOf(mail, span).slice(0, 500))?.[1];
    const names = found
      ?.split(/, and | and |, | & /)
      .filter((name) => !WEEKDAYS.has(name.toLowerCase()) && !MONTHS.has(name.toLowerCase()));
    if (names && names.length > 0) return names;
  }
  return [];
}

/** The sender, the addresses in the sender's own words, and the people named after "with". */
export function attendeesOf(mail: ReadMail): Person[] {
  const people: Person[] = [];
  const add = (person: Person) => {
    const isKnown = people.some((known) =>
      person.email !== null ? known.email === person.email : known.name === person.name,
    );
    if (!isKnown && people.length < MAX_ATTENDEES) people.push(person);
  };
  if (mail.from && (mail.from.name || mail.from.email)) add(mail.from);
  for (const span of mail.sentences.slice(0, 200)) {
    for (const [email] of textOf(mail, span).slice(0, 2000).matchAll(ADDRESSES))
      add({ name: null, email: email.toLowerCase() });
  }
  for (const name of namesIn(mail)) add({ name, email: null });
  return people;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function cut(text: string): string {
  return [...text].slice(0, MAX_TITLE).join("");
}
