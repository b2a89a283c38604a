import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../../context.ts";
import { excludedColumns, isOneOf, selectRows } from "../../../db/bulk.ts";
import { events } from "../../../db/schema/calendar.ts";
import { occursAt } from "../../../lib/recurrence.ts";
import { dateOf, toWall } from "../../../lib/time-zone.ts";
import { type EventRow, isSeries, type SeriesRow, seriesOf } from "../events/event.ts";
import { resolveTimes } from "../events/event-times.ts";
import { askedAgain } from "../events/response.ts";

export type Statement = BatchItem<"sqlite">;

interface SeriesChange {
  series: EventRow;
  /** Statements for the edited occurrences, to run in the batch that changes the series. */
  also: Statement[];
  /** Holds while the occurrences are still as they were read. */
  condition?: SQL;
}

interface Move {
  from: number;
  to: number;
}

/**
 * Applies a change of a series to the occurrences that were edited on their own: they move with the series, are deleted
 * when the rule no longer includes them, and are cancelled with it.
 */
export async function updateEditedOccurrences(ctx: Context, current: EventRow, next: EventRow): Promise<SeriesChange> {
  const mine = eq(events.recurringEventId, current.id);
  if (!isSeries(current) || current.overrides.length === 0) return { series: next, also: [] };
  if (!isSeries(next)) return { series: next, also: [ctx.db.delete(events).where(mine)] };
  const bare = seriesOf({ ...next, overrides: [] });
  const moves = current.overrides.map((from, index) => ({ from, to: next.overrides[index] ?? from }));
  const kept = moves.filter(({ to }) => occursAt(bare, to));
  const lost = moves.filter((move) => !kept.includes(move));
  const also: Statement[] = [];
  if (lost.length > 0) {
    const starts = JSON.stringify(lost.map(({ from }) => from));
    also.push(ctx.db.delete(events).where(and(mine, sql`original_start IN (SELECT value FROM json_each(${starts}))`)));
  }
  const moved = kept.some(({ from, to }) => from !== to)
    ? await movedOccurrences(ctx, next, kept, isOrganizers(current, next))
    : [];
  if (moved.length > 0) also.push(...moveStatements(ctx, moved));
  if (next.status === "cancelled" && current.status !== "cancelled") {
    also.push(
      ctx.db
        .update(events)
        .set({
          status: "cancelled",
          awaitsAnswer: false,
          version: sql`version + 1`,
          sequence: sql`sequence + 1`,
          updatedAt: ctx.now,
        })
        .where(and(mine, sql`status <> 'cancelled'`)),
    );
  }
  return { series: { ...next, overrides: kept.map(({ to }) => to) }, also, condition: areAsRead(moved) };
}

/** Whether an update of the organizer makes the change; only that sets these columns. */
function isOrganizers(current: EventRow, next: EventRow): boolean {
  const key = ({ externalSequence, externalUpdatedAt }: EventRow) =>
    JSON.stringify([externalSequence, externalUpdatedAt]);
  return next.invitation !== null && key(current) !== key(next);
}

/**
 * The edited occurrences after the move. An occurrence with a time of its own keeps that time. If the organizer moves
 * the series and the person is asked again, they are asked about its moved occurrences too.
 */
async function movedOccurrences(
  ctx: Context,
  series: SeriesRow,
  moves: readonly Move[],
  byOrganizer: boolean,
): Promise<EventRow[]> {
  const newStarts = new Map(moves.map(({ from, to }) => [from, to]));
  const rows = await ctx.db.select().from(events).where(eq(events.recurringEventId, series.id));
  return rows.flatMap((row) => {
    const from = row.originalStart?.getTime();
    const to = from === undefined ? undefined : newStarts.get(from);
    if (to === undefined) return [];
    const next = { ...row, originalStart: new Date(to) };
    if (row.startAt.getTime() !== from) return [{ ...next, version: row.version + 1, updatedAt: ctx.now }];
    const start = row.startDate === null ? new Date(to).toISOString() : dateOf(toWall(series.timeZone, to));
    const times = resolveTimes({ start, timeZone: series.timeZone }, row);
    const stance = byOrganizer && series.awaitsAnswer ? askedAgain(row, series) : {};
    return [{ ...next, ...times, ...stance, version: row.version + 1, sequence: row.sequence + 1, updatedAt: ctx.now }];
  });
}

function moveStatements(ctx: Context, moved: readonly EventRow[]): Statement[] {
  const ids = moved.map(({ id }) => id);
  return [
    // Negative starts in between, because one occurrence may move to the start another one had.
    ctx.db.update(events).set({ originalStart: sql`-original_start` }).where(isOneOf(events.id, ids)),
    ctx.db
      .insert(events)
      .select(selectRows(events, moved))
      .onConflictDoUpdate({ target: events.id, set: excludedColumns(events, "id", "createdAt") }),
  ];
}

/** Holds while these rows, here with their next versions, are as they were read. */
export function areAsRead(moved: readonly EventRow[]): SQL | undefined {
  if (moved.length === 0) return undefined;
  const versions = JSON.stringify(moved.map(({ id, version }) => ({ id, version: version - 1 })));
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${versions}) AS read LEFT JOIN events AS own
    ON own.id = read.value ->> 'id' WHERE own.version IS NOT read.value ->> 'version')`;
}
