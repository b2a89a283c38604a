import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { isOneOf, selectColumns } from "../../../db/bulk.ts";
import { deletedEvents, events } from "../../../db/schema/calendar.ts";
import type { ExpectedVersions } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import { occursAt } from "../../../lib/recurrence.ts";
import { pickFrom } from "../series/occurrence.ts";
import { withNewVersion } from "./changes.ts";
import { type EventRow, intervalOf, isSeries, occurrenceRow, seriesOf } from "./event.ts";
import { isKeptAs, keyOf } from "./kept.ts";
import { lengthClassOf } from "./overlap.ts";
import { ALL_COLUMNS } from "./select.ts";
import { changedEvent, checkVersion, isUnchanged, type Plan, updateStatement, type Written, write } from "./write.ts";

type Kept = typeof deletedEvents.$inferSelect;

interface Deleted {
  id: number;
  occurrence?: Date | undefined;
  expected?: ExpectedVersions;
}

/**
 * Takes back the deletion of an event, a series or one occurrence, under its old id. What is there, or is there again,
 * stays as it is: a second request finds it.
 */
export async function restoreDeleted(ctx: Context, deleted: Deleted): Promise<Written> {
  const { row, conflicts } = await write(ctx, {}, () => restorePlan(ctx, deleted));
  const { occurrence } = deleted;
  // An occurrence that was never edited is written as a change of its series.
  const interval = occurrence && isSeries(row) ? occursAt(seriesOf(row), occurrence.getTime()) : undefined;
  return { row: interval && isSeries(row) ? occurrenceRow(row, interval) : row, conflicts };
}

async function restorePlan(ctx: Context, deleted: Deleted): Promise<Plan> {
  const { id, occurrence, expected } = deleted;
  const isThis = and(isKeptAs(id, occurrence), gt(deletedEvents.expiresAt, ctx.now));
  const uid = ctx.db.select({ icalUid: deletedEvents.icalUid }).from(deletedEvents).where(isThis);
  const [[kept], rows] = await ctx.db.batch([
    ctx.db.select().from(deletedEvents).where(isThis),
    // The event, its series, its edited occurrence, or what has its UID by now.
    ctx.db
      .select()
      .from(events)
      .where(
        or(
          eq(events.id, id),
          and(isNull(events.originalStart), eq(events.icalUid, sql`(${uid})`)),
          occurrence && and(eq(events.recurringEventId, id), eq(events.originalStart, occurrence)),
        ),
      ),
  ]);
  const plan = kept && (isOfSeries(kept, occurrence) ? planOccurrence : planEvent)(ctx, kept, rows, occurrence);
  if (plan) checkVersion(kept, `event ${id}`, expected);
  return plan ?? { row: present(rows, deleted) };
}

function isOfSeries(kept: Kept, occurrence: Date | undefined): boolean {
  return occurrence !== undefined || kept.recurringEventId !== null;
}

/** From the same read as the kept row: a deletion or another restore in between would leave neither to be found. */
function present(rows: readonly EventRow[], { id, occurrence, expected }: Deleted): EventRow {
  const there = rows.filter(({ deletedAt }) => deletedAt === null);
  if (!occurrence)
    return checkVersion(
      there.find((row) => row.id === id),
      `event ${id}`,
      expected,
    );
  const found = pickFrom(there, id, occurrence, expected);
  return found.edited ?? found.row;
}

/** The plan for an event or a whole series; none if it is there. */
function planEvent(ctx: Context, kept: Kept, rows: readonly EventRow[]): Plan | undefined {
  const { id, overrides, seriesEnd } = kept;
  const marked = rows.find((row) => row.id === id);
  if (marked && !marked.deletedAt) return undefined;
  const other = rows.find((row) => row.id !== id);
  if (other && kept.originalStart === null) throw outdated(`Event ${other.id} has the same iCalendar UID by now.`);
  // The booking of an event that is only marked may have changed it since.
  const base = marked ?? eventOf(kept);
  const row: EventRow = {
    ...base,
    deletedAt: null,
    awaitsAnswer: kept.awaitsAnswer && base.invitation !== null,
    span: isSeries(base) ? null : lengthClassOf(intervalOf(base)),
    seriesEnd,
    overrides,
    ...newer(ctx, base),
  };
  const edited = overrides.map((start) => keyOf(id, new Date(start)));
  return {
    row,
    statement: marked ? updateStatement(ctx, marked, row) : insertAgain(ctx, row),
    condition: and(isStillKept(kept), marked && isUnchanged(marked)),
    also: [...(edited.length > 0 ? [insertEdited(ctx, edited)] : []), forget(ctx, [kept.key, ...edited])],
  };
}

/** The plan for one occurrence; none if its series has it, or is deleted. */
function planOccurrence(ctx: Context, kept: Kept, rows: readonly EventRow[], occurrence?: Date): Plan | undefined {
  const start = occurrence ?? kept.originalStart;
  const series = rows.find((row) => row.id === (kept.recurringEventId ?? kept.id));
  if (!start || !series || series.deletedAt || !isSeries(series)) return undefined;
  const moment = start.getTime();
  const isOther = (each: number) => each !== moment;
  const exdates = series.exdates.filter(isOther);
  const interval = occursAt(seriesOf({ ...series, exdates, overrides: [] }), moment);
  if (!interval) throw outdated(`The series no longer takes place at ${start.toISOString()}.`);
  if (!series.exdates.includes(moment)) return undefined;
  const { invitation } = series;
  const isEdited = !isSeries(kept);
  const next = withNewVersion(ctx, series, {
    ...series,
    invitation: invitation && { ...invitation, deleted: invitation.deleted?.filter(isOther) },
    exdates,
    overrides: isEdited ? [...series.overrides, moment] : series.overrides,
  });
  const withIt = updateStatement(ctx, series, next);
  const condition = and(isStillKept(kept), isUnchanged(series));
  if (!isEdited) {
    const also = [forget(ctx, [kept.key])];
    return { row: occurrenceRow(series, interval), statement: withIt, condition, also };
  }
  const event = eventOf(kept);
  const row = { ...event, ...newer(ctx, event) };
  return { row, statement: insertAgain(ctx, row), condition, also: [withIt, forget(ctx, [kept.key])] };
}

function outdated(reason: string): AppError {
  return new AppError("undo_outdated", `${reason} Nothing was restored.`);
}

function eventOf({ key: _, expiresAt: __, ...event }: Kept): EventRow {
  return event;
}

/** Other calendars that have removed the event take it for an update. */
function newer({ now }: Context, { version, sequence }: EventRow) {
  return { version: version + 1, sequence: sequence + 1, updatedAt: now };
}

/** Of parallel requests, one restores the event: it takes the kept row away. */
function isStillKept({ key, version }: Kept) {
  return sql`EXISTS (SELECT 1 FROM ${deletedEvents} WHERE key = ${key} AND version = ${version})`;
}

function insertAgain({ db }: Context, row: EventRow) {
  return db.insert(events).values(row).returning(changedEvent);
}

function insertEdited({ db, now }: Context, keys: readonly string[]) {
  const row = selectColumns(events, {
    ...ALL_COLUMNS,
    version: sql`version + 1`,
    sequence: sql`sequence + 1`,
    updatedAt: sql`${now.getTime()}`,
  });
  return db.insert(events).select(sql`${row} FROM ${deletedEvents} WHERE ${isOneOf(deletedEvents.key, keys)}`);
}

function forget({ db }: Context, keys: readonly string[]) {
  return db.delete(deletedEvents).where(isOneOf(deletedEvents.key, keys));
}
