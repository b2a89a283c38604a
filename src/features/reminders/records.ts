import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { events } from "../../db/schema/calendar.ts";
import type { reminders } from "../../db/schema/reminders.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { occursAt } from "../../lib/recurrence.ts";
import { isOpen } from "../../lib/task-kinds.ts";
import type { Instant } from "../../lib/time-zone.ts";
import { type EventRow, isSeries, seriesOf } from "../calendar/events/event.ts";
import type { Subject } from "./wording.ts";

export type ReminderRow = typeof reminders.$inferSelect;

const { id, title, status, dueAt, dueDate } = tasks;
const taskFields = { id, title, status, dueAt, dueDate };

type TaskRow = Pick<typeof tasks.$inferSelect, keyof typeof taskFields>;

/** The statements that read the records that these reminders are about, for a batch. */
export function selectRecords({ db }: Context, reminderIds: readonly number[]) {
  const recordsOf = (kind: SQL) =>
    sql`(SELECT record_id FROM reminders WHERE id IN ${anyOf(reminderIds)} AND kind = ${kind})`;
  return [
    db
      .select(taskFields)
      .from(tasks)
      .where(sql`${tasks.id} IN ${recordsOf(sql`'task'`)}`),
    db
      .select()
      .from(events)
      .where(sql`${events.id} IN ${recordsOf(sql`'event'`)}`),
  ] as const;
}

/** What a reminder is about, or why it is of no use any more. */
type Found = { subject: Subject } | { obsolete: string };

/** Finds the record of a reminder among these. */
export function finderOf(tasksFound: readonly TaskRow[], eventsFound: readonly EventRow[]) {
  const byId = {
    task: new Map(tasksFound.map((row) => [row.id, row])),
    event: new Map(eventsFound.map((row) => [row.id, row])),
  };
  return (row: ReminderRow): Found => {
    if (row.kind === "task") return ofTask(byId.task.get(row.recordId), row);
    return ofEvent(byId.event.get(row.recordId), row);
  };
}

/** A record that has moved has reminders for its new time. One with a time of its own does not follow the record. */
function hasMoved(row: ReminderRow, recordAt: Instant | null): boolean {
  return row.recordAt !== null && row.recordAt.getTime() !== recordAt;
}

function ofTask(task: TaskRow | undefined, row: ReminderRow): Found {
  if (!task) return { obsolete: "The task was deleted." };
  if (!isOpen(task.status)) return { obsolete: `The task is ${task.status}.` };
  const recordAt = task.dueAt?.getTime() ?? null;
  if (hasMoved(row, recordAt)) return { obsolete: "The task has another due time." };
  const isDay = task.dueDate !== null;
  return {
    subject: { kind: "task", id: task.id, title: task.title, recordAt, isDay, location: null, meetingUrl: null },
  };
}

function ofEvent(event: EventRow | undefined, row: ReminderRow): Found {
  if (!event || event.deletedAt) return { obsolete: "The event was deleted." };
  if (event.status === "cancelled") return { obsolete: "The event was cancelled." };
  const recordAt = row.recordAt?.getTime() ?? event.startAt.getTime();
  const isStill = isSeries(event)
    ? occursAt(seriesOf(event), recordAt) !== undefined
    : !hasMoved(row, event.startAt.getTime());
  if (!isStill) return { obsolete: "The event has another time." };
  const { title: name, location, meetingUrl } = event;
  return {
    subject: {
      kind: "event",
      id: event.id,
      title: name,
      recordAt,
      isDay: event.startDate !== null,
      location,
      meetingUrl,
    },
  };
}
