import type { ChatOption, ChatRecord } from "../../../db/schema/chat.ts";
import { datesIn, isMoment } from "../../../engine/notes/message-time.ts";
import { eventView, type WrittenView } from "../../tools/calendar.ts";
import { matchingEvents } from "../../tools/find-record.ts";
import { bestMatches, isOnlyGuest, shareOf, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { type Amendment, readAmendment } from "../language/follow-ups/amendment.ts";
import { isQuestion } from "../language/follow-ups/denial.ts";
import { REF, readReference } from "../language/follow-ups/reference.ts";
import { plainRequest } from "../language/wording/paraphrase.ts";
import { type Call, callFor } from "./amendment-call.ts";
import { emailDeed } from "./email-deeds.ts";
import { runEventTool, uninvited, withConflicts } from "./events.ts";
import { asWhole, isLeftBehind, justWritten, meant } from "./references.ts";
import { askWhich, eventLine, type Reply, replyFor, shorten, unchanged } from "./reply-text.ts";
import { runTaskTool } from "./tasks.ts";

/** "make it 4pm", "no, Tuesday", "and invite Bob", "the second one is due Friday"; null if it is about something else. */
export async function amend(turn: Turn, message: string): Promise<Reply | null> {
  const other =
    (await renameMeant(turn, message)) ?? (await renameNamed(turn, message)) ?? (await snoozeAnew(turn, message));
  if (other) return other;
  const fresh = justWritten(turn, ["task", "event"]);
  const amended = readAmendment(message, turn.clock, fresh.length > 0);
  if (!amended)
    return (await amendEach(turn, message)) ?? (await amendFirst(turn, message)) ?? amendNamed(turn, message);
  const { amendment, ref, isAsked } = amended;
  const kinds = kindsFor(amendment);
  const found =
    ref === null
      ? (among(fresh.filter(({ kind }) => kinds.includes(kind))) ?? onlyShown(turn, kinds))
      : meant(turn, readReference(ref), kinds);
  if (!found) return null;
  if (amendment.kind === "doubt") return { text: unchanged(amendment.doubt) };
  if ("options" in found) return askAmong(turn, amendment, found.options);
  const isOlder = ref !== null && isLeftBehind(turn, readReference(ref), kinds);
  return amendRecords(turn, amendment, asWhole(message, found.records), isAsked || isOlder);
}

/** "put it at 7, dinner's at 6": what follows says why. */
async function amendFirst(turn: Turn, message: string): Promise<Reply | null> {
  const [, wish, reason = ""] =
    /^([^,;–]{0,200}\b(?:it|that|this|them)\b[^,;–]{0,200})[,;–] {0,9}(.+)$/i.exec(message) ?? [];
  const isReason = wish && !/\b(?:it|that|this|them|please|remind|add|cancel|move|and|not)\b|\?/i.test(reason);
  return isReason && readAmendment(wish, turn.clock, true) ? amend(turn, wish) : null;
}

const KEEPS = /^(?:keep|leave)\b/i;

/** "keep Friday, but it's not that important": several changes of one thing, each of which is understood. */
async function amendEach(turn: Turn, message: string): Promise<Reply | null> {
  const parts = message
    .split(/,? (?:and|but) |[,;] | (?=with \w+ prio)|(?<=^(?:daily|weekly|monthly|every \w+)) (?=at \d)/i)
    .map(plainRequest)
    .filter((part) => !/^(?:please|pls|thanks|thank you)?$/i.test(part));
  const wishes = parts.filter((part) => !KEEPS.test(part));
  if (parts.length < 2 || parts.length > 4 || wishes.length === 0 || isQuestion(message)) return null;
  const readings = wishes.map((part) => readAmendment(part, turn.clock, true));
  const isAbout =
    wishes.some((part) => /\b(?:it|its|it's|that|this|them)\b/i.test(part)) ||
    justWritten(turn, ["task", "event"]).length > 0;
  if (!isAbout || !readings.every((reading) => reading && DIFFERENT.has(reading.amendment.kind))) return null;
  const replies: Reply[] = [];
  for (const reading of readings) {
    const amendment = reading?.amendment;
    const found = amendment && meant(turn, readReference("it"), kindsFor(amendment));
    if (!amendment || !found || !("records" in found)) return replies.at(-1) ?? null;
    const reply = await amendRecords(turn, amendment, found.records, false);
    if (!reply) return replies.at(-1) ?? null;
    replies.push(reply);
  }
  return replies.at(-1) ?? null;
}

/** Makes the change, or asks first whether it is meant. */
export async function amendRecords(
  turn: Turn,
  amendment: Amendment,
  records: readonly ChatRecord[],
  asksFirst: boolean,
  isEach = true,
): Promise<Reply | null> {
  if (!isEach) return askAmong(turn, amendment, records);
  if (asksFirst) return askToChange(turn, amendment, records);
  const replies: Reply[] = [];
  for (const record of records) {
    const call = await callFor(turn, record, amendment);
    if (!call) return null;
    replies.push(await runChange(turn, call));
  }
  return { ...replies.at(-1), text: replies.map(({ text }) => text).join("\n") };
}

/** Words after which a request names an event: "extend the workshop by an hour", "the gym should be an hour". */
const NAMED =
  /(?<=^|\s)(?:the|my) (?=\p{L})|(?<=\b(?:location|place|venue|room) (?:for|of|on) )(?!the |my |it\b|that\b|this\b)(?=\p{L})/giu;
const BY_NAME: ReadonlySet<Amendment["kind"]> = new Set<Amendment["kind"]>([
  ...(["length", "longer", "times", "until", "invite", "uninvite", "place", "repeat"] as const),
]);
const LONGEST_NAME = 5;
const WHOLE_NAME = 0.79;
const DIFFERENT: ReadonlySet<Amendment["kind"]> = new Set<Amendment["kind"]>([
  ...(["time", "shift", "priority", "undated", "length", "longer", "repeat", "place", "title"] as const),
]);

/** The same change of an event that the message names. */
async function amendNamed(turn: Turn, message: string): Promise<Reply | null> {
  if (isQuestion(message)) return null;
  const text = message.replace(/(?<![\s.!?])[\s.!?]+$/, "");
  const starts = [...text.matchAll(NAMED)].map(({ index, 0: article }) => ({ index, article }));
  // "long day finishes at 13:30 now"
  const isSentence =
    /^\p{L}[\p{L}\d' -]{2,40}? (?:ends|finishes|starts|begins|lasts|takes|runs|should|is (?:now|at|in|on|over)|will be (?:at|in|on)|'ll be (?:at|in|on))\b/iu.test(
      text,
    );
  if (isSentence) starts.push({ index: 0, article: "" });
  for (const { index, article } of starts) {
    const words = text.slice(index + article.length).split(" ");
    for (let count = Math.min(LONGEST_NAME, words.length); count > 0; count -= 1) {
      const name = words.slice(0, count).join(" ");
      const rest = words.slice(count).join(" ");
      const about = `${text.slice(0, index)}it ${rest}`.trim();
      const amendment = tellingWords(name).length > 0 ? readAmendment(about, turn.clock, true)?.amendment : undefined;
      if (!amendment) continue;
      // "The early run at 6" is another time, and not until when "early" runs.
      if (!BY_NAME.has(amendment.kind)) break;
      const record = await eventNamed(turn, name);
      if (record && shareOf(name, [record.title]) < WHOLE_NAME) continue;
      // "Mum is at the clinic" does not say where "Lunch with Mum" is.
      if (!record || (amendment.kind === "place" && isOnlyGuest(name, record.title))) continue;
      const call = await callFor(turn, record, amendment);
      if (call) return runChange(turn, call);
    }
  }
  return null;
}

/** The only event of that name: first of those that the conversation is about, then of all. */
export async function eventNamed(turn: Turn, name: string): Promise<ChatRecord | null> {
  const known = turn.state.groups.flat().filter(({ kind }) => kind === "event");
  const [record, ...more] = bestMatches(name, known, ({ title }) => [title]);
  if (record && more.every(({ id, occurrence }) => id === record.id && occurrence === record.occurrence)) return record;
  const [only, ...others] = await matchingEvents(turn, { match: name });
  if (!only || others.length > 0) return null;
  const { id, occurrence, title, outside } = eventView(only);
  turn.hasReadUntrusted ||= outside;
  return { kind: "event", id, ...(occurrence && { occurrence }), title };
}

/** "a day earlier", after a question about one thing. */
function onlyShown(turn: Turn, kinds: readonly ChatRecord["kind"][]) {
  const [latest = []] = turn.state.groups;
  const [record] = latest;
  return latest.length === 1 && record && kinds.includes(record.kind) ? { records: [record] } : null;
}

const RENAMES =
  /^(?:please )?(?:rename|retitle) (?:the |my )?(?!it\b|that\b|this\b)(?<name>.{2,80}?) (?:to|as|into) (?<title>.{1,200})$/i;

const RENAMES_REF = new RegExp(
  `^(?:please |and |now )*(?:rename|retitle|call|name) ${REF} (?:to |as |into )?(?<title>.{1,200})$`,
  "i",
);
const tidyName = (title: string) =>
  title
    .replace(/(?<![\s,])[\s,]+(?:instead|rather|please|then)$/i, "")
    .replace(/^["“'](.+)["”']$/, "$1")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());

/** "rename the other to lunch": one of those that the conversation is about. */
function renameMeant(turn: Turn, message: string): Promise<Reply | null> | null {
  const { ref, title } = RENAMES_REF.exec(message.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups ?? {};
  const found = ref && title && !/^off\b/i.test(title) ? meant(turn, readReference(ref), ["task", "event"]) : null;
  if (!found || !title || !("records" in found) || found.records.length !== 1) return null;
  return amendRecords(turn, { kind: "title", title: tidyName(title) }, asWhole(message, found.records), false);
}

/** "rename the design review to design check": an event, or else a task of that name. */
async function renameNamed(turn: Turn, message: string): Promise<Reply | null> {
  const { name, title = "" } = RENAMES.exec(message.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups ?? {};
  if (!name || tellingWords(name).length === 0) return null;
  const input = { match: name, title: tidyName(title) };
  const isEvent = (await matchingEvents(turn, { match: name })).length > 0;
  return runChange(turn, { tool: isEvent ? "update_event" : "update_task", input });
}

/** "actually till Thursday at 8", after an email was snoozed. */
async function snoozeAnew(turn: Turn, message: string): Promise<Reply | null> {
  const { act, isWritten, groups } = turn.state;
  const record = groups[0]?.[0];
  if (!isWritten || act?.tool !== "update_mail" || !("snoozedUntil" in act.input) || record?.kind !== "email")
    return null;
  const amended = readAmendment(message, turn.clock, true);
  if (!amended || !["time", "until"].includes(amended.amendment.kind)) return null;
  const until = datesIn(message, turn.clock)
    .filter(isMoment)
    .map(({ text }) => text)
    .join(" ");
  return emailDeed(turn, { kind: "snooze", until }, record);
}

function among(records: ChatRecord[]) {
  if (records.length === 0) return null;
  return records.length === 1 ? { records } : { options: records };
}

export function kindsFor({ kind }: Amendment): readonly ChatRecord["kind"][] {
  if (kind === "priority" || kind === "undated" || kind === "list") return ["task"];
  const isEither = ["time", "until", "title", "shift", "doubt", "repeat", "length", "longer"].includes(kind);
  return isEither ? ["task", "event"] : ["event"];
}

export async function runChange(turn: Turn, { tool, input }: Call): Promise<Reply> {
  if (tool.endsWith("_task")) return runTaskTool(turn, tool, input);
  return tool === "update_event" ? updateEvent(turn, input) : runEventTool(turn, tool, input);
}

async function updateEvent(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  const outcome = await turn.call("update_event", input);
  const [name] = [input.addAttendees].flat();
  // Who is not known by an email has to be named by an address.
  if (outcome.status === "refused" && outcome.code === "not_found" && typeof name === "string" && !name.includes("@")) {
    const { addAttendees: _, ...rest } = input;
    const question = { kind: "address", tool: "update_event", input: rest, name } as const;
    return { text: `I do not know the address of ${name}. What is it?`, question };
  }
  return replyFor<WrittenView>(outcome, (event) => {
    const invited = input.addAttendees === undefined ? "" : uninvited(event);
    return withConflicts(turn, `Changed: ${eventLine(turn)(event)}.${invited}`, event);
  });
}

/** "what about Thursday?" after a change is a suggestion, and not yet a wish. */
async function askToChange(turn: Turn, amendment: Amendment, records: readonly ChatRecord[]): Promise<Reply | null> {
  const calls: ChatOption[] = [];
  for (const record of records) {
    const call = await callFor(turn, record, amendment);
    if (!call) return null;
    calls.push({ ...call, label: record.title });
  }
  const names = records.map(({ title }) => `“${shorten(title, 80)}”`).join(" and ");
  return { text: `Should I change ${names} to that? Say yes or no.`, question: { kind: "confirm", calls } };
}

async function askAmong(turn: Turn, amendment: Amendment, records: readonly ChatRecord[]): Promise<Reply | null> {
  const options: ChatOption[] = [];
  for (const record of records.slice(0, 9)) {
    const call = await callFor(turn, record, amendment);
    if (call) options.push({ ...call, label: record.title });
  }
  if (options.length === 0) return null;
  turn.shown = [...records];
  return { text: askWhich("There is more than one.", options), question: { kind: "which", options } };
}
