import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { QUARTERS } from "../../lib/quarters.ts";

/** Running totals, such as (`emails`, `unread`). Written by triggers. */
export const counters = sqliteTable(
  "counters",
  {
    area: text("area").notNull(),
    key: text("key").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.area, table.key] })],
);

const NONE = JSON.stringify(new Array(QUARTERS).fill(0));
const counts = (name: string) =>
  text(name, { mode: "json" })
    .$type<number[]>()
    .notNull()
    .default(sql.raw(`'${NONE}'`));

/**
 * What happens in each quarter of an hour, two days (UTC) a row. Every time zone's days begin on a quarter of an hour,
 * so the days of any zone are sums of few rows. Written by triggers.
 */
export const quarters = sqliteTable("quarters", {
  /** Number of the two days since 1970. */
  id: integer("id").primaryKey(),
  emails: counts("emails"),
  tasksDone: counts("tasks_done"),
  /** Open tasks by when they are due. */
  tasksDue: counts("tasks_due"),
  /** Single events that are not cancelled. An end counts in the quarter that ends with it or after it. */
  eventStarts: counts("event_starts"),
  eventEnds: counts("event_ends"),
});

/** One row: the sums of all `quarters` before `until`. Moved forward every night; triggers keep it in step. */
export const quartersBefore = sqliteTable("quarters_before", {
  id: integer("id").primaryKey(),
  until: integer("until").notNull(),
  tasksDue: integer("tasks_due").notNull().default(0),
  eventStarts: integer("event_starts").notNull().default(0),
  eventEnds: integer("event_ends").notNull().default(0),
});
