import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** The actions of the login history. Literal text, because SQLite uses a partial index only for a literal condition. */
export const IS_LOGIN = sql.raw(
  "action IN ('account.registered', 'login.succeeded', 'login.failed', 'two_factor.failed')",
);

/** Wrong guesses. Anyone can cause them, so they are not kept as long as the rest. */
export const IS_FAILURE = sql.raw("action IN ('login.failed', 'two_factor.failed', 'session.proof_failed')");

/** Security-relevant actions. A row is written in the same batch as its action. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    action: text("action").notNull(),
    actor: text("actor").notNull(),
    ip: text("ip").notNull(),
    userAgent: text("user_agent"),
    details: text("details", { mode: "json" }).$type<Record<string, string | number | boolean | null>>(),
    at: moment("at").notNull(),
  },
  (table) => [
    index("audit_log_user_id").on(table.userId, table.id),
    index("audit_log_logins").on(table.userId, table.id).where(IS_LOGIN),
    index("audit_log_failures").on(table.at).where(IS_FAILURE),
  ],
);
