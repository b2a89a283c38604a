import type { components } from "#api";
import {
  addDays,
  dayOf,
  daysBetween,
  dayText,
  endOfWeek,
  type TimeHabits,
  timeText,
  writeDay,
} from "../../lib/time.ts";
import { tasks } from "../../messages/tasks.ts";

export type Task = components["schemas"]["Task"];
/** What was understood of a line. */
export type Quick = components["schemas"]["QuickTaskPreview"];
export type Group = "overdue" | "today" | "week" | "later" | "none" | "done";

export const OPEN_GROUPS: readonly Group[] = ["overdue", "today", "week", "later", "none"];

/** The day a task is due on, and the moment if it has one. */
interface Due {
  day: string;
  at: Date | null;
}

export function dueOf(habits: TimeHabits, { dueAt, dueDate }: Pick<Task, "dueAt" | "dueDate">): Due | null {
  if (dueDate !== null) return { day: dueDate, at: null };
  if (dueAt === null) return null;
  const at = new Date(dueAt);
  return { day: dayOf(habits, at), at };
}

export function isOpen({ status }: Pick<Task, "status">): boolean {
  return status !== "done" && status !== "cancelled";
}

function grouper(habits: TimeHabits, now: Date): (task: Task, due: Due | null) => Group {
  const today = dayOf(habits, now);
  const lastOfWeek = endOfWeek(habits, today);
  return (task, due) => {
    if (!isOpen(task)) return "done";
    if (!due) return "none";
    if (due.day < today || (due.at && due.at < now)) return "overdue";
    if (due.day === today) return "today";
    return due.day <= lastOfWeek ? "week" : "later";
  };
}

/** "Today, 17:00", "Tomorrow", "Friday", "Fri 27 Nov": as people say it. */
export function dueText(habits: TimeHabits, now: Date, due: Due): string {
  const day = relativeDay(habits, now, due.day);
  return due.at ? tasks.dueAt(day, timeText(habits, due.at)) : day;
}

function relativeDay(habits: TimeHabits, now: Date, day: string): string {
  const distance = daysBetween(dayOf(habits, now), day);
  if (distance === 0) return tasks.today;
  if (distance === 1) return tasks.tomorrow;
  if (distance === -1) return tasks.yesterday;
  if (distance > 1 && distance < 7) return writeDay(habits, day, { weekday: "long" });
  const isThisYear = day.slice(0, 4) === addDays(dayOf(habits, now), 0).slice(0, 4);
  return isThisYear ? dayText(habits, day) : `${dayText(habits, day)} ${day.slice(0, 4)}`;
}

/** The tasks in their groups, each by due time and then by age. */
export function arrange(habits: TimeHabits, now: Date, all: readonly Task[]): Map<Group, Task[]> {
  const ranked = all.map((task) => {
    const due = dueOf(habits, task);
    return { task, due, rank: due ? `${due.day} ${due.at?.toISOString() ?? "~"}` : "~" };
  });
  // Those that are not stored yet have ids below zero and come last, as they will once they are.
  const age = ({ id }: Task) => (id < 0 ? Number.MAX_SAFE_INTEGER + id : id);
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : age(a.task) - age(b.task)));
  const groups = new Map<Group, Task[]>();
  const find = grouper(habits, now);
  for (const { task, due } of ranked) {
    const group = find(task, due);
    const members = groups.get(group);
    if (members) members.push(task);
    else groups.set(group, [task]);
  }
  return groups;
}
