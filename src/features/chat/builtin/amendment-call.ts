import type { ChatOption, ChatRecord } from "../../../db/schema/chat.ts";
import { dueMoment, dueOfMoment } from "../../../lib/due.ts";
import { dateOf, toInstant, toWall, wallDay } from "../../../lib/time-zone.ts";
import { getEvent } from "../../calendar/events/service.ts";
import { getTask } from "../../tasks/service.ts";
import type { Turn } from "../../tools/turn.ts";
import type { Amendment } from "../language/follow-ups/amendment.ts";
import { callByEvent } from "./event-change.ts";
import { inHalfOf } from "./half-of-day.ts";
import { refOf } from "./references.ts";

export type Call = Pick<ChatOption, "tool" | "input">;

/** The tool call that makes the change; null if it does not fit the record. */
export async function callFor(turn: Turn, record: ChatRecord, amendment: Amendment): Promise<Call | null> {
  const which = refOf(record);
  if (record.kind === "task") return taskCall(turn, which, amendment);
  const change =
    amendment.kind === "time" && amendment.isOpenHour ? await nearEvent(turn, record, amendment) : amendment;
  return (await callByEvent(turn, record, change)) ?? eventCall(turn, which, change);
}

/** "make it 8", of something at 19:00, is 20:00. */
async function nearEvent(turn: Turn, { id, occurrence }: ChatRecord, amendment: Amendment & { kind: "time" }) {
  const event = await getEvent(turn.ctx, id, occurrence ? new Date(occurrence) : undefined);
  if (event.allDay) return amendment;
  const to = inHalfOf(turn, amendment.to, event.start);
  const end = amendment.end && new Date(amendment.end.getTime() + (to.getTime() - amendment.to.getTime()));
  return { ...amendment, to, end };
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
      return amendment.people.length === 0 ? update({ removeAttendees: "all" }) : null;
    case "repeat":
      return update({ rrule: amendment.rrule });
    default:
      return null;
  }
}

async function taskCall(turn: Turn, which: { id: number }, amendment: Amendment): Promise<Call | null> {
  const update = (change: object) => ({ tool: "update_task", input: { ...which, ...change } });
  switch (amendment.kind) {
    case "time":
    case "until":
    case "shift":
      return update({ dueAt: await newDue(turn, which.id, amendment) });
    case "length":
      // "Make that an hour", of what was to be done in half an hour.
      return update({ dueAt: new Date(turn.ctx.now.getTime() + amendment.minutes * 60_000).toISOString() });
    case "longer":
      return update({ dueAt: await newDue(turn, which.id, { kind: "shift", minutes: amendment.minutes }) });
    case "repeat":
      return update({ rrule: amendment.rrule });
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
  amendment: Amendment & { kind: "time" | "until" | "shift" },
): Promise<string> {
  const task = await getTask(ctx, id);
  const due = dueMoment(task, timeZone);
  if (amendment.kind === "shift") {
    const moment = new Date((due ?? ctx.now.getTime()) + amendment.minutes * 60_000);
    return task.dueDate ? dateOf(toWall(timeZone, moment.getTime())) : moment.toISOString();
  }
  const { isDay, isTime } = amendment;
  const isOpen = amendment.kind === "time" && amendment.isOpenHour && due !== null && task.dueDate === null;
  // "make it 8", of what is due at 19:00, is 20:00.
  const to = isOpen ? inHalfOf({ timeZone }, amendment.to, new Date(due).toISOString()) : amendment.to;
  const wall = toWall(timeZone, to.getTime());
  if (isDay) {
    if (due === null || task.dueDate) return dateOf(wall);
    const before = toWall(timeZone, due);
    return new Date(toInstant(timeZone, wallDay(wall) + (before - wallDay(before)))).toISOString();
  }
  if (!isTime || due === null) return dueOfMoment(to, timeZone).dueDate ?? to.toISOString();
  return new Date(toInstant(timeZone, wallDay(toWall(timeZone, due)) + (wall - wallDay(wall)))).toISOString();
}
