import type { ChatRecord } from "../../../db/schema/chat.ts";
import { askedTime } from "../../../engine/notes/message-time.ts";
import { dueMoment } from "../../../lib/due.ts";
import { counted, longDate } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { timeStyleOf } from "../../people/speaking.ts";
import { getTask } from "../../tasks/service.ts";
import { eventView } from "../../tools/calendar.ts";
import { matchingTasks } from "../../tools/find-record.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import { taskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { type Act, type Deed, readAct, readAgain } from "../language/follow-ups/act.ts";
import { eventNamed } from "./amend.ts";
import { emailDeed, tagOf, withoutTag } from "./email-deeds.ts";
import { runEventTool } from "./events.ts";
import { asWhole, meant, refOf } from "./references.ts";
import { askWhich, eventLine, lines, type Reply, shorten, taskLine } from "./reply-text.ts";
import { runTaskTool } from "./tasks.ts";

type Kind = ChatRecord["kind"];

export const KINDS: Record<Deed["kind"], readonly Kind[]> = {
  complete: ["task"],
  reopen: ["task"],
  remove: ["task", "event", "email", "draft"],
  tell: ["task", "event", "email", "draft"],
  read: ["draft", "email", "task", "event"],
  send: ["draft"],
  flag: ["email"],
  snooze: ["email", "task", "event"],
  tag: ["email", "task"],
  untag: ["task", "email"],
  summarise: ["email", "draft"],
  tasks: ["email"],
  unsubscribe: ["email"],
  reply: ["email"],
  forward: ["email"],
};
/** More than these are removed only after a yes. */
const MANY = 3;

const EVERYTHING = /\b(?:everything|it all|all)[\s.!]*$/i;
const ONE_OF_SERIES =
  /^(?:please |and |but )*(?:skip|cancel|drop|delete|remove|leave out) (?:the|that) (?:one|session|meeting|event)(?: on| at| for)? (?<when>.+)$/i;

/** "skip the one on 24 November": an occurrence of the series that the conversation is about. */
async function cancelOne(turn: Turn, message: string): Promise<Reply | null> {
  const when = ONE_OF_SERIES.exec(message.replace(/(?<![\s.!])[\s.!]+$/, ""))?.groups?.when;
  const asked = when ? askedTime(when, turn.clock) : null;
  const record = oneOf(meant(turn, { which: "one", kind: "event" }, ["event"]));
  if (!asked || !record) return null;
  const range = { from: asked.start.toISOString(), until: asked.end.toISOString() };
  return runEventTool(turn, "cancel_event", { match: record.title, ...range });
}

/** "cancel it", "mark both as done", "archive the second one"; null if the message refers to nothing that is known. */
export async function doDeed(turn: Turn, message: string): Promise<Reply | null> {
  const skipped = await cancelOne(turn, message);
  if (skipped) return skipped;
  const act = readAct(message);
  if (!act) return again(turn, message);
  const found = meant(turn, act.ref, KINDS[act.deed.kind]);
  if (!found) return null;
  // "The newsletter" is one, and not whatever email was read last.
  const isOther = ("records" in found ? found.records : found.options).some(({ title }) => !/news/i.test(title));
  if (isOther && /\bnewsletter\b/i.test(message) && act.deed.kind !== "unsubscribe") return null;
  if (act.deed.kind === "remove" && EVERYTHING.test(message)) {
    return askToRemove(turn, "records" in found ? found.records : found.options);
  }
  if (act.deed.kind === "tell" && "records" in found && found.records.length === 1) {
    const [only] = found.records;
    return only ? tell(turn, only, message) : null;
  }
  if ("records" in found) return perform(turn, act.deed, asWhole(message, found.records));
  return askAmong(turn, act.deed, found.options);
}

/** Does it with records that a message has named; asks if they are several of which only one can be meant. */
export async function doWith(
  turn: Turn,
  deed: Deed,
  records: readonly ChatRecord[],
  isEach = false,
): Promise<Reply | null> {
  if (records.length > 1 && !isEach) return askAmong(turn, deed, records);
  return perform(turn, deed, records);
}

async function perform(turn: Turn, deed: Deed, records: readonly ChatRecord[]): Promise<Reply | null> {
  if (deed.kind === "remove" && records.length >= MANY) return askToRemove(turn, records);
  const replies: Reply[] = [];
  for (const record of records) {
    const reply = await performOne(turn, deed, record);
    if (!reply) return null;
    replies.push(reply);
  }
  return { ...replies.at(-1), text: replies.map(({ text }) => text).join("\n") };
}

async function performOne(turn: Turn, deed: Deed, record: ChatRecord): Promise<Reply | null> {
  const { kind } = record;
  if (deed.kind === "tell" || (deed.kind === "read" && kind !== "email")) return tell(turn, record);
  if (kind === "email" || kind === "draft") return emailDeed(turn, deed, record);
  if (deed.kind === "tag") {
    const { tags } = await getTask(turn.ctx, record.id);
    return runTaskTool(turn, "update_task", { id: record.id, tags: [...new Set([...tags, tagOf(deed.tag)])] });
  }
  if (deed.kind === "untag") {
    const { tags } = await getTask(turn.ctx, record.id);
    return runTaskTool(turn, "update_task", { id: record.id, tags: withoutTag(tags, deed.tag) });
  }
  // What is snoozed is an email; a task or an event gets another time.
  const call = callOf(deed, record);
  if (!call) return null;
  return call.tool.endsWith("_task")
    ? runTaskTool(turn, call.tool, call.input)
    : runEventTool(turn, call.tool, call.input);
}

/** The tool call that does this with a task or an event, or removes a record. */
function callOf(deed: Deed, record: ChatRecord): { tool: string; input: Record<string, unknown> } | null {
  const input = refOf(record);
  if (deed.kind === "complete") return { tool: "complete_task", input };
  if (deed.kind === "reopen") return { tool: "update_task", input: { ...input, status: "todo" } };
  if (deed.kind !== "remove") return null;
  switch (record.kind) {
    case "task":
      return { tool: "update_task", input: { ...input, status: "cancelled" } };
    case "event":
      return { tool: "cancel_event", input };
    case "email":
      return { tool: "update_mail", input: { ...input, status: "trash" } };
    case "draft":
      return { tool: "delete_draft", input };
    default:
      return null;
  }
}

export function askToRemove(turn: Turn, records: readonly ChatRecord[]): Reply {
  const calls = records.flatMap((record) => {
    const call = callOf({ kind: "remove" }, record);
    return call ? [{ ...call, label: record.title }] : [];
  });
  turn.shown = [...records];
  const verb = records.every(({ kind }) => kind === "event") ? "cancel" : "remove";
  return {
    text: `${lines(records.length === 1 ? "That is:" : `These are ${counted(records.length, "thing")}:`, records, ({ title }) => shorten(title))}\nShould I ${verb} ${records.length === 1 ? "it" : "all of these"}? Say yes or no.`,
    question: { kind: "confirm", calls },
  };
}

/** Asks first, because it is not certain that "it" is what the conversation is about. */
export function askWhether(turn: Turn, { deed, ref }: Act): Reply | null {
  const found = meant(turn, ref, KINDS[deed.kind]);
  const records = found && "records" in found ? found.records : [];
  const calls = records.flatMap((record) => {
    const call = callOf(deed, record) ?? emailCall(deed, record);
    return call ? [{ ...call, label: record.title }] : [];
  });
  if (calls.length === 0) return null;
  turn.shown = [...records];
  const names = records.map(({ title }) => `“${shorten(title, 80)}”`).join(" and ");
  return { text: `Do you mean ${names}? Say yes or no.`, question: { kind: "confirm", calls } };
}

function askAmong(turn: Turn, deed: Deed, records: readonly ChatRecord[]): Reply | null {
  const options = records.slice(0, 9).flatMap((record) => {
    const call = callOf(deed, record) ?? emailCall(deed, record);
    return call ? [{ ...call, label: record.title }] : [];
  });
  if (options.length === 0) return null;
  turn.shown = [...records];
  return { text: askWhich("There is more than one.", options), question: { kind: "which", options } };
}

function emailCall(deed: Deed, record: ChatRecord) {
  if (deed.kind === "flag") return { tool: "update_mail", input: { id: record.id, ...deed.changes } };
  if (deed.kind === "tag") return { tool: "update_mail", input: { id: record.id, addTags: [deed.tag] } };
  if (deed.kind === "reply") return { tool: "draft_mail", input: { replyTo: record.id, say: deed.text } };
  return deed.kind === "read" || deed.kind === "summarise" ? { tool: "read_mail", input: { id: record.id } } : null;
}

const ABOUT_IT =
  /\b(?:it|that|this|we say|we said|they|he|she|you (?:just )?(?:do|did|done|change|changed|add|added)|(?:do|am|will|must) i (?:have to |need to )?(?:get (?:out|off|home|there|back|up)|finish(?:ed)?|done|start|leave|be (?:there|done|home|back|out|in)|arrive|go|off))\b/i;

/** A question about the one thing that the conversation is about is answered by what is known of it. */
export async function tellAboutIt(turn: Turn, message: string): Promise<Reply | null> {
  const [latest = []] = turn.state.groups;
  const [record] = latest;
  if (latest.length !== 1 || !record || !ABOUT_IT.test(message) || record.kind === "email") return null;
  const told = await tell(turn, record);
  if (!told || !/^(?:(?:so|and|but|ok|okay|hm+)[\s,]+)*(?:should|shall|must|may|might)\b/i.test(message)) return told;
  // Its length is no answer to "should I cancel it?".
  return { ...told, text: `That is for you to decide. ${told.text.replace(/ It takes [^.]{0,200}\./, "")}` };
}

/** What is known about a record. */
async function tell(turn: Turn, record: ChatRecord, asked = ""): Promise<Reply | null> {
  const { kind, id, occurrence } = record;
  turn.shown = [record];
  if (kind === "task") {
    const task = taskView(await getTask(turn.ctx, id));
    turn.hasReadUntrusted ||= task.outside;
    const state = task.status === "todo" ? "" : `, ${task.status.replace("_", " ")}`;
    const at = dueMoment(task, turn.timeZone);
    const isDay = at !== null && /\bday\b|weekday/i.test(asked);
    const day = isDay ? ` That is ${longDate(dateOf(toWall(turn.timeZone, at)), timeStyleOf(turn.ctx))}.` : "";
    return { text: `${taskLine(turn)(task)}${state}.${day}` };
  }
  if (kind === "event") {
    const event = eventView(await getEvent(turn.ctx, id, occurrence ? new Date(occurrence) : undefined));
    turn.hasReadUntrusted ||= event.outside;
    const minutes = (Date.parse(event.end) - Date.parse(event.start)) / 60_000;
    const length = event.allDay
      ? ""
      : ` It takes ${minutes % 60 === 0 ? counted(minutes / 60, "hour") : `${minutes} minutes`}.`;
    const people =
      event.attendees.length > 0 ? ` With ${event.attendees.map((each) => shorten(each, 60)).join(", ")}.` : "";
    const isPlace = /\b(?:where|place|venue|room)\b/i.test(asked);
    const place = isPlace && !event.location ? " No place is given." : "";
    const nobody = /\bwho\b/i.test(asked) && !people ? " Nobody is invited." : "";
    return { text: `${eventLine(turn)(event)}.${length}${people}${place}${nobody}` };
  }
  return kind === "email" || kind === "draft" ? emailDeed(turn, { kind: "read" }, record) : null;
}

/** The last deed for another record: "and the other one", "and the one with Sofia". */
async function again(turn: Turn, message: string): Promise<Reply | null> {
  const { act, groups, isWritten } = turn.state;
  // "And the other?" asks.
  const isAsked = /\?\s*$/.test(message);
  const said = act && isWritten && !isAsked && act.tool !== "create_task" ? readAgain(message) : null;
  if (!said || !act) return null;
  const kind: Kind = act.tool.endsWith("_task") ? "task" : act.tool === "update_mail" ? "email" : "event";
  const record = said.ref
    ? oneOf(meant(turn, said.ref, [kind]))
    : (named(groups, kind, said.name) ??
      (await eventToo(turn, act.tool, message, said.name)) ??
      (await taskToo(turn, kind, message, said.name)));
  if (!record) return null;
  const input = { ...act.input, ...refOf(record) };
  if (kind === "task") return runTaskTool(turn, act.tool, input);
  return kind === "event"
    ? runEventTool(turn, act.tool, input)
    : emailDeed(turn, { kind: "flag", changes: act.input }, record);
}

const SAME = /\b(?:too|as well|also)[\s.!]*$|^(?:and )?(?:do )?(?:the )?same (?:for|with)\b/i;

/** "the cake too": a task that the conversation was not about yet. */
async function taskToo(turn: Turn, kind: Kind, message: string, name: string): Promise<ChatRecord | undefined> {
  if (kind !== "task" || !SAME.test(message) || tellingWords(name).length === 0) return undefined;
  const [only, ...others] = await matchingTasks(turn, name.replace(/^(?:the|my) /i, ""));
  return only && others.length === 0 ? { kind: "task", id: only.id, title: only.title } : undefined;
}

/** "and the review too": an event that the conversation was not about yet. */
async function eventToo(turn: Turn, tool: string, message: string, name: string): Promise<ChatRecord | undefined> {
  if (!SAME.test(message) || (tool !== "move_event" && tool !== "cancel_event") || tellingWords(name).length === 0)
    return undefined;
  return (await eventNamed(turn, name)) ?? undefined;
}

const oneOf = (found: ReturnType<typeof meant>) =>
  found && "records" in found && found.records.length === 1 ? found.records[0] : undefined;

function named(groups: readonly ChatRecord[][], kind: Kind, name: string): ChatRecord | undefined {
  const list = groups.find((group) => group.length > 1 && group.every((each) => each.kind === kind));
  const found = list && name ? bestMatches(name, list, ({ title }) => [title]) : [];
  return found.length === 1 ? found[0] : undefined;
}
