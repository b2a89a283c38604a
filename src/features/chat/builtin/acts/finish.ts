import type { ChatRecord } from "../../../../db/schema/chat.ts";
import { counted } from "../../../../lib/spoken-time.ts";
import { OPEN_STATUSES } from "../../../../lib/task-kinds.ts";
import { listTasks } from "../../../tasks/list.ts";
import { listIdNamed } from "../../../tasks/lists/service.ts";
import { contentOf } from "../../request/content.ts";
import { type Filters, filtersIn } from "../../request/filters.ts";
import { type Request, slotsOf } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { mayRead, recordsNamed } from "../find.ts";
import { knownList, listOf, listOfLast } from "../labels.ts";
import { askToConfirm } from "../perform.ts";
import { type Call, type Planned, refOf, type Scene, type Sight, taskRecord } from "../plan.ts";
import { change, forTarget } from "./target.ts";

/** Marks tasks as done. */
export async function done(scene: Scene, request: Request): Promise<Planned> {
  const completed = (record: ChatRecord): Call => ({
    tool: "complete_task",
    input: refOf(record),
    label: record.title,
  });
  const list =
    request.reference?.which === "all" && request.about === undefined ? await listOf(scene.sight, request) : null;
  const ofList = list === null ? [] : await openTasksOf(scene.sight, list);
  if (ofList.length > 0) return { calls: ofList.map(completed) };
  const named = await listCalled(scene.sight, request);
  if (named) return askToConfirm(scene.voice, named.map(completed), named);
  return (
    (request.about ? null : ofMany(scene, request, completed)) ??
    forTarget(scene, request, { kinds: ["task"], times: [] }, (record) => change("complete_task", record, {}))
  );
}

/** "Mark the groceries as done": no task is called so, but a list is. */
async function listCalled(sight: Sight, { names, about }: Request): Promise<ChatRecord[] | null> {
  const [name, ...others] = names;
  if (about || !name || others.length > 0 || (await recordsNamed(sight, { words: name, kinds: ["task"] })).length > 0)
    return null;
  const list = await knownList(sight, name);
  const tasks = list === null ? [] : await openTasksOf(sight, list);
  return tasks.length > 0 ? tasks : null;
}

async function openTasksOf(sight: Sight, list: string): Promise<ChatRecord[]> {
  if (!mayRead(sight, "tasks:read")) return [];
  const listId = await listIdNamed(sight.ctx, list);
  const { data } = await listTasks(sight.ctx, { listId, status: OPEN_STATUSES, sort: "due", limit: MOST });
  return data.map(taskRecord);
}

export const reopen = (scene: Scene, request: Request): Promise<Planned> =>
  forTarget(scene, request, { kinds: ["task"], isDone: true }, (record) =>
    change("update_task", record, { status: "todo" }),
  );

/** Cancels an event, takes a task off the list, puts an email into the trash, deletes a draft. */
export async function remove(scene: Scene, request: Request): Promise<Planned> {
  const many = ofMany(scene, request, removalOf);
  if (many) return many;
  // "Clear the pizza list": all of it, after a yes.
  const isList =
    request.names.length === 0 &&
    !request.about &&
    slotsOf(request, "g").length === 0 &&
    contentOf(request.rest) === "";
  const list = isList ? await listOf(scene.sight, request) : null;
  const ofList =
    list !== null && (await knownList(scene.sight, list)) !== null ? await openTasksOf(scene.sight, list) : [];
  const called = /\blist\b|liste\b|\blista\b/i.test(request.text) ? await listCalled(scene.sight, request) : null;
  const all = called ?? ofList;
  if (all.length > 0) return askToConfirm(scene.voice, all.map(removalOf), all);
  return forTarget(scene, request, { kinds: ["event", "task", "email", "draft"], times: request.times }, (record) => ({
    calls: [removalOf(record)],
  }));
}

function removalOf(record: ChatRecord): Call {
  const { id, title: label } = record;
  if (record.kind === "task") return { tool: "update_task", input: { id, status: "cancelled" }, label };
  if (record.kind === "email") return { tool: "update_mail", input: { id, status: "trash" }, label };
  if (record.kind === "draft") return { tool: "delete_draft", input: { id }, label };
  return { tool: "cancel_event", input: refOf(record), label };
}

const MOST = 10;

/** "all completed tasks", "everything on Friday": not what was talked about, but all that the words describe. */
function ofMany(scene: Scene, request: Request, callFor: (record: ChatRecord) => Call): Promise<Planned> | null {
  const { done: isDoneSaid, ...others } = filtersIn(request.rest);
  // "Mark all as done" says what is to be done, and not which.
  const filters: Filters = request.act === "done" ? others : { ...others, ...(isDoneSaid && { done: isDoneSaid }) };
  const isDescribed = request.kind !== null || filters.overdue || filters.done || request.times.length > 0;
  if (request.names.length > 0 || request.reference?.which !== "all" || !isDescribed) return null;
  if (request.kind === "email" || request.kind === "draft") return null;
  return describedOnes(scene, request).then(({ records, more }) => {
    if (records.length === 0) return { text: scene.voice.say.noTasks("such tasks or events"), isLost: true };
    const calls = records.map(callFor);
    const noun = records[0]?.kind === "task" ? (filters.done ? "finished task" : "open task") : "event";
    const count = counted(records.length, noun);
    const title = more ? `These are the first ${count}:` : `That is ${count}:`;
    const listed = [title, ...records.map(({ title: name }) => `- ${name}`)];
    const text = [...listed, scene.voice.say.confirm(["do that for all of these"])].join("\n");
    return { text, about: records, question: { kind: "confirm", calls } };
  });
}

async function describedOnes({ sight }: Scene, request: Request): Promise<{ records: ChatRecord[]; more: boolean }> {
  const span = spanOf(request.times, sight.clock);
  const { overdue, done, priority } = filtersIn(request.rest);
  const isDone = request.act !== "done" && done;
  const isTask = request.kind === "task" || overdue || isDone;
  // "Clear the list", after it was shown.
  const list = request.kind === "task" && /\blist\b/i.test(request.text) ? await listOfLast(sight) : null;
  if (list !== null) return { records: await openTasksOf(sight, list), more: false };
  if (isTask && mayRead(sight, "tasks:read")) {
    const { data, nextCursor } = await listTasks(sight.ctx, {
      status: isDone ? ["done"] : OPEN_STATUSES,
      sort: "due",
      limit: MOST,
      ...(overdue && { overdue }),
      ...(priority && { priority: [priority] }),
      ...(span && { dueAfter: span.start, dueBefore: span.end }),
    });
    return { records: data.map(taskRecord), more: nextCursor !== null };
  }
  const events = span ? await recordsNamed(sight, { words: "", kinds: ["event"], span }) : [];
  return { records: events.slice(0, MOST), more: events.length > MOST };
}
