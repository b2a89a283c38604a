import { type AnyColumn, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";

/** Columns by name alone, for statements in raw SQL, which have no table that drizzle knows. */
function fieldsOf<Columns extends Record<string, AnyColumn>>(columns: Columns) {
  const fields = Object.entries(columns).map(([key, column]) => [
    key,
    sql`${sql.identifier(column.name)}`.mapWith(column),
  ]);
  return assertType<{ [Key in keyof Columns]: SQL<Value<Columns[Key]>> }>(Object.fromEntries(fields));
}

type Value<Column extends AnyColumn> = Column["_"]["notNull"] extends true
  ? Column["_"]["data"]
  : Column["_"]["data"] | null;

const { id, title, startAt, endAt, outside, busy, startDate, timeZone, rrule, exdates, overrides, seriesUntil } =
  events;
const titled = { id, title, startAt, endAt };

export const ALL_COLUMNS = fieldsOf(getTableColumns(events));
/** What the dashboard shows of an event. */
export const TITLE_COLUMNS = fieldsOf(titled);
/** What a list of conflicts shows of an event. */
export const CONFLICT_COLUMNS = fieldsOf({ ...titled, outside });
/** What the dashboard shows of a series, with what its expansion needs. */
export const SERIES_COLUMNS = fieldsOf({ ...titled, startDate, timeZone, rrule, exdates, overrides, seriesUntil });

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
