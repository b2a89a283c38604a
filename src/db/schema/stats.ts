import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Running totals, such as (`emails`, `unread`). Written by triggers only. */
export const counters = sqliteTable(
  "counters",
  {
    area: text("area").notNull(),
    key: text("key").notNull(),
    value: integer("value").notNull(),
  },
  (table) => [primaryKey({ columns: [table.area, table.key] })],
);

/**
 * What happened when, in blocks of three hours and in quarters of an hour of UTC. Every zone's days
 * begin on a quarter of an hour, so any zone's days can be summed from few rows. Written by triggers only.
 */
export const activity = sqliteTable(
  "activity",
  {
    /** Minutes a row stands for: 180 or 15. */
    span: integer("span").notNull(),
    /** Its start, in milliseconds. */
    start: integer("start").notNull(),
    emails: integer("emails").notNull(),
    tasksDone: integer("tasks_done").notNull(),
  },
  (table) => [primaryKey({ columns: [table.span, table.start] })],
);
