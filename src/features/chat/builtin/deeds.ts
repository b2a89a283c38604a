import type { ChatRecord } from "../../../db/schema/chat.ts";
import { bestMatches } from "../../../engine/assistant/name-match.ts";
import { type Deed, readAct, readAgain } from "../../../engine/conversation/act.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { getTask } from "../../tasks/service.ts";
import { eventView } from "../tools/calendar.ts";
import { taskView } from "../tools/tasks.ts";
import type { Turn } from "../turn.ts";
import { emailDeed } from "./email-deeds.ts";
import { runEventTool } from "./events.ts";
import { meant, refOf } from "./references.ts";
import { askWhich, eventLine, lines, type Reply, shorten, taskLine } from "./reply-text.ts";
import { runTaskTool } from "./tasks.ts";

type Kind = ChatRecord["kind"];

const KINDS: Record<Deed["kind"], readonly Kind[]> = {
  complete: ["task"],
  reopen: ["task"],
  remove: ["task", "event", "email", "draft"],
  tell: ["task", "event", "email", "draft"],
  read: ["email", "task", "event", "draft"],
  send: ["draft"],
  flag: ["email"],
  snooze: ["email"],
  tag: ["email"],
  summarise: ["email"],
  tasks: ["email"],
  unsubscribe: ["email"],
  reply: ["email"],
  forward: ["email"],
};
/** More than these are removed only after a yes. */
const MANY = 3;

/** "cancel it", "mark both as done", "archive the second one"; null if the message refers to nothing that is known. */
export async function doDeed(turn: Turn, message: string): Promise<Reply | null> {
  const act = readAct(message);
  if (!act) return again(turn, message);
  const found = meant(turn, act.ref, KINDS[act.deed.kind]);
  if (!found) return null;
  if ("records" in found) return perform(turn, act.deed, found.records);
  return askAmong(turn, act.deed, found.options);
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

function askToRemove(turn: Turn, records: readonly ChatRecord[]): Reply {
  const calls = records.flatMap((record) => {
    const call = callOf({ kind: "remove" }, record);
    return call ? [{ ...call, label: record.title }] : [];
  });
  turn.shown = [...records];
  const verb = records.every(({ kind }) => kind === "event") ? "cancel" : "remove";
  return {
    text: `${lines(`These are ${counted(records.length, "thing")}:`, records, ({ title }) => shorten(title))}\nShould I ${verb} all of these? Say yes or no.`,
    question: { kind: "confirm", calls },
  };
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
  return deed.kind === "read" || deed.kind === "summarise" ? { tool: "read_mail", input: { id: record.id } } : null;
}

/** What is known about a record. */
async function tell(turn: Turn, record: ChatRecord): Promise<Reply | null> {
  const { kind, id, occurrence } = record;
  turn.shown = [record];
  if (kind === "task") {
    const task = taskView(await getTask(turn.ctx, id));
    turn.hasReadUntrusted ||= task.outside;
    const state = task.status === "todo" ? "" : `, ${task.status.replace("_", " ")}`;
    return { text: `${taskLine(turn)(task)}${state}.` };
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
    return { text: `${eventLine(turn)(event)}.${length}${people}` };
  }
  return kind === "email" || kind === "draft" ? emailDeed(turn, { kind: "read" }, record) : null;
}

/** The last deed for another record: "and the other one", "and the one with Sofia". */
async function again(turn: Turn, message: string): Promise<Reply | null> {
  const { act, groups, isWritten } = turn.state;
  const said = act && isWritten ? readAgain(message) : null;
  if (!said || !act) return null;
  const kind: Kind = act.tool.endsWith("_task") ? "task" : act.tool === "update_mail" ? "email" : "event";
  const record = said.ref ? oneOf(meant(turn, said.ref, [kind])) : named(groups, kind, said.name);
  if (!record) return null;
  const input = { ...act.input, ...refOf(record) };
  if (kind === "task") return runTaskTool(turn, act.tool, input);
  return kind === "event"
    ? runEventTool(turn, act.tool, input)
    : emailDeed(turn, { kind: "flag", changes: act.input }, record);
}

const oneOf = (found: ReturnType<typeof meant>) =>
  found && "records" in found && found.records.length === 1 ? found.records[0] : undefined;

function named(groups: readonly ChatRecord[][], kind: Kind, name: string): ChatRecord | undefined {
  const list = groups.find((group) => group.length > 1 && group.every((each) => each.kind === kind));
  const found = list && name ? bestMatches(name, list, ({ title }) => [title]) : [];
  return found.length === 1 ? found[0] : undefined;
}
