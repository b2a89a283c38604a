import { counted } from "../../../../lib/spoken-time.ts";
import { previewSchedules, scheduleInput } from "../../../planning/propose.ts";
import { tasksByIds } from "../../../tasks/service.ts";
import type { TaskView } from "../../../tools/tasks.ts";
import type { Turn } from "../../../tools/turn.ts";
import type { Request } from "../../request/request.ts";
import { spanOf } from "../../request/times.ts";
import { type Answer, lookUp, type Scene } from "../plan.ts";
import { lines, shorten } from "../words/voice.ts";

interface PlanView {
  planned: (TaskView & { start: string; end: string })[];
  unplanned: TaskView[];
}

const REASON = "This is the plan you asked for. Apply it to reserve the time in your calendar.";

/** Times for tasks, each of which the person can apply. Nothing is written. */
export async function planDay(scene: Scene, request: Request, turn: Pick<Turn, "suggest">): Promise<Answer> {
  const { sight, voice } = scene;
  const span = spanOf(request.times, sight.clock);
  const found = await lookUp<PlanView>(
    scene,
    "plan_day",
    span ? { from: span.start.toISOString(), to: span.end.toISOString() } : {},
  );
  if ("text" in found) return found;
  const { planned, unplanned } = found;
  const when = span ? ` for ${span.label.toLowerCase()}` : " for today";
  const left = unplanned.length > 0 ? ` ${counted(unplanned.length, "task")} found no free time.` : "";
  if (planned.length === 0 && unplanned.length === 0) return { text: "You have no open tasks to plan." };
  if (planned.length === 0) return { text: `There is no free time in your working hours${when}.${left}` };
  // As they are now: a proposal is for this version of its task.
  const rows = await tasksByIds(
    sight.ctx,
    planned.map(({ id }) => id),
  );
  const tasks = new Map(rows.map((task) => [task.id, task]));
  const scheduled = planned.flatMap(({ id, start, end }) => {
    const task = tasks.get(id);
    return task ? [{ task, start: new Date(start), end: new Date(end) }] : [];
  });
  for (const [index, preview] of (await previewSchedules(sight, scheduled)).entries()) {
    const each = scheduled[index];
    if (each) turn.suggest("schedule_task", scheduleInput(each), preview, REASON);
  }
  const line = ({ title, start, end }: PlanView["planned"][number]) =>
    `${voice.span(Date.parse(start), Date.parse(end))}: ${shorten(title)}`;
  const text = lines(
    voice,
    `Here is a plan${when}. Nothing is in your calendar yet: apply what you want.`,
    planned,
    line,
  );
  return { text: `${text}${left && `\n${left.trim()}`}` };
}
