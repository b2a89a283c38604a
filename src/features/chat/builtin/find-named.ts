import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listEmails } from "../../emails/list.ts";
import type { EmailSummary } from "../../emails/schemas.ts";
import { listTasks } from "../../tasks/list.ts";
import { eventView } from "../../tools/calendar.ts";
import { matchingEvents, matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, relatedWords, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { type NounPhrase, readNounPhrase } from "../language/follow-ups/noun-phrase.ts";
import { mayRead } from "./scopes.ts";

type Kind = ChatRecord["kind"];

interface Named {
  record: ChatRecord;
  names: string[];
  /** How much of the name it has. */
  share: number;
}

const WHOLE = 0.79;
const LOOKED_AT = 20;
/** Each word is looked for by itself. */
const MAX_WORDS = 5;

export interface Found {
  records: ChatRecord[];
  /** Each of them is named: "the gym and the bank". Otherwise only one of them can be meant. */
  isEach: boolean;
}

/** The records that the words name. `isWhole`: each of the words has to fit. */
export async function recordsNamed(
  turn: Turn,
  name: string,
  kinds: readonly Kind[],
  isWhole: boolean,
): Promise<Found | null> {
  const found = await oneName(turn, readNounPhrase(name), kinds, isWhole);
  // "both orders", "all the letters"
  const isAll = /^both\b/i.test(name) ? found.length === 2 : /^all\b/i.test(name);
  if (found.length > 0) return { records: found, isEach: found.length === 1 || isAll };
  const parts = name.split(/(?<!\s)\s*,\s*(?:and\s+)?|(?<!\s)\s+and\s+|(?<!\s)\s*&\s*/i).filter((part) => part !== "");
  if (parts.length < 2 || parts.length > 6) return null;
  const each: ChatRecord[] = [];
  for (const part of parts) {
    const [only, ...others] = await oneName(turn, readNounPhrase(part), kinds, isWhole);
    if (!only || others.length > 0) return null;
    each.push(only);
  }
  const isDistinct = new Set(each.map(({ kind, id }) => `${kind} ${id}`)).size === each.length;
  return isDistinct ? { records: each, isEach: true } : null;
}

async function oneName(
  turn: Turn,
  phrase: NounPhrase,
  kinds: readonly Kind[],
  isWhole: boolean,
): Promise<ChatRecord[]> {
  // "Mia's", where no email can be meant: what is called after her.
  if (phrase.isOwner && !kinds.includes("email"))
    return oneName(
      turn,
      { ...phrase, isOwner: false, kind: null, sender: "", words: `${phrase.sender} ${phrase.words}` },
      kinds,
      isWhole,
    );
  const { kind, words, sender } = phrase;
  const wanted = kind === null || !kinds.includes(kind) ? kinds : [kind];
  if (kind !== null && !kinds.includes(kind)) return [];
  if (sender === "" && tellingWords(words).length === 0) return [];
  const known = sender === "" ? inConversation(turn, words, wanted) : [];
  if (known.length === 1) return known;
  const found: Named[] = [];
  const add = (record: ChatRecord, names: string[]) =>
    found.push({ record, names, share: sender === "" ? shareOf(words, names) : 1 });
  if (sender === "") {
    if (wanted.includes("task") && mayRead(turn, "tasks:read")) {
      for (const { id, title } of await matchingTasks(turn, words)) add({ kind: "task", id, title }, [title]);
    }
    if (wanted.includes("event") && mayRead(turn, "calendar:read")) {
      for (const event of await matchingEvents(turn, { match: words })) {
        const { id, occurrence, title } = eventView(event);
        add({ kind: "event", id, ...(occurrence && { occurrence }), title }, [
          title,
          ...event.attendees.map((each) => each.name ?? each.email),
        ]);
      }
    }
  }
  if (wanted.includes("email") && mayRead(turn, "emails:read")) {
    for (const { id, subject, from } of await emailsNamed(turn, phrase)) {
      add({ kind: "email", id, title: subject }, [subject, from.name ?? "", from.email.split("@")[0] ?? ""]);
    }
  }
  const best = Math.max(0, ...found.map(({ share }) => share));
  if (best < (isWhole ? WHOLE : 0.6)) return [];
  const fitting = found.filter(({ share }) => share > best - 0.05).map(({ record }) => record);
  const [first] = fitting;
  if (phrase.isLatest && first) return [first];
  const current = turn.state.groups[0]?.[0]?.kind;
  const ofKind = fitting.filter((record) => record.kind === current);
  return fitting.length > 1 && ofKind.length > 0 ? ofKind : fitting;
}

function inConversation({ state }: Turn, words: string, kinds: readonly Kind[]): ChatRecord[] {
  const records = new Map<string, ChatRecord>();
  for (const record of state.groups.flat()) {
    if (kinds.includes(record.kind)) records.set(`${record.kind} ${record.id} ${record.occurrence}`, record);
  }
  return bestMatches(words, [...records.values()], ({ title }) => [title]).filter(
    ({ title }) => shareOf(words, [title]) >= WHOLE,
  );
}

/** In the inbox, or else anywhere. Who wrote it counts as its name, and what it says if nothing else has the words. */
export async function emailsNamed({ ctx }: Turn, { words, sender, isNewsletter }: NounPhrase): Promise<EmailSummary[]> {
  const telling = tellingWords(words);
  const from = sender === "" ? "" : `from:"${sender.replaceAll('"', "")}"`;
  const wide = telling.flatMap((word) => [word, ...relatedWords(word)]);
  const any = wide.length > 1 && from === "" ? [wide.join(" OR ")] : [];
  const searches =
    isNewsletter && telling.length === 0 ? ["category:newsletter", "newsletter"] : [telling.join(" "), ...any];
  for (const status of ["inbox", undefined] as const) {
    for (const search of searches) {
      const q = `${from} ${search}`.trim();
      if (q === "") continue;
      const { data } = await listEmails(ctx, { q, direction: "inbound", limit: LOOKED_AT, ...(status && { status }) });
      const named = bestMatches(words, data, ({ subject, from: by }) => [
        subject,
        by.name ?? "",
        by.email.split("@")[0] ?? "",
      ]);
      if (from !== "" || isNewsletter) {
        if (data.length > 0) return telling.length > 0 && named.length > 0 ? named : data;
      } else if (named.length > 0) return named;
      else if (data.length === 1 && search === telling.join(" ")) return data;
    }
  }
  return from === "" && telling.length > 0 ? amongNewest(ctx, words) : [];
}

/** The index has whole words; parts of names and misspelled ones are looked for among the newest. */
async function amongNewest(ctx: Turn["ctx"], words: string): Promise<EmailSummary[]> {
  const { data } = await listEmails(ctx, { direction: "inbound", limit: LOOKED_AT, status: "inbox" });
  return bestMatches(words, data, ({ subject, from }) => [subject, from.name ?? ""]);
}

/** The records of which a sentence has the words, those that share the most with it. */
export async function recordsMentioned(turn: Turn, sentence: string, kinds: readonly Kind[]): Promise<ChatRecord[]> {
  const words = tellingWords(sentence);
  if (words.length === 0) return [];
  const countIn = (title: string) => words.filter((word) => shareOf(word, [title]) >= WHOLE).length;
  const talkedAbout = turn.state.groups.flat().filter(({ kind }) => kinds.includes(kind));
  const most = Math.max(1, ...talkedAbout.map(({ title }) => countIn(title)));
  const known = new Map(
    talkedAbout
      .filter(({ title }) => countIn(title) === most)
      .map((record) => [`${record.kind} ${record.id} ${record.occurrence}`, record]),
  );
  if (known.size === 1) return [...known.values()];
  const found: Named[] = [];
  const q = words.flatMap((word) => [word, ...relatedWords(word)]).join(" OR ");
  const add = (record: ChatRecord, names: string[]) =>
    found.push({ record, names, share: words.filter((word) => shareOf(word, names) >= WHOLE).length });
  if (kinds.includes("task") && mayRead(turn, "tasks:read")) {
    // The index has whole words; other forms of a word are looked for among the tasks that are due next.
    for (const search of [{ q }, {}]) {
      const { data } = await listTasks(turn.ctx, {
        ...search,
        sort: "due",
        limit: 100,
        status: ["todo", "in_progress", "waiting"],
      });
      for (const { id, title } of data) add({ kind: "task", id, title }, [title]);
      if (found.some(({ share }) => share > 0)) break;
    }
  }
  if (kinds.includes("event") && mayRead(turn, "calendar:read")) {
    for (const word of words.slice(0, MAX_WORDS)) {
      for (const event of await matchingEvents(turn, { match: word })) {
        const { id, occurrence, title } = eventView(event);
        if (shareOf(word, [title]) >= WHOLE)
          add({ kind: "event", id, ...(occurrence && { occurrence }), title }, [title]);
      }
    }
  }
  if (kinds.includes("email") && mayRead(turn, "emails:read")) {
    const { data } = await listEmails(turn.ctx, { q, direction: "inbound", status: "inbox", limit: LOOKED_AT });
    for (const { id, subject, from } of data) add({ kind: "email", id, title: subject }, [subject, from.name ?? ""]);
  }
  const best = Math.max(1, ...found.map(({ share }) => share));
  const seen = new Set<string>();
  const fitting = found
    .filter(({ record }) => !seen.has(`${record.kind} ${record.id}`) && seen.add(`${record.kind} ${record.id}`))
    .filter(({ share }) => share === best)
    .map(({ record }) => record);
  return fitting.length === 1 ? fitting : [];
}
