import type { ChatOption, ChatRecord } from "../../../db/schema/chat.ts";
import { type Amendment, readAmendment } from "../../../engine/conversation/amendment.ts";
import { readReference } from "../../../engine/conversation/reference.ts";
import { dueMoment, dueOfMoment } from "../../../lib/due.ts";
import { dateOf, toInstant, toWall, wallDay } from "../../../lib/time-zone.ts";
import { getTask } from "../../tasks/service.ts";
import type { WrittenView } from "../tools/calendar.ts";
import type { Turn } from "../turn.ts";
import { runEventTool, withConflicts } from "./events.ts";
import { justWritten, meant, refOf } from "./references.ts";
import { askWhich, eventLine, type Reply, replyFor, shorten, unchanged } from "./reply-text.ts";
import { runTaskTool } from "./tasks.ts";

type Call = Pick<ChatOption, "tool" | "input">;

/** "make it 4pm", "no, Tuesday", "and invite Bob", "the second one is due Friday"; null if it is about something else. */
export async function amend(turn: Turn, message: string): Promise<Reply | null> {
  const fresh = justWritten(turn, ["task", "event"]);
  const amended = readAmendment(message, turn.clock, fresh.length > 0);
  if (!amended) return null;
  const { amendment, ref, isAsked } = amended;
  const kinds = kindsFor(amendment);
  const found =
    ref === null ? among(fresh.filter(({ kind }) => kinds.includes(kind))) : meant(turn, readReference(ref), kinds);
  if (!found) return null;
  if (amendment.kind === "doubt") return { text: unchanged(amendment.doubt) };
  if ("options" in found) return askAmong(turn, amendment, found.options);
  if (isAsked) return askToChange(turn, amendment, found.records);
  const replies: Reply[] = [];
  for (const record of found.records) {
    const call = await callFor(turn, record, amendment);
    if (!call) return null;
    replies.push(await runChange(turn, call));
  }
  return { ...replies.at(-1), text: replies.map(({ text }) => text).join("\n") };
}

function among(records: ChatRecord[]) {
  if (records.length === 0) return null;
  return records.length === 1 ? { records } : { options: records };
}

function kindsFor({ kind }: Amendment): readonly ChatRecord["kind"][] {
  if (kind === "priority" || kind === "undated" || kind === "list") return ["task"];
  return kind === "time" || kind === "title" || kind === "shift" || kind === "doubt" ? ["task", "event"] : ["event"];
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
    const invited =
      input.addAttendees === undefined ? "" : ` With ${event.attendees.join(", ")}. No invitation was sent.`;
    return withConflicts(turn, `Changed: ${eventLine(turn)(event)}.${invited}`, event);
  });
}

async function callFor(turn: Turn, record: ChatRecord, amendment: Amendment): Promise<Call | null> {
  const which = refOf(record);
  return record.kind === "task" ? taskCall(turn, which, amendment) : eventCall(turn, which, amendment);
}

function eventCall({ timeZone }: Turn, which: object, amendment: Amendment): Call | null {
  const update = (change: object) => ({ tool: "update_event", input: { ...which, ...change } });
  switch (amendment.kind) {
    case "time": {
      const { to, end, isDay, isTime } = amendment;
      const wall = new Date(toWall(timeZone, to.getTime())).toISOString();
      const start = isDay
        ? { start: wall.slice(0, 10) }
        : isTime
          ? { time: wall.slice(11, 16) }
          : { start: to.toISOString() };
      const minutes = end ? { durationMinutes: Math.round((end.getTime() - to.getTime()) / 60_000) } : {};
      return { tool: "move_event", input: { ...which, ...start, ...minutes } };
    }
    case "shift":
      return { tool: "move_event", input: { ...which, shiftMinutes: amendment.minutes } };
    case "length":
      return update({ durationMinutes: amendment.minutes });
    case "longer":
      return update({ longerMinutes: amendment.minutes });
    case "title":
      return update({ title: amendment.title });
    case "place":
      return update({ location: amendment.place });
    case "invite":
      return update({ addAttendees: amendment.people });
    case "uninvite":
      return update({ removeAttendees: "all" });
    default:
      return null;
  }
}

async function taskCall(turn: Turn, which: { id: number }, amendment: Amendment): Promise<Call | null> {
  const update = (change: object) => ({ tool: "update_task", input: { ...which, ...change } });
  switch (amendment.kind) {
    case "time":
    case "shift":
      return update({ dueAt: await newDue(turn, which.id, amendment) });
    case "title":
      return update({ title: amendment.title });
    case "priority":
      return update({ priority: amendment.level });
    case "undated":
      return update({ dueAt: null });
    case "list":
      return update({ list: amendment.list });
    default:
      return null;
  }
}

/** A time alone keeps the day of the task, a day alone its time. A day without a time is a date. */
async function newDue(
  { ctx, timeZone }: Turn,
  id: number,
  amendment: Amendment & { kind: "time" | "shift" },
): Promise<string> {
  const task = await getTask(ctx, id);
  const due = dueMoment(task, timeZone);
  if (amendment.kind === "shift") {
    const moment = new Date((due ?? ctx.now.getTime()) + amendment.minutes * 60_000);
    return task.dueDate ? dateOf(toWall(timeZone, moment.getTime())) : moment.toISOString();
  }
  const { to, isDay, isTime } = amendment;
  const wall = toWall(timeZone, to.getTime());
  if (isDay) {
    if (due === null || task.dueDate) return dateOf(wall);
    const before = toWall(timeZone, due);
    return new Date(toInstant(timeZone, wallDay(wall) + (before - wallDay(before)))).toISOString();
  }
  if (!isTime || due === null) return dueOfMoment(to, timeZone).dueDate ?? to.toISOString();
  return new Date(toInstant(timeZone, wallDay(toWall(timeZone, due)) + (wall - wallDay(wall)))).toISOString();
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
