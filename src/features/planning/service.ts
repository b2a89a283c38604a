import { type Context, timeZoneOf } from "../../context.ts";
import { dueMoment } from "../../lib/due.ts";
import { validationFailed } from "../../lib/errors.ts";
import { clip, gaps, type Interval } from "../../lib/intervals.ts";
import { OPEN_STATUSES, PRIORITIES } from "../../lib/task-kinds.ts";
import { DAY_MS, dateOf, endOfDate, HOUR_MS, MINUTE_MS, startOfDate, toWall } from "../../lib/time-zone.ts";
import { workingIntervals } from "../../lib/working-hours.ts";
import { busyIntervals } from "../calendar/free-time/service.ts";
import { workingHoursOf } from "../calendar/working-hours/service.ts";
import { listTasks } from "../tasks/list.ts";
import type { Task } from "../tasks/schemas.ts";

/** How long a task without an estimate takes. */
export const DEFAULT_MINUTES = 30;
/** Times start on a quarter of an hour. */
const GRID_MS = 15 * MINUTE_MS;
const MAX_DAYS = 14;
const CANDIDATES = 100;

interface PlanRequest {
  /** A day; the default is today. */
  date?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  timeZone?: string | undefined;
  listId?: number | undefined;
  taskIds?: readonly number[] | undefined;
  limit: number;
}

export interface Planned {
  task: Task;
  start: Date;
  end: Date;
}

export interface Plan {
  timeZone: string;
  from: Date;
  to: Date;
  planned: Planned[];
  unplanned: { task: Task; reason: "no_free_time" | "limit" }[];
}

/**
 * Times for open tasks in the free parts of working hours: what is due first, then what is important first. A task with
 * an event of its own is planned already, and one that waits for others cannot be worked on.
 */
export async function planTasks(ctx: Context, request: PlanRequest): Promise<Plan> {
  const { timeZone = timeZoneOf(ctx), taskIds, limit } = request;
  const window = windowOf(ctx, request, timeZone);
  const [{ data }, hours, busy] = await Promise.all([
    listTasks(ctx, {
      status: OPEN_STATUSES.filter((status) => status !== "waiting"),
      sort: "due",
      limit: CANDIDATES,
      ...(request.listId !== undefined && { listId: request.listId }),
    }),
    workingHoursOf(ctx, timeZone),
    busyIntervals(ctx, window),
  ]);
  const candidates = data
    .filter((task) => task.eventId === null && task.subtasks.total === task.subtasks.done)
    .filter(({ id }) => taskIds === undefined || taskIds.includes(id))
    .filter((task) => task.rrule === null || (dueMoment(task, timeZone) ?? 0) < window.end)
    .sort(byUrgency(window, timeZone));
  const free = clip(workingIntervals(hours.days, hours.timeZone, window), window).flatMap((work) => gaps(work, busy));
  const plan: Plan = { timeZone, from: new Date(window.start), to: new Date(window.end), planned: [], unplanned: [] };
  for (const task of candidates) {
    if (plan.planned.length === limit) {
      plan.unplanned.push({ task, reason: "limit" });
      continue;
    }
    const slot = takeSlot(
      free,
      (task.estimateMinutes ?? DEFAULT_MINUTES) * MINUTE_MS,
      dueMoment(task, timeZone),
      timeZone,
    );
    if (slot) plan.planned.push({ task, start: new Date(slot.start), end: new Date(slot.end) });
    else plan.unplanned.push({ task, reason: "no_free_time" });
  }
  plan.planned.sort((a, b) => a.start.getTime() - b.start.getTime());
  return plan;
}

function windowOf({ now }: Context, { date, from, to }: PlanRequest, zone: string): Interval {
  const day = date ?? dateOf(toWall(zone, (from ?? now).getTime()));
  const asked = {
    start: from?.getTime() ?? startOfDate(zone, day),
    end: to?.getTime() ?? endOfDate(zone, day),
  };
  if (asked.end <= asked.start) throw validationFailed({ path: "to", message: "must be after from" });
  if (asked.end - asked.start > MAX_DAYS * DAY_MS + HOUR_MS) {
    throw validationFailed({ path: "to", message: `must be within ${MAX_DAYS} days of from` });
  }
  if (asked.end <= now.getTime()) throw validationFailed({ path: date ? "date" : "to", message: "must not be over" });
  return { start: Math.max(asked.start, now.getTime()), end: asked.end };
}

/** What is due by the end of the window comes first, by its day; then by priority; then by due time. */
function byUrgency(window: Interval, zone: string): (a: Task, b: Task) => number {
  const dueOf = (task: Task) => dueMoment(task, zone) ?? Number.POSITIVE_INFINITY;
  const dayOf = (task: Task) =>
    dueOf(task) <= window.end ? Math.floor(toWall(zone, dueOf(task)) / DAY_MS) : Number.MAX_SAFE_INTEGER;
  const rank = ({ priority }: Task) => -PRIORITIES.indexOf(priority);
  return (a, b) => dayOf(a) - dayOf(b) || rank(a) - rank(b) || Math.sign(dueOf(a) - dueOf(b)) || a.id - b.id;
}

/** The first free time that is long enough, before the due time if there is one. Takes it out of `free`. */
function takeSlot(free: Interval[], length: number, due: number | null, zone: string): Interval | null {
  const slots = free.flatMap((gap, index) => {
    const start = onGrid(gap.start, zone);
    return start + length <= gap.end ? [{ index, slot: { start, end: start + length } }] : [];
  });
  const chosen = slots.find(({ slot }) => due === null || slot.end <= due) ?? slots[0];
  if (!chosen) return null;
  const { index, slot } = chosen;
  const gap = free[index];
  if (gap) free.splice(index, 1, { start: slot.end, end: gap.end });
  return slot;
}

/** The next quarter of an hour in local time. */
function onGrid(instant: number, zone: string): number {
  const past = ((toWall(zone, instant) % GRID_MS) + GRID_MS) % GRID_MS;
  return past === 0 ? instant : instant + GRID_MS - past;
}
