import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

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

/**
 * Emails and completed tasks in blocks of 3 hours and of 15 minutes (UTC). Every time zone's days begin on a quarter of
 * an hour, so the days of any zone are sums of few rows. Written by triggers.
 */
export const activity = sqliteTable(
  "activity",
  {
    /** Length in minutes: 180 or 15. */
    span: integer("span").notNull(),
    /** Start, in milliseconds. */
    start: integer("start").notNull(),
    emails: integer("emails").notNull(),
    tasksDone: integer("tasks_done").notNull(),
  },
  (table) => [primaryKey({ columns: [table.span, table.start] })],
);
