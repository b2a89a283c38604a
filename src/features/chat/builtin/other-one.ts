import type { ChatRecord } from "../../../db/schema/chat.ts";
import { listEmails } from "../../emails/list.ts";
import { listTasks } from "../../tasks/list.ts";
import { matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { mayRead } from "./scopes.ts";

/** "the other invoice" */
const OTHER = /\b(?:the|my|that) other (?<noun>\p{L}[\p{L}\d'-]*(?: \p{L}[\p{L}\d'-]*){0,2})/iu;
const KIND: readonly [RegExp, ChatRecord["kind"]][] = [
  [/^(?:tasks?|to-?dos?|reminders?)$/i, "task"],
  [/^(?:e-?mails?|mails?|messages?)$/i, "email"],
];
const NO_NOUN = /^(?:ones?|two|three|day|week|way|time|thing|things|half|side|person|people|list)\b/i;
const NEW = /^(?:and |please |also )*(?:add|buy|remind|schedule|book|create|draft)\b/i;

/** Of two things of a kind, the one that the conversation was not about last becomes "it". */
export async function withOtherOne(turn: Turn, message: string): Promise<string> {
  const found = NEW.test(message) ? null : OTHER.exec(message);
  const words = found?.groups?.noun?.split(" ") ?? [];
  const last = turn.state.groups[0]?.[0];
  if (last && OTHER_ONE.test(message)) return withSecondOfTwo(turn, message, last);
  if (!found || !last || NO_NOUN.test(words[0] ?? "")) return message;
  for (let count = words.length; count > 0; count -= 1) {
    const noun = words.slice(0, count).join(" ");
    const [only, ...more] = (await called(turn, noun, last)).filter(
      ({ kind, id }) => kind !== last.kind || id !== last.id,
    );
    if (!only || more.length > 0) continue;
    turn.state.groups.unshift([only]);
    const from = message.slice(0, found.index);
    return `${from}it${message.slice(found.index + found[0].length - words.slice(count).join(" ").length - (count < words.length ? 1 : 0))}`;
  }
  return message;
}

const OTHER_ONE =
  /^(?:(?:and|also|now|please)[\s,]+)*(?:\p{L}+ )?(?:the|that) other(?: one)?(?: too| as well| also| please)*[\s.!]*$/iu;

/** "the other one too", where there are only two: the one that was not talked about yet. */
async function withSecondOfTwo(turn: Turn, message: string, last: ChatRecord): Promise<string> {
  const known = new Set(turn.state.groups.flat().map(({ kind, id }) => `${kind} ${id}`));
  if ([...known].filter((each) => each.startsWith(last.kind)).length !== 1) return message;
  const [only, ...more] = (await allOf(turn, last.kind)).filter(({ id }) => id !== last.id);
  if (!only || more.length > 0) return message;
  turn.state.groups.unshift([only]);
  return message.replace(/\b(?:the|that) other(?: one)?\b/i, "it");
}

/** The records of that name or kind: of this conversation, or else of all. */
async function called(turn: Turn, noun: string, last: ChatRecord): Promise<ChatRecord[]> {
  const kind = KIND.find(([shape]) => shape.test(noun))?.[1];
  const known = new Map(turn.state.groups.flat().map((record) => [`${record.kind} ${record.id}`, record]));
  const talkedAbout = [...known.values()];
  if (kind) {
    const ofKind = talkedAbout.filter((record) => record.kind === kind);
    return ofKind.length > 1 ? ofKind : allOf(turn, kind);
  }
  if (tellingWords(noun).length === 0) return [];
  const named = bestMatches(noun, talkedAbout, ({ title }) => [title]);
  if (named.some(({ kind: each, id }) => each !== last.kind || id !== last.id)) return named;
  if (!mayRead(turn, "tasks:read")) return [];
  return (await matchingTasks(turn, noun)).map(({ id, title }) => ({ kind: "task", id, title }));
}

/** At most three of them: "the other one" is one of two. */
async function allOf(turn: Turn, kind: ChatRecord["kind"]): Promise<ChatRecord[]> {
  if (kind === "task" && mayRead(turn, "tasks:read")) {
    const open = ["todo", "in_progress", "waiting"] as const;
    const { data } = await listTasks(turn.ctx, { sort: "due", limit: 3, status: [...open] });
    return data.map(({ id, title }) => ({ kind, id, title }));
  }
  if (kind !== "email" || !mayRead(turn, "emails:read")) return [];
  const { data } = await listEmails(turn.ctx, { direction: "inbound", status: "inbox", limit: 3 });
  const emails: ChatRecord[] = data.map(({ id, subject }) => ({ kind, id, title: subject }));
  // The one that was talked about before the last task or event.
  const before = turn.state.groups.flat().find((record) => record.kind === "email");
  return before ? emails.filter(({ id }) => id !== before.id) : [];
}
