import type { ChatRecord } from "../../../../db/schema/chat.ts";
import type { WritingTool } from "../../../../lib/chat-tools.ts";
import { matchingTasks } from "../../../tools/find-record.ts";
import { MAX_WRITES } from "../../../tools/turn.ts";
import type { Kind } from "../../request/reference.ts";
import type { Request } from "../../request/request.ts";
import { describeRecord } from "../describe.ts";
import { mayRead } from "../find.ts";
import {
  type Asking,
  type Call,
  onlyOf,
  type Plan,
  type Planned,
  refOf,
  type Scene,
  type Sight,
  taskRecord,
} from "../plan.ts";
import { resolve } from "../resolve.ts";
import { shorten, type Voice } from "../words/voice.ts";

interface Options {
  kinds: readonly Kind[];
  times?: Request["times"];
  isDone?: boolean;
}

type CallFor = (record: ChatRecord) => Planned | Promise<Planned>;

/** Plans the same change for each record that a request is about. Asks where only the person knows which. */
export async function forTarget(scene: Scene, request: Request, options: Options, callFor: CallFor): Promise<Planned> {
  const target = await resolve(scene.sight, request, options);
  const { say } = scene.voice;
  if ("records" in target) {
    const { isGuess, unknown } = target;
    const planned = await forEach(target.records, callFor);
    return "calls" in planned ? { ...planned, ...(isGuess && { isGuess }), ...(unknown && { unknown }) } : planned;
  }
  if ("options" in target) return askWhich(scene, say.which(target.words), target.options, callFor);
  if ("unclear" in target) {
    const open = request.kind === "task" && options.kinds.includes("task") ? await openTasks(scene.sight) : [];
    return open.length > 0 ? askWhich(scene, say.open, open, callFor) : { text: say.unclear, isLost: true };
  }
  if ("refused" in target) return { text: target.refused, isLost: true };
  if (target.kind) return { text: say.notFound(shorten(target.missing, 60), target.kind), isLost: true };
  // Something else has that name: an event that is to be ticked off, an email that is to be moved.
  const every = ["task", "event", "email"] as const;
  const other = await resolve(scene.sight, { ...request, kind: null }, { kinds: every });
  const only = "records" in other ? onlyOf(other.records) : undefined;
  if (!only) return { text: say.notFound(shorten(target.missing, 60), onlyOf(options.kinds)), isLost: true };
  return { text: say.whatToChange(await describeRecord(scene, only)), about: [only] };
}

/** "Postpone all tasks": those that are due next. */
async function openTasks(sight: Sight): Promise<ChatRecord[]> {
  if (!mayRead(sight, "tasks:read")) return [];
  return (await matchingTasks(sight, "")).slice(0, MOST_OPTIONS).map(taskRecord);
}

const MOST_OPTIONS = 6;

/** The calls for all of these records; if one of them needs an answer first, that question. */
async function forEach(records: readonly ChatRecord[], callFor: CallFor): Promise<Planned> {
  const calls: Call[] = [];
  for (const record of records.slice(0, MAX_WRITES)) {
    const planned = await callFor(record);
    if (!("calls" in planned)) return planned;
    calls.push(...planned.calls);
  }
  return { calls };
}

async function askWhich(
  scene: Scene,
  message: string,
  records: readonly ChatRecord[],
  callFor: CallFor,
): Promise<Planned> {
  const options: Call[] = [];
  for (const record of records.slice(0, MOST_OPTIONS)) {
    const planned = await callFor(record);
    const [call] = "calls" in planned ? planned.calls : [];
    if (!call) return planned;
    options.push({ ...call, label: await describeRecord(scene, record) });
  }
  return whichOf(scene.voice, message, options, records.slice(0, MOST_OPTIONS));
}

/** Numbered, because the person can answer with a number. */
export function whichOf(voice: Voice, message: string, options: Call[], about: readonly ChatRecord[]): Asking {
  const shown = options.map(({ label }, at) => `${at + 1}. ${shorten(label)}`);
  return {
    text: [message, ...shown, voice.say.whichOne].join("\n"),
    about: [...about],
    question: { kind: "which", options },
  };
}

/** One change of one record. */
export const update = (record: ChatRecord, input: Record<string, unknown>): Plan =>
  change(record.kind === "task" ? "update_task" : "update_event", record, input);
export const change = (tool: WritingTool, record: ChatRecord, input: Record<string, unknown>): Plan => ({
  calls: [{ tool, input: { ...refOf(record), ...input }, label: record.title }],
});
