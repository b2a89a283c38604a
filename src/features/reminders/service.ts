import { and, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import { type Context, hasScope, timeZoneOf } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { listPage, type Page } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { events } from "../../db/schema/calendar.ts";
import { reminders } from "../../db/schema/reminders.ts";
import { tasks } from "../../db/schema/tasks.ts";
import { whyNoDate } from "../../engine/due-date.ts";
import { snoozeTime } from "../../engine/snooze-time.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { ownerId } from "../people/owners.ts";
import { readingFor } from "../people/reading.ts";
import type { ReminderRow } from "./records.ts";
import type { Reminder, ReminderQuery, ReminderSnooze } from "./schemas.ts";

const KEPT_MS = 90 * DAY_MS;
const LATEST = Date.UTC(2200, 0, 1);

/** Whose reminders the caller sees: their own and, without a credential, those of the owner. */
export function reminded(ctx: Context): SQL {
  const { actor } = ctx;
  return actor.kind === "session" || actor.kind === "api_key" ? sql`${actor.user.id}` : ownerId(ctx);
}

const isMine = (ctx: Context) => sql`${reminders.userId} = ${reminded(ctx)}`;

const title = sql<string | null>`CASE ${reminders.kind}
  WHEN 'task' THEN (SELECT title FROM ${tasks} WHERE id = ${reminders.recordId})
  ELSE (SELECT title FROM ${events} WHERE id = ${reminders.recordId} AND deleted_at IS NULL) END`;
const fields = { ...getTableColumns(reminders), title: title.as("title") };

export function listReminders(ctx: Context, query: ReminderQuery): Promise<Page<Reminder>> {
  const also = { title: fields.title };
  const where = and(isMine(ctx), query.state && eq(reminders.state, query.state));
  const paged = { list: "reminders", table: reminders, also, by: ["id"], order: "desc", where } as const;
  return listPage(ctx, query, paged, (row) => toReminder(ctx, row));
}

/** What a reminder says of its record: of an event only to those who may read the calendar. */
export function subjectOf<Subject extends { title: string | null }>(
  { actor }: Context,
  kind: ReminderRow["kind"],
  subject: Subject,
) {
  const isReadable = kind !== "event" || hasScope(actor, ["calendar:read"]);
  return isReadable ? subject : { ...subject, title: null, recordAt: null };
}

export function toReminder(ctx: Context, row: ReminderRow & { title: string | null }): Reminder {
  const deliverAt = row.deliverAt?.toISOString() ?? null;
  const isSnoozed = row.state === "snoozed";
  return {
    id: row.id,
    userId: row.userId,
    recordType: row.kind,
    recordId: row.recordId,
    ...subjectOf(ctx, row.kind, { title: row.title, recordAt: row.recordAt?.toISOString() ?? null }),
    at: row.at.toISOString(),
    channel: row.channel,
    state: row.state,
    firedAt: row.firedAt.toISOString(),
    late: row.late,
    snoozedUntil: isSnoozed ? deliverAt : null,
    deliverAt: isSnoozed || row.sending ? null : deliverAt,
    deliveries: row.deliveries.map((delivery) => ({ ...delivery, at: new Date(delivery.at).toISOString() })),
  };
}

/** The reminders with these ids that exist, in no order. */
export async function remindersByIds(ctx: Context, ids: readonly number[]): Promise<Reminder[]> {
  const rows = await ctx.db.select(fields).from(reminders).where(isOneOf(reminders.id, ids));
  return rows.map((row) => toReminder(ctx, row));
}

export async function getReminder(ctx: Context, id: number): Promise<Reminder> {
  const [row] = await ctx.db
    .select(fields)
    .from(reminders)
    .where(and(eq(reminders.id, id), isMine(ctx)));
  if (!row) throw missing(id);
  return toReminder(ctx, row);
}

function missing(id: number): AppError {
  return new AppError("not_found", `There is no reminder ${id}.`);
}

/** Has a reminder fire again at another time, however often it was sent so far. A dismissed one too. */
export function snoozeReminder(ctx: Context, id: number, snooze: ReminderSnooze): Promise<Reminder> {
  const deliverAt = snoozedUntil(ctx, snooze);
  return change(ctx, id, {
    state: "snoozed",
    deliverAt,
    sending: null,
    rounds: 0,
    // Every channel may be tried again.
    roundFrom: sql`json_array_length(deliveries)`,
  });
}

export function dismissReminder(ctx: Context, id: number): Promise<Reminder> {
  return change(ctx, id, { state: "dismissed", deliverAt: null, sending: null });
}

async function change(ctx: Context, id: number, set: Record<string, unknown>): Promise<Reminder> {
  const [row] = await ctx.db
    .update(reminders)
    .set({ ...set, version: sql`version + 1` })
    .where(and(eq(reminders.id, id), isMine(ctx)))
    .returning(fields);
  if (!row) throw missing(id);
  return toReminder(ctx, row);
}

function snoozedUntil(ctx: Context, { minutes, until, untilText, timeZone }: ReminderSnooze): Date {
  if (minutes !== undefined) return new Date(ctx.now.getTime() + minutes * MINUTE_MS);
  const path = until ? "until" : "untilText";
  const time = until ?? readTime(ctx, untilText ?? "", timeZone ?? timeZoneOf(ctx));
  // Of "999999999999 hours" JavaScript has no date.
  if (!(time.getTime() < LATEST)) throw validationFailed({ path, message: "must be before 2200" });
  if (time <= ctx.now) {
    throw validationFailed({ path, message: `must be in the future; ${time.toISOString()} is past` });
  }
  return time;
}

function readTime(ctx: Context, text: string, zone: string): Date {
  const options = { reference: ctx.now, ...readingFor(ctx, zone) };
  const time = snoozeTime(text, options);
  if (time) return time;
  const message = whyNoDate(text, options) ?? `must be a time in words, such as "tomorrow morning"; "${text}" is not`;
  throw validationFailed({ path: "untilText", message });
}

/** Deletes reminders that fired long ago. Snoozed ones stay. */
export function purgeReminders(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - KEPT_MS);
  return purge(ctx.db, reminders, sql`${lt(reminders.firedAt, oldest)} AND deliver_at IS NULL`, ctx.signal);
}
