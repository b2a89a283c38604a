import type { ChatRecord } from "../../../db/schema/chat.ts";
import { matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandByRule, errandOf } from "../language/errands/errand.ts";
import { type LooseChange, readLooseChange } from "../language/follow-ups/loose-change.ts";
import { amendRecords, eventNamed, kindsFor } from "./amend.ts";
import { asWhole, justWritten, meant } from "./references.ts";
import type { Reply } from "./reply-text.ts";

/**
 * A change whose words stand in any order: "could we do the dentist at 4 instead", "I'd rather have it on Monday". It is
 * read after all that is worded more clearly. Null if it may be about something new.
 */
export async function amendLoosely(turn: Turn, message: string, isUnnamed = false): Promise<Reply | null> {
  const change = readLooseChange(message, turn.clock);
  if (!change || (isUnnamed && (change.name !== "" || !change.isChange))) return null;
  // "Put a day off on the 27th" adds something.
  if (errandByRule(message) === "add_vacation") return null;
  // "Push my dentist appointment by 30 minutes" is worded clearly.
  if (change.name !== "" && errandOf(message) === "move_event") return null;
  if (!change.isChange && PAST.test(message)) return null;
  const record = change.name === "" ? lastOne(turn, change) : await namedOne(turn, change);
  if (!record || !kindsFor(change.amendment).includes(record.kind)) return null;
  const records = asWhole(message, [record]);
  return amendRecords(turn, change.amendment, records, change.isAsked);
}

/** "we had lunch at 1" tells what was. */
const PAST = /\b(?:had|was|were|went|did|ate|met|saw|ago|yesterday|last (?:week|month|year|night|time))\b/i;

/** What was just written, or the one thing that was just shown if the message says that something changes. */
function lastOne(turn: Turn, { amendment, isChange }: LooseChange): ChatRecord | undefined {
  const kinds = kindsFor(amendment);
  const written = justWritten(turn, kinds);
  if (written.length > 0 || !isChange) return written.length === 1 ? written[0] : undefined;
  const found = meant(turn, { which: "one", kind: null }, kinds);
  return found && "records" in found ? found.records[0] : undefined;
}

/** "max's at 4", of an event that this conversation is about and no day is named for. */
function toldOne(turn: Turn, { name, amendment }: LooseChange): ChatRecord | null {
  if (amendment.kind !== "time" || !amendment.isTime || tellingWords(name).length === 0) return null;
  const known = turn.state.groups.flat().filter(({ kind, title }) => kind === "event" && shareOf(name, [title]) > 0.9);
  const ids = new Map(bestMatches(name, known, ({ title }) => [title]).map((each) => [each.id, each]));
  const [only, ...others] = ids.values();
  return only && others.length === 0 ? only : null;
}

async function namedOne(turn: Turn, change: LooseChange): Promise<ChatRecord | null> {
  const { name, amendment, isChange } = change;
  if (!isChange) return toldOne(turn, change);
  if (tellingWords(name).length === 0) return null;
  const known = turn.state.groups.flat().filter(({ kind }) => kindsFor(amendment).includes(kind));
  const ids = new Map(
    bestMatches(name, known, ({ title }) => [title]).map((each) => [`${each.kind} ${each.id}`, each]),
  );
  const [only, ...others] = ids.values();
  if (only) return others.length === 0 ? only : null;
  const event = await eventNamed(turn, name);
  if (event || !kindsFor(amendment).includes("task")) return event;
  const [task, ...more] = await matchingTasks(turn, name);
  return task && more.length === 0 ? { kind: "task", id: task.id, title: task.title } : null;
}
