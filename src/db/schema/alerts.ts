import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PROBLEM_CODES } from "../../lib/service-problems.ts";
import { moment } from "../columns.ts";

/**
 * What the owner is told about the service: a row for each outage of each problem. Triggers raise the outbound events
 * when a row is written and when it is resolved.
 */
export const serviceAlerts = sqliteTable(
  "service_alerts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    code: text("code", { enum: PROBLEM_CODES }).notNull(),
    /** Empty for problems of the whole service: a unique index never treats NULLs as equal. */
    subject: text("subject").notNull(),
    detail: text("detail").notNull(),
    since: moment("since").notNull(),
    openedAt: moment("opened_at").notNull(),
    resolvedAt: moment("resolved_at"),
    /** When an email about its state is due: now, or again after a try without a result. Null: the owner was told. */
    tellAt: moment("tell_at"),
    tries: integer("tries").notNull(),
  },
  (table) => [
    uniqueIndex("service_alerts_open").on(table.code, table.subject).where(sql`resolved_at IS NULL`),
    index("service_alerts_untold").on(table.tellAt).where(sql`tell_at IS NOT NULL`),
    index("service_alerts_history").on(table.code, table.subject, table.openedAt),
    index("service_alerts_resolved_at").on(table.resolvedAt),
  ],
);
