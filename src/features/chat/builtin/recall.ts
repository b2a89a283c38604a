import type { ChatRecord } from "../../../db/schema/chat.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { OPEN_STATUSES } from "../../../lib/task-kinds.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import { listEmails } from "../../emails/list.ts";
import { listTasks } from "../../tasks/list.ts";
import { eventView } from "../../tools/calendar.ts";
import { matchingEvents } from "../../tools/find-record.ts";
import { likeness, searchWords } from "../../tools/language/name-match.ts";
import type { Asked } from "../request/asked.ts";
import { wordsOf } from "../request/exact.ts";
import type { Kind } from "../request/reference.ts";
import type { Span } from "../request/times.ts";
import { guestsOf, mayRead } from "./find.ts";
import { emailRecord, eventRecord, isSame, type Sight, taskRecord } from "./plan.ts";

/*
 * The records that a question is about, of all kinds at once. A word tells the more, the fewer records have it: what
 * nobody would call a name may still be the one word that only one email has.
 */

interface Source {
  record: ChatRecord;
  /** The words of what it is called, and whom it is with or from. */
  names: string[];
  text: string;
  /** The search has found one of the words in it, perhaps beyond the part of its text that is known here. */
  isHit?: boolean;
  /** It is at the time of the question. */
  isThen?: boolean;
}

export interface Recalled extends Pick<Source, "record" | "names"> {
  score: number;
  /** How much of what the question says it has, from 0 to 1. */
  share: number;
  /** One of the words is in its name. */
  isNamed: boolean;
}

/** Of a longer email, only the beginning is known here. */
const LONG = 190;
const NEWEST = 20;
const LOOKED_AT = 50;
const AHEAD_DAYS = 60;
const EARLIER_MS = 12 * 3_600_000;

/** What a text has that is asked for. */
export const THINGS = {
  amount: /[€$£]\s?\d|\d\s?(?:€|euros?\b|eur\b|usd\b|gbp\b|dollars?\b|pounds?\b|percent\b|%)/i,
  number: /\d/,
  time: /\d{1,2}[:.h]\d\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\btoday\b|\btomorrow\b|\d{1,2}\.? \p{Lu}\p{Ll}+/iu,
};

const tokens = (...texts: readonly string[]) => [
  ...new Set(texts.flatMap((text) => wordsOf(text.replace(/'s\b/g, "")))),
];

async function emailSources({ ctx }: Sight, q: string): Promise<Source[]> {
  const newest = await listEmails(ctx, { direction: "inbound", status: "inbox", limit: NEWEST });
  const found = q ? await listEmails(ctx, { q, direction: "inbound", limit: NEWEST }) : { data: [] };
  const hits = new Set(found.data.map(({ id }) => id));
  return [...found.data, ...newest.data.filter(({ id }) => !hits.has(id))].map(({ id, subject, from, snippet }) => ({
    record: emailRecord({ id, subject }),
    names: tokens(subject, from.name ?? "", from.email.replace(/[@.]/g, " ")),
    text: THINGS.amount.test(snippet) ? `${snippet} money` : snippet,
    isHit: hits.has(id) && snippet.length >= LONG,
  }));
}

async function eventSources(sight: Sight, span: Span | null): Promise<Source[]> {
  const now = sight.ctx.now.getTime();
  const iso = (at: number) => new Date(at).toISOString();
  const events = await matchingEvents(sight, { from: iso(now - EARLIER_MS), until: iso(now + AHEAD_DAYS * DAY_MS) });
  return events.map((event) => {
    const [start, end] = [Date.parse(event.start), Date.parse(event.end)];
    return {
      record: eventRecord(eventView(event)),
      names: tokens(event.title, event.location ?? "", ...guestsOf(event)),
      text: event.description ?? "",
      isThen: span !== null && start < span.end.getTime() && end > span.start.getTime(),
    };
  });
}

async function taskSources({ ctx }: Sight, q: string): Promise<Source[]> {
  const query = { sort: "due", limit: LOOKED_AT, status: OPEN_STATUSES } as const;
  const found = q ? await listTasks(ctx, { ...query, q }) : { data: [] };
  const { data } = found.data.length > 0 ? found : await listTasks(ctx, query);
  return data.map((task) => ({ record: taskRecord(task), names: tokens(task.title), text: task.description }));
}

/** A word in the text of a record tells less than one in its name, and one of an earlier sentence less than one of the question. */
const IN_TEXT = 0.6;
const EARLIER = 0.6;
/** A word that no record has is perhaps none of a name, and a day is the day of many records. */
const LITTLE = 0.4;
/** How much likelier a record of the kind, the time or with the thing that is asked for is. */
const OF_KIND = 2;
const OF_TIME = 1.4;
const OF_THING = 1.3;
const TALKED_ABOUT = 1.3;
/** So alike two words have to be. */
const ALIKE = 0.8;

const KINDS: readonly Kind[] = ["email", "event", "task"];

/** The records that have the words of a question, the best first. */
async function recall(sight: Sight, asked: Asked, span: Span | null, kinds = KINDS): Promise<Recalled[]> {
  const words = [...new Set([...asked.words, ...asked.before])].slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const q = searchWords(words.join(" ")).join(" OR ");
  const may = (kind: Kind, scope: DataScope) => kinds.includes(kind) && mayRead(sight, scope);
  const sources = [
    ...(may("email", "emails:read") ? await emailSources(sight, q) : []),
    ...(may("event", "calendar:read") ? await eventSources(sight, span) : []),
    ...(may("task", "tasks:read") ? await taskSources(sight, q) : []),
  ];
  const then = wordsOf(span?.label ?? "");
  const marks = sources.map(({ names, text, isThen }) => {
    const others = tokens(text);
    const own = words.map((word) => ({ name: alike(word, names), text: alike(word, others) }));
    // That it is on that day says nothing by itself.
    const isKnown = isThen && own.some((mark) => mark.name + mark.text > 0);
    return own.map((mark, at) => (isKnown && then.includes(words[at] ?? "") ? { ...mark, text: 1 } : mark));
  });
  const isSeen = marks.map((each) => each.some(({ name, text }) => name + text > 0));
  const hits = sources.filter(({ isHit }, of) => isHit && !isSeen[of]).length;
  const weights = words.map((word, at) => {
    const seen = marks.filter((each) => (each[at]?.name ?? 0) + (each[at]?.text ?? 0) > 0).length;
    // What no name and no beginning has is in the rest of those that the search has found for no other word.
    if (seen === 0)
      for (const [of, each] of marks.entries())
        if (sources[of]?.isHit && !isSeen[of]) each[at] = { name: 0, text: ALIKE };
    const rarity = Math.log((sources.length + 1) / Math.max(1, seen || hits) + 0.2);
    return rarity * (asked.words.includes(word) ? 1 : EARLIER) * ((seen || hits) && !then.includes(word) ? 1 : LITTLE);
  });
  const whole = Math.max(
    0.01,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  const [latest = []] = sight.state.groups;
  const ranked = sources.map(({ record, names, text, isThen }, of): Recalled => {
    const each = marks[of] ?? [];
    const sum = (inText: number) =>
      each.reduce((total, mark, at) => total + Math.max(mark.name, mark.text * inText) * (weights[at] ?? 0), 0);
    const hasThing =
      asked.thing && ((asked.thing === "time" && record.kind !== "email") || THINGS[asked.thing].test(text));
    const factor =
      (asked.kind === record.kind ? OF_KIND : 1) *
      (isThen ? OF_TIME : 1) *
      (hasThing ? OF_THING : 1) *
      (latest.some((last) => isSame(last, record)) ? TALKED_ABOUT : 1);
    const isNamed = each.some(({ name }) => name > 0);
    return { record, names, score: sum(IN_TEXT) * factor, share: sum(1) / whole, isNamed };
  });
  return ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}

const MOST_WORDS = 20;

function alike(word: string, among: readonly string[]): number {
  const best = among.reduce((most, other) => Math.max(most, likeness(word, other)), 0);
  return best >= ALIKE ? best : 0;
}

const MOST = 3;
const NEAR = 0.8;
const BESIDE = 0.5;
/** So much of a question a record has to have, if none of its words is in the name of the record, or one is. */
const MOSTLY = 0.5;
const PARTLY = 0.3;

/**
 * The records that answer a question: those that fit it best, and beside an email the event or task that it is about, or
 * the other way round. Empty if none has enough of its words.
 */
function bestOf(ranked: readonly Recalled[], isNameNeeded = false): Recalled[] {
  const [best] = ranked;
  const least = best?.isNamed ? PARTLY : isNameNeeded ? 1 : MOSTLY;
  if (!best || best.share < least) return [];
  const top = ranked.filter(({ score }) => score >= NEAR * best.score).slice(0, MOST);
  const isMail = ({ record }: Recalled) => record.kind === "email";
  const beside = ranked.find((each) => isMail(each) !== isMail(best) && each.share >= BESIDE * best.share);
  return [...new Set([...top, ...(beside ? [beside] : [])])];
}

/**
 * The records that answer a question. If it asks for an email and only an event or a task has its words, also the emails
 * from the people and the place of that one.
 */
export async function answersTo(sight: Sight, asked: Asked, span: Span | null, isNameNeeded = false) {
  const found = bestOf(await recall(sight, asked, span), isNameNeeded);
  const [best] = found;
  // A task says when, and hardly anything else: who, how much and what for is in the email that it comes from.
  const isOfMail = asked.kind === "email" || (best?.record.kind === "task" && asked.thing !== "time");
  if (!best || !isOfMail || found.some(({ record }) => record.kind === "email")) return found;
  const named: Asked = { ...asked, words: best.names, before: [] };
  return [...bestOf(await recall(sight, named, null, ["email"])), ...found];
}
