import type { Language } from "../../src/lib/languages.ts";
import { wordSet } from "../../src/lib/words.ts";
import type { Reading } from "./mail-reading.ts";
import type { CodeLabel, LabelledEmail, MeetingLabel, Moment, TodoLabel } from "./mail-set.ts";

/** Compares what the product made of an email with its labels. The README of `test/data/mail` has the rules. */

/** How many there were, and how many of them were right. */
interface Share {
  right: number;
  of: number;
}

/** What was labelled and found, what was found by mistake, and what was missed. */
interface Found {
  hits: number;
  wrong: number;
  missed: number;
}

export interface EmailScore {
  email: LabelledEmail;
  /** What is wrong, in words; none if the email is all right. */
  errors: string[];
  kind: Share;
  direct: Share;
  urgency: Share;
  laterUrgency: Share;
  todos: Found;
  due: Share;
  othersTodos: Share;
  meetings: Found;
  meetingDetails: Share;
  /** Among emails with a due date, those in which none was taken for a meeting. */
  deadlines: Share;
  codes: Found;
  language: Share;
  /** Not part of the whole: a draft is written on request. */
  reply: Share;
}

/** Words that say nothing about what a title is about, in the four languages. */
const EMPTY = wordSet(
  "a an the to of for in on at by with from and or if is are be my your our his her their me you us it this that please could can would will whether " +
    "der die das den dem des ein eine einen einem einer und oder zu zum zur im in am an auf für fur mit von vom bei ob wegen ich mir mich mein meine meinen dein ihr ihre ihnen sie es bitte " +
    "le la les l un une des du de d et ou a au aux en sur pour par avec mon ma mes ton ta tes votre vos notre nos je me m te se s que si ce " +
    "el los las un una unos unas y o al del con por mi mis tu tus su sus lo se que " +
    "eur euro euros usd nok",
);
const STEM = 5;

/** The words that a title is about: without accents, endings, numbers and empty words. */
function contentWords(text: string): Set<string> {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain.match(/\p{L}[\p{L}\p{N}]*/gu) ?? [];
  return new Set(words.filter((word) => !EMPTY.has(word)).map((word) => word.slice(0, STEM)));
}

/** The share of the labelled words that the found title has, or 0 if the titles do not match. */
function overlap(labels: readonly string[], title: string): number {
  const found = contentWords(title);
  const shares = labels.map((label) => {
    const expected = contentWords(label);
    const shared = [...expected].filter((word) => found.has(word)).length;
    return shared >= expected.size / 2 && shared >= found.size / 5 ? shared / expected.size : 0;
  });
  return Math.max(0, ...shares);
}

const sharesWord = (labels: readonly string[], text: string) => {
  const found = contentWords(text);
  return labels.some((label) => [...contentWords(label)].some((word) => found.has(word)));
};

const isAt = (label: Moment, found: Moment) => found.startsWith(label);
const END_OF_DAY = " 23:59";

const matchesDue = ({ due }: TodoLabel, found: Moment | null) =>
  due.some((label) => (label === "none" || found === null ? label === "none" && found === null : isAt(label, found)));

const share = (isRight: boolean): Share => ({ right: isRight ? 1 : 0, of: 1 });
const NOTHING: Share = { right: 0, of: 0 };

const GROUPS: Record<string, string> = {
  person: "direct",
  newsletter: "bulk",
  spam_like: "bulk",
  invitation: "direct",
};
const groupOf = (kind: string) => GROUPS[kind] ?? "automatic";

export function scoreEmail(email: LabelledEmail, reading: Reading): EmailScore {
  const errors: string[] = [];
  const check = (what: string, isRight: boolean, expected: string, found: string) => {
    if (!isRight) errors.push(`${what}: expected ${expected}, found ${found}`);
    return share(isRight);
  };
  const { kind, language } = reading;
  const levels = email.urgency.map(({ from, levels: accepted }, at) => {
    const found = reading.urgencyAt(at === 0 ? from : `${from} 09:00`);
    return check(at === 0 ? "urgency" : `urgency on ${from}`, accepted.includes(found), accepted.join(" or "), found);
  });
  const todos = scoreTodos(email, reading, errors);
  const meetings = scoreMeetings(email, reading, errors);
  const groups = email.kinds.map(groupOf);
  return {
    email,
    errors,
    kind: check("kind", email.kinds.includes(kind), email.kinds.join(" or "), kind),
    direct: share(groups.includes(groupOf(kind))),
    urgency: levels[0] ?? NOTHING,
    laterUrgency: sum(levels.slice(1)),
    ...todos,
    ...meetings,
    codes: scoreCodes(email, reading, errors),
    language: check("language", language === email.language, email.language, `${language}`),
    reply: email.kinds.includes("person") ? share(isRightReply(email, reading)) : NOTHING,
  };
}

export const sum = (shares: readonly Share[]): Share => ({
  right: shares.reduce((total, { right }) => total + right, 0),
  of: shares.reduce((total, { of }) => total + of, 0),
});

function scoreTodos({ todos }: LabelledEmail, reading: Reading, errors: string[]) {
  const pairs = todos
    .flatMap((label) => reading.todos.map((found) => ({ label, found, fit: overlap(label.titles, found.title) })))
    .filter(({ fit }) => fit > 0)
    // The best fit first; of equal ones, what has the right date.
    .sort(
      (a, b) => b.fit - a.fit || Number(matchesDue(b.label, b.found.due)) - Number(matchesDue(a.label, a.found.due)),
    );
  const matched = new Map<TodoLabel, Reading["todos"][number]>();
  const taken = new Set<Reading["todos"][number]>();
  for (const { label, found } of pairs) {
    if (matched.has(label) || taken.has(found)) continue;
    matched.set(label, found);
    taken.add(found);
  }
  const mine = todos.filter(({ owner, isOptional }) => owner === null && !isOptional);
  const hits = mine.flatMap((label) => {
    const found = matched.get(label);
    if (!found) errors.push(`missed: ${label.titles[0]}`);
    return found ? [{ label, found }] : [];
  });
  // A request to meet and a promise of the sender are in the analysis, but become no task.
  const extra = reading.todos.filter((found) => !taken.has(found) && found.isMine && found.isTask);
  for (const { title } of extra) errors.push(`not asked for: ${title}`);
  const due = hits.map(({ label, found }) => {
    const isRight = matchesDue(label, found.due);
    const shown = found.due?.replace(END_OF_DAY, "") ?? "none";
    if (!isRight) errors.push(`due of “${label.titles[0]}”: expected ${label.due.join(" or ")}, found ${shown}`);
    return share(isRight);
  });
  const others = todos
    .filter(({ owner }) => owner !== null)
    .map((label) => {
      const found = matched.get(label);
      const isMine = found?.isMine && found.isTask;
      if (isMine) errors.push(`“${label.titles[0]}” is for ${label.owner}`);
      return share(!isMine);
    });
  return {
    todos: { hits: hits.length, wrong: extra.length, missed: mine.length - hits.length },
    due: sum(due),
    othersTodos: sum(others),
  };
}

function scoreMeetings({ meetings: labels, todos }: LabelledEmail, reading: Reading, errors: string[]) {
  const matches = ({ starts }: MeetingLabel, start: Moment) => starts.some((label) => isAt(label, start));
  const firm = labels.filter(({ isOptional }) => !isOptional);
  const details = firm.flatMap((label) => {
    const found = reading.meetings.filter(({ start }) => matches(label, start));
    if (found.length === 0) errors.push(`missed meeting: ${label.titles[0]} at ${label.starts.join(" or ")}`);
    return found.length === 0 ? [] : [Math.max(...found.map((each) => detailsOf(label, each)))];
  });
  const wrong = reading.meetings.filter(({ start }) => !labels.some((label) => matches(label, start)));
  for (const { title, start } of wrong) errors.push(`no meeting: ${title} at ${start}`);
  for (const [at, right] of details.entries())
    if (right < 1) errors.push(`title, end or place of a meeting (${at + 1}): ${shownMeetings(reading)}`);
  const dues = todos.flatMap(({ due }) => due.filter((each) => each !== "none").map((each) => each.slice(0, 10)));
  const isTaken = wrong.some(({ start }) => dues.includes(start.slice(0, 10)));
  return {
    meetings: { hits: details.length, wrong: wrong.length, missed: firm.length - details.length },
    meetingDetails: { right: details.filter((right) => right === 1).length, of: details.length },
    deadlines: dues.length > 0 ? share(!isTaken) : NOTHING,
  };
}

const shownMeetings = ({ meetings }: Reading) =>
  meetings.map(({ title, start, end, place }) => `“${title}” ${start} to ${end}, ${place || "no place"}`).join("; ");

/** 1 if title, end and place of the meeting are right, as far as they are labelled. */
function detailsOf({ titles, end, minutes, places }: MeetingLabel, found: Reading["meetings"][number]): number {
  const length = (Date.parse(`${found.end}Z`) - Date.parse(`${found.start}Z`)) / 60_000;
  const hasEnd = end ? isAt(end, found.end) || end.length === 10 : minutes === null || minutes === length;
  const hasPlace = places.length === 0 || sharesWord(places, found.place);
  return hasEnd && hasPlace && sharesWord(titles, found.title) ? 1 : 0;
}

function scoreCodes({ codes }: LabelledEmail, reading: Reading, errors: string[]): Found {
  const hits = codes.filter((label) =>
    reading.codes.some((found) => isSameCode(found, label) && (found.minutes ?? validFor(label)) === validFor(label)),
  ).length;
  const wrong = reading.codes.filter((found) => !codes.some((label) => isSameCode(found, label))).length;
  if (hits < codes.length) errors.push(`missed code: ${codes.map(({ value }) => value).join(", ")}`);
  if (wrong > 0) errors.push(`no code: ${reading.codes.map(({ value }) => value ?? "a link").join(", ")}`);
  return { hits, wrong, missed: codes.length - hits };
}

/** What the API promises for a code or link whose email does not say how long it is valid. A password has no end. */
const validFor = ({ minutes, isLink }: CodeLabel) => minutes ?? (isLink ? 60 : 15);

/** Codes are often written in groups. */
const isSameCode = ({ value }: Reading["codes"][number], label: CodeLabel) =>
  label.isLink ? value === null : value?.replace(/[\s-]/g, "") === label.value.replace(/[\s-]/g, "");

/** What the reader tells the engine to answer, in the language of the email. */
const INSTRUCTIONS: Record<Language, readonly string[]> = {
  en: [
    "Yes, I will come and bring bread.",
    "I can't do it this week, but next week is fine.",
    "Thanks, I will take care of it before Friday.",
  ],
  de: [
    "Ja, ich komme gern und bringe Brot mit.",
    "Diese Woche schaffe ich es leider nicht, aber nächste Woche gern.",
    "Danke, ich kümmere mich bis Freitag darum.",
  ],
  fr: [
    "Oui, je viens avec plaisir et j'apporte du pain.",
    "Je ne peux pas cette semaine, mais la semaine prochaine oui.",
    "Merci, je m'en occupe avant vendredi.",
  ],
  es: [
    "Sí, iré con gusto y llevaré pan.",
    "Esta semana no puedo, pero la semana próxima sí.",
    "Gracias, me encargo de eso antes del viernes.",
  ],
};

/** The draft is in the language of the email and has two thirds of the words of the instruction. */
function isRightReply({ id, language }: LabelledEmail, reading: Reading): boolean {
  const choices = INSTRUCTIONS[language];
  const instruction = choices[Number(id.slice(-2)) % choices.length] ?? "";
  const { text, language: written } = reading.reply(instruction);
  const expected = [...contentWords(instruction)];
  const found = contentWords(text);
  return written === language && expected.filter((word) => found.has(word)).length >= (2 / 3) * expected.length;
}
