import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { fieldsOf } from "../../../db/columns.ts";
import { events } from "../../../db/schema/calendar.ts";

const { id, title, startAt, endAt, outside, busy, icalUid } = events;
const { startDate, timeZone, rrule, exdates, overrides, seriesUntil } = events;
const titled = { id, title, startAt, endAt };

export const ALL_COLUMNS = fieldsOf(getTableColumns(events));
/** What the dashboard shows of an event. */
export const TITLE_COLUMNS = fieldsOf(titled);
const seriesColumns = { ...titled, startDate, timeZone, rrule, exdates, overrides, seriesUntil };
/** What the dashboard shows of a series, with what its expansion needs. */
export const SERIES_COLUMNS = fieldsOf(seriesColumns);
/** What a list of conflicts shows of an event or a series, with what its expansion needs. */
export const CONFLICT_COLUMNS = fieldsOf({ ...seriesColumns, outside, icalUid });

/** What statistics need of an event or a series. */
export const ENTRY_COLUMNS = fieldsOf({
  startAt,
  endAt,
  busy,
  startDate,
  timeZone,
  rrule,
  exdates,
  overrides,
  seriesUntil,
});

/** The rows of a statement in raw SQL, in no particular order. */
export function selectFrom<Fields extends Record<string, SQL>>(ctx: Pick<Context, "db">, fields: Fields, query: SQL) {
  return ctx.db.select(fields).from(sql`(${query})`);
}
