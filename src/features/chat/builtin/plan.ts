import { askedTime } from "../../../engine/notes/message-time.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { previewSchedules, scheduleInput } from "../../planning/propose.ts";
import { tasksByIds } from "../../tasks/service.ts";
import type { TaskView } from "../../tools/tasks.ts";
import type { Turn } from "../../tools/turn.ts";
import { blockedTime, vacationDays } from "../language/errands/time-off.ts";
import { createEvent } from "./events.ts";
import { lines, type Reply, shorten, speaker, toolResult } from "./reply-text.ts";

interface PlanView {
  planned: (TaskView & { start: string; end: string })[];
  unplanned: TaskView[];
}

const REASON = "This is the plan you asked for. Apply it to reserve the time in your calendar.";

/** "plan my day", "plan tomorrow": times for tasks, each of which the person can apply. */
export async function planDay(turn: Turn, message: string): Promise<Reply> {
  const asked = askedTime(message, turn.clock);
  const range = asked && {
    from: asked.start.toISOString(),
    to: asked.end.toISOString(),
  };
  const found = await toolResult<PlanView>(turn, "plan_day", range ?? {});
  if ("text" in found) return found;
  const { planned, unplanned } = found;
  const when = asked ? ` for ${asked.label.toLowerCase()}` : " for today";
  const left = unplanned.length > 0 ? ` ${counted(unplanned.length, "task")} found no free time.` : "";
  if (planned.length === 0 && unplanned.length === 0) return { text: "You have no open tasks to plan." };
  if (planned.length === 0) return { text: `There is no free time in your working hours${when}.${left}` };
  // As they are now: a proposal is for this version of its task.
  const tasks = new Map(
    (
      await tasksByIds(
        turn.ctx,
        planned.map(({ id }) => id),
      )
    ).map((task) => [task.id, task]),
  );
  const scheduled = planned.flatMap(({ id, start, end }) => {
    const task = tasks.get(id);
    return task ? [{ task, start: new Date(start), end: new Date(end) }] : [];
  });
  for (const [index, preview] of (await previewSchedules(turn, scheduled)).entries()) {
    const each = scheduled[index];
    if (each) turn.suggest("schedule_task", scheduleInput(each), preview, REASON);
  }
  const { span } = speaker(turn);
  const line = ({ title, start, end }: PlanView["planned"][number]) =>
    `${span(Date.parse(start), Date.parse(end))}: ${shorten(title)}`;
  const text = lines(`Here is a plan${when}. Nothing is in your calendar yet: apply what you want.`, planned, line);
  return { text: `${text}${left && `\n${left.trim()}`}` };
}

/** "block Thursday afternoon for writing" */
export async function blockTime(turn: Turn, message: string): Promise<Reply> {
  const blocked = blockedTime(message, turn.clock);
  if (!blocked) return { text: "Which time should I block? For example: block Thursday afternoon." };
  const { title, start, end, isWholeDay } = blocked;
  const when = isWholeDay
    ? { start: dateOf(toWall(turn.timeZone, start.getTime())), end: end.toISOString(), allDay: true }
    : { start: start.toISOString(), end: end.toISOString() };
  return createEvent(turn, { title, ...when, busy: true });
}

/** "I am on vacation from Dec 21 to Jan 2": whole days, and busy. */
export async function addVacation(turn: Turn, message: string): Promise<Reply> {
  const days = vacationDays(message, turn.clock);
  if (!days) return { text: "From when to when? For example: I am on vacation from Dec 21 to Jan 2." };
  const start = dateOf(toWall(turn.timeZone, days.start.getTime()));
  return createEvent(turn, { title: days.title, start, end: days.end.toISOString(), allDay: true, busy: true });
}
