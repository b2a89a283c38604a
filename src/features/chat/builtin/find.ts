import { requireScopes } from "../../../context.ts";
import type { ChatRecord } from "../../../db/schema/chat.ts";
import type { DataScope } from "../../../lib/api-key-scopes.ts";
import { AppError } from "../../../lib/errors.ts";
import { OPEN_STATUSES } from "../../../lib/task-kinds.ts";
import { DAY_MS } from "../../../lib/time-zone.ts";
import type { CalendarEvent } from "../../calendar/events/event.ts";
import { listEmails } from "../../emails/list.ts";
import type { EmailSummary } from "../../emails/schemas.ts";
import { listTasks } from "../../tasks/list.ts";
import { eventView } from "../../tools/calendar.ts";
import type { EmailView } from "../../tools/emails.ts";
import { matchingEvents, matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, relatedWords, searchWords, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Kind } from "../request/reference.ts";
import type { Span } from "../request/times.ts";
import { distinct, emailRecord, eventRecord, lookUp, type Scene, type Sight, taskRecord } from "./plan.ts";

/** So much of a name has to fit a record before anything is done with it. */
const WHOLE = 0.75;
const LOOKED_AT = 20;

/** Why whoever talks may not do what needs these scopes; null if they may. */
export function lacking({ ctx }: Pick<Sight, "ctx">, scopes: readonly DataScope[]): string | null {
  try {
    requireScopes(ctx, scopes);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** Whether whoever talks may read these records. What they may not read is not looked for. */
export const mayRead = (sight: Pick<Sight, "ctx">, scope: DataScope) => lacking(sight, [scope]) === null;

const READ_BY: Record<Kind, DataScope[]> = {
  task: ["tasks:read"],
  event: ["calendar:read"],
  email: ["emails:read"],
  draft: ["emails:read"],
  slot: [],
};

/** Why records of some of these kinds were not looked for; null if all were. */
export const unread = (sight: Sight, kinds: readonly Kind[]): string | null =>
  lacking(
    sight,
    kinds.flatMap((kind) => READ_BY[kind]),
  );

interface Search {
  words: string;
  kinds: readonly Kind[];
  /** Only events of this time. */
  span?: Span | null;
  /** Who wrote the email. */
  sender?: string;
  /** Also tasks that are done. */
  isDone?: boolean;
}

interface Found {
  record: ChatRecord;
  /** How much of the words its name has, from 0 to 1. */
  share: number;
}

/** The records that the words name best, of all kinds that may be meant. */
export async function recordsNamed(sight: Sight, search: Search): Promise<ChatRecord[]> {
  const { words, kinds, span, sender = "" } = search;
  if (tellingWords(words).length === 0 && sender === "" && !span) return [];
  const found: Found[] = [];
  const isNamed = tellingWords(words).length > 0;
  const add = (record: ChatRecord, names: string[]) =>
    found.push({ record, share: isNamed ? nearness(words, names) : 1 });
  if (kinds.includes("task") && isNamed && sender === "" && mayRead(sight, "tasks:read")) {
    const tasks = search.isDone ? await doneTasks(sight, words) : await matchingTasks(sight, words);
    for (const task of tasks) add(taskRecord(task), [task.title]);
  }
  if (kinds.includes("event") && sender === "" && mayRead(sight, "calendar:read")) {
    const range = span ? { from: span.start.toISOString(), until: span.end.toISOString() } : {};
    for (const event of await matchingEvents(sight, { ...(isNamed && { match: words }), ...range })) {
      add(eventRecord(eventView(event)), [event.title, ...guestsOf(event)]);
    }
  }
  if (kinds.includes("email") && (isNamed || sender) && mayRead(sight, "emails:read")) {
    for (const email of await emailsNamed(sight, words, sender))
      add(emailRecord(email), [...namesOf(email), ...(sender ? [words] : [])]);
  }
  const best = Math.max(0, ...found.map(({ share }) => share));
  const fitting = best < WHOLE ? [] : found.filter(({ share }) => share > best - 0.05);
  return fitting.map(({ record }) => record);
}

/** How much of the words a record has; a record whose whole name is among the words fits as well. */
function nearness(words: string, names: readonly string[]): number {
  const [title = ""] = names;
  const isWithin = tellingWords(title).length > 0 && shareOf(title, [words]) >= WITHIN;
  return Math.max(shareOf(words, names), isWithin ? WITHIN : 0);
}

const WITHIN = 0.9;

/** How much of a record's name a message has to say for it to be meant by that alone, and to be asked about. */
const SAID = 0.99;
const HALF_SAID = 0.5;
const NEAR_DAYS = 30;

interface SaidRecords {
  records: ChatRecord[];
  /** A part of the name is not said. */
  isGuess: boolean;
}

/**
 * The records whose names a message says, wherever in it they stand, whatever the reader took for a name. Of records
 * that are said in part only, the one that is said most.
 */
export async function recordsSaid(sight: Sight, text: string, kinds: readonly Kind[]): Promise<SaidRecords> {
  const words = searchWords(text);
  const found: (Found & { names: string[]; count: number })[] = [];
  const add = (record: ChatRecord, ...others: string[]) => {
    const names = [record.title, ...others];
    const shares = names.map((name) => ({ share: shareOf(name, [text]), of: tellingWords(name) }));
    const count = shares.reduce((sum, { share, of }) => sum + share * of.length, 0);
    found.push({ record, names, share: Math.max(...shares.map(({ share }) => share)), count });
  };
  if (words.length > 0 && kinds.includes("task") && mayRead(sight, "tasks:read")) {
    const { data } = await openTasksWith(sight, words);
    for (const task of data) add(taskRecord(task));
  }
  if (words.length > 0 && kinds.includes("event") && mayRead(sight, "calendar:read")) {
    const until = new Date(sight.ctx.now.getTime() + NEAR_DAYS * DAY_MS).toISOString();
    for (const event of await matchingEvents(sight, { until })) add(eventRecord(eventView(event)));
  }
  if (words.length > 0 && kinds.includes("email") && mayRead(sight, "emails:read")) {
    const { data } = await listEmails(sight.ctx, { q: words.join(" OR "), direction: "inbound", limit: LOOKED_AT });
    for (const email of data) add(emailRecord(email), email.from.name ?? "");
  }
  const whole = found.filter(({ share }) => share >= SAID);
  // "Call Ann about the lease" is said, too, where "Call Ann" is a name of its own.
  const longest = Math.max(0, ...whole.map(({ count }) => count));
  if (whole.length > 0) {
    const records = distinct(whole.filter(({ count }) => count > longest - 0.5).map(({ record }) => record));
    return { records, isGuess: false };
  }
  const weighed = found.map(({ record, names }) => {
    const shares = names.map((name) => weighedShare(name, text, found));
    const count = shares.reduce((sum, each) => sum + each.count, 0);
    return { record, count, share: Math.max(...shares.map(({ share }) => share)) };
  });
  const most = Math.max(0, ...weighed.map(({ count }) => count));
  const half = weighed.filter(({ share, count }) => share >= HALF_SAID && count > most - 0.05);
  return { records: distinct(half.map(({ record }) => record)), isGuess: true };
}

/** How much of a title is said, where a word that several titles have tells less. */
function weighedShare(title: string, text: string, among: readonly Found[]): { share: number; count: number } {
  const weightOf = (word: string) =>
    1 / Math.max(1, among.filter(({ record }) => shareOf(word, [record.title]) > WITHIN).length);
  const words = [...new Set(tellingWords(title))].map((word) => ({
    weight: weightOf(word),
    is: shareOf(word, [text]),
  }));
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  const count = words.reduce((sum, { weight, is }) => sum + weight * is, 0);
  return { share: whole === 0 ? 0 : count / whole, count };
}

/** Open tasks that have one of these words. */
export const openTasksWith = ({ ctx }: Pick<Sight, "ctx">, words: readonly string[]) =>
  listTasks(ctx, { q: words.join(" OR "), sort: "due", limit: 50, status: OPEN_STATUSES });

/** The people of an event, as they may be called. */
export const guestsOf = ({ attendees }: CalendarEvent): string[] =>
  attendees.flatMap(({ name, email }) => [name ?? "", email.split("@")[0] ?? ""]);

/** What an email is known by. */
const namesOf = ({ subject, from }: EmailSummary) => [subject, from.name ?? "", from.email.split("@")[0] ?? ""];

async function doneTasks({ ctx }: Sight, words: string) {
  const { data } = await listTasks(ctx, { status: ["done", "cancelled"], sort: "created", limit: 100 });
  return bestMatches(words, data, ({ title }) => [title]);
}

const LONGEST_SENDER = 60;

/** The part of a search that names who has written. */
export const writtenBy = (sender: string) =>
  sender === "" ? "" : `from:"${sender.replaceAll('"', "").slice(0, LONGEST_SENDER)}"`;

/** Emails by sender or words: in the inbox, or else anywhere. */
export async function emailsNamed({ ctx }: Sight, words: string, sender: string): Promise<EmailSummary[]> {
  const telling = searchWords(words);
  const from = writtenBy(sender);
  const wide = searchWords(telling.flatMap((word) => [word, ...relatedWords(word)]).join(" "));
  const searches = [...new Set([telling.join(" "), ...(from === "" && wide.length > 1 ? [wide.join(" OR ")] : [])])];
  for (const status of ["inbox", undefined] as const) {
    for (const search of searches) {
      const q = `${from} ${search}`.trim();
      if (q === "") continue;
      const { data } = await listEmails(ctx, { q, direction: "inbound", limit: LOOKED_AT, ...(status && { status }) });
      const named = telling.length > 0 ? bestMatches(words, data, namesOf) : data;
      if (named.length > 0) return named;
      // All of its words stand in the text of one email.
      if (data.length > 0 && (from !== "" || (data.length === 1 && search === telling.join(" ")))) return data;
    }
  }
  if (from !== "" || telling.length === 0) return [];
  // The index has whole words; parts of names and misspelled ones are looked for among the newest.
  const { data } = await listEmails(ctx, { direction: "inbound", limit: LOOKED_AT, status: "inbox" });
  return bestMatches(words, data, namesOf);
}

interface MailList {
  count: number;
  more: boolean;
  mails: EmailView[];
}

export const findMail = (scene: Scene, input: Record<string, unknown>) => lookUp<MailList>(scene, "find_mail", input);
