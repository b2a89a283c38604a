import { type AnyColumn, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { events } from "../../../db/schema/calendar.ts";
import { assertType } from "../../../lib/cast.ts";

/** The columns by name only, since a statement of our own has no table drizzle would know. */
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

const { id, title, startAt, endAt, startDate, timeZone, rrule, exdates, overrides, seriesUntil } = events;
const brief = { id, title, startAt, endAt };

export const WHOLE = fieldsOf(getTableColumns(events));
/** Only what tells another event's owner what it is in the way of. */
export const BRIEF = fieldsOf(brief);
/** The same of a series, with what says when it takes place. */
export const BRIEF_SERIES = fieldsOf({ ...brief, startDate, timeZone, rrule, exdates, overrides, seriesUntil });

/** The events a statement written in SQL gives, read like any others. They come in no order. */
export function selectFrom<Fields extends Record<string, SQL>>(ctx: Pick<Context, "db">, fields: Fields, query: SQL) {
  return ctx.db.select(fields).from(sql`(${query})`);
}
