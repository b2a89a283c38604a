import type { ChatRecord } from "../../../db/schema/chat.ts";
import type { Turn } from "../../tools/turn.ts";
import { type Reference, referred } from "../language/follow-ups/reference.ts";

type Kind = ChatRecord["kind"];

/** The records that words like "it" or "the second one" mean; `options` if they may mean one of several. */
type Meant = { records: ChatRecord[] } | { options: ChatRecord[] } | null;

const isSame = (a: ChatRecord, b: ChatRecord) =>
  a.kind === b.kind && a.id === b.id && a.occurrence === b.occurrence && a.start === b.start;

/** What the conversation is about, the newest first, with what this message has done so far. */
function groupsOf({ state, written, shown }: Turn): ChatRecord[][] {
  const now = written.length > 0 ? [...written] : [...shown];
  return now.length > 0 ? [now, ...state.groups] : state.groups;
}

export function meant(turn: Turn, reference: Reference, kinds: readonly Kind[]): Meant {
  const { which, kind } = reference;
  const called = which === "one" ? calledSo(turn, reference, kinds) : null;
  if (called) return { records: [called] };
  const wanted = kind === null ? kinds : kinds.filter((each) => each === kind);
  const groups = groupsOf(turn).map((group) => distinct(group.filter((each) => wanted.includes(each.kind))));
  const filled = groups.filter((group) => group.length > 0);
  if (which === "other") return other(filled);
  if (which === "rest") {
    const rest = other(filled);
    return rest && "options" in rest ? { records: rest.options } : rest;
  }
  if (which === "one" || which === "all") {
    const [first] = filled;
    if (!first) return null;
    const list = which === "all" && first.length === 1 ? listWith(first[0], filled) : undefined;
    const records = list ?? referred(which, first);
    return records ? { records } : { options: first };
  }
  // "The second one" and "both" mean a list, also after one of it was changed.
  const list =
    filled.find((group) => group.length > 1 && referred(which, group)) ?? (isFirst(which) ? filled[0] : undefined);
  const records = list && referred(which, list);
  return records ? { records } : lastFew(which, filled);
}

/** "Stretch the call": of what was talked about, the only record that is called so, if the latest is not. */
function calledSo(turn: Turn, { noun }: Reference, kinds: readonly Kind[]): ChatRecord | null {
  if (!noun) return null;
  const known = distinct(groupsOf(turn).flat()).filter((each) => kinds.includes(each.kind));
  const called = known.filter(({ title }) => new RegExp(`\\b${noun}\\b`, "i").test(title));
  const [only] = called;
  return only && called.length === 1 ? only : null;
}

/** "All of them", after one of a list was changed: the list. */
function listWith(record: ChatRecord | undefined, groups: readonly ChatRecord[][]): ChatRecord[] | undefined {
  return groups.find((group) => group.length > 1 && group.some((each) => record && isSame(each, record)));
}

/** "Both" and "all three" may have been talked about one after the other. */
function lastFew(which: Reference["which"], groups: readonly ChatRecord[][]): Meant {
  if (typeof which === "object" && "at" in which && which.at > 0) {
    const inOrder = distinct(groups.filter((group) => group.length === 1).flat()).reverse();
    const record = inOrder[which.at];
    return record ? { records: [record] } : null;
  }
  const count = which === "both" ? 2 : typeof which === "object" && "every" in which ? which.every : 0;
  const singles = distinct(groups.filter((group) => group.length === 1).flat()).slice(0, count);
  return count > 0 && singles.length === count ? { records: singles.reverse() } : null;
}

const isFirst = (which: Reference["which"]) =>
  typeof which === "object" && "at" in which && (which.at === 0 || which.at === -1);

function distinct(records: readonly ChatRecord[]): ChatRecord[] {
  return records.filter((record, at) => records.findIndex((each) => isSame(each, record)) === at);
}

/** Of a list, what nobody has talked about since. */
function other(groups: readonly ChatRecord[][]): Meant {
  const at = groups.findIndex((group) => group.length > 1);
  const list = groups[at];
  if (!list) return null;
  const since = groups.slice(0, at).flat();
  const rest = list.filter((record) => !since.some((each) => isSame(each, record)));
  if (rest.length === 0 || rest.length === list.length) return rest.length === 0 ? null : { options: rest };
  return rest.length === 1 ? { records: rest } : { options: rest };
}

/** Whether another kind of record was changed since: "it's at the clinic", after tasks, may not mean an earlier event. */
export function isLeftBehind(turn: Turn, { kind }: Reference, kinds: readonly Kind[]): boolean {
  const [latest = []] = groupsOf(turn);
  const isFresh = turn.written.length > 0 || turn.state.isWritten || turn.state.isUndone;
  return kind === null && isFresh && latest.every((each) => !kinds.includes(each.kind));
}

/** The latest record of one of these kinds, if the last reply wrote it. */
export function justWritten(turn: Turn, kinds: readonly Kind[]): ChatRecord[] {
  const isFresh = turn.written.length > 0 || turn.state.isWritten;
  const [latest = []] = groupsOf(turn);
  return isFresh ? distinct(latest.filter(({ kind }) => kinds.includes(kind))) : [];
}

const WHOLE =
  /\b(?:whole|entire|full) (?:lot|series|thing|run|set)\b|\b(?:the|this|that) series\b|\b(?:every|each)(?: single)? (?:one|occurrence|time|week)\b|\ball (?:of )?(?:them|those|these|occurrences|future)\b|\bthem all\b|\b(?:for good|from now on|permanently)\b/i;

/** "They moved the whole lot": a series, and not the one date of it that was shown last. */
export function asWhole(message: string, records: readonly ChatRecord[]): ChatRecord[] {
  const [only, ...others] = records;
  if (!only?.occurrence || others.length > 0 || !WHOLE.test(message)) return [...records];
  const { occurrence: _, ...series } = only;
  return [series];
}

export const refOf = ({ id, occurrence }: ChatRecord) => ({ id, ...(occurrence && { occurrence }) });
