import * as z from "zod";
import { copying } from "../../context.ts";
import { AppError } from "../../lib/errors.ts";
import { MAX_ESTIMATE_MINUTES, MAX_PLANNED } from "../../lib/task-kinds.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { createEvent } from "../calendar/events/service.ts";
import { previewSchedules } from "../planning/propose.ts";
import { DEFAULT_MINUTES, planTasks } from "../planning/service.ts";
import { linkNewEvent } from "../tasks/event-link.ts";
import { getTask } from "../tasks/service.ts";
import { type EventView, eventView } from "./calendar.ts";
import { instantOf, Moment } from "./moment.ts";
import { taskView } from "./tasks.ts";
import { defineTool, Id, isOutside, UNMARKED } from "./tool.ts";

const planDay = defineTool({
  name: "plan_day",
  description:
    "Find times for open tasks in the free parts of the person's working hours, without changing anything. Default: the " +
    "rest of today. Use schedule_task to put a task at its time.",
  input: z.object({
    date: z.iso.date().optional(),
    from: Moment.optional(),
    to: Moment.optional(),
    limit: z.int().min(1).max(MAX_PLANNED).default(MAX_PLANNED),
  }),
  scopes: ["tasks:read", "calendar:read"],
  writes: false,
  ownWords: {
    because: "The mark of each task covers its title and tags.",
    in: ({ planned, unplanned }) => ![...planned, ...unplanned].some(isOutside),
  },
  async run({ ctx, timeZone }, { date, from, to, limit }) {
    const moments = { ...(from && { from: instantOf(from, timeZone) }), ...(to && { to: instantOf(to, timeZone) }) };
    const plan = await planTasks(ctx, { date, ...moments, timeZone, limit });
    return {
      planned: plan.planned.map(({ task, start, end }) => ({
        ...taskView(task),
        start: start.toISOString(),
        end: end.toISOString(),
      })),
      unplanned: plan.unplanned.map(({ task, reason }) => ({ ...taskView(task), reason })),
    };
  },
});

const scheduleTask = defineTool({
  name: "schedule_task",
  description:
    "Reserve time for a task: adds a busy event with its title, and links the task to it. Fails if the time is taken.",
  input: z.object({
    id: Id,
    start: Moment,
    durationMinutes: z
      .int()
      .min(1)
      .max(MAX_ESTIMATE_MINUTES)
      .optional()
      .describe("Default: the task's estimate, or 30."),
  }),
  scopes: ["tasks:read", "tasks:write", "calendar:write"],
  writes: true,
  record: "event",
  isNew: true,
  ownWords: UNMARKED,
  async preview(context, { id, start, durationMinutes }) {
    const task = await getTask(context.ctx, id);
    const from = instantOf(start, context.timeZone);
    const end = new Date(from.getTime() + minutesFor(task, durationMinutes) * MINUTE_MS);
    const [preview] = await previewSchedules(context, [{ task, start: from, end }]);
    if (!preview) throw new Error("the preview is missing");
    return preview;
  },
  async run({ ctx, timeZone, expected }, { id, start, durationMinutes }): Promise<EventView & { taskId: number }> {
    const task = await getTask(ctx, id);
    if (expected && !expected.includes(task.version)) throw new AppError("version_conflict");
    const from = instantOf(start, timeZone);
    const length = { durationMinutes: minutesFor(task, durationMinutes) };
    const input = {
      title: task.title,
      start: from.toISOString(),
      ...length,
      timeZone,
      source: "chat",
      busy: true,
    } as const;
    const options = { onConflict: "reject", also: linkNewEvent(ctx, task) } as const;
    const { event } = await createEvent(copying(ctx, task), input, options);
    return { ...eventView(event), taskId: id };
  },
});

function minutesFor(task: { estimateMinutes: number | null }, given: number | undefined): number {
  return given ?? task.estimateMinutes ?? DEFAULT_MINUTES;
}

export const PLAN_TOOLS = [planDay, scheduleTask];
