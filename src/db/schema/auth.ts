import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** One row a login. While it exists its tokens work; deleting it ends them at once. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
    /** Slides with each refresh, up to a fixed age. */
    expiresAt: moment("expires_at").notNull(),
    /** Which refresh token is the current one; the one before is honoured for a moment after a rotation. */
    refreshCounter: integer("refresh_counter").notNull(),
    rotatedAt: moment("rotated_at").notNull(),
    /** When the person last proved who they are within this session. */
    provedAt: moment("proved_at").notNull(),
    ip: text("ip").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

/** Wrong guesses by login name, whether or not an account has it. */
export const loginFailures = sqliteTable(
  "login_failures",
  {
    email: text("email").primaryKey(),
    count: integer("count").notNull(),
    since: moment("since").notNull(),
    lockedUntil: moment("locked_until"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("login_failures_expires_at").on(table.expiresAt)],
);

/** A login whose password was right and whose second factor is still to come. */
export const loginChallenges = sqliteTable(
  "login_challenges",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    attempts: integer("attempts").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("login_challenges_user_id").on(table.userId),
    index("login_challenges_expires_at").on(table.expiresAt),
  ],
);

export const backupCodes = sqliteTable(
  "backup_codes",
  {
    codeHash: text("code_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    usedAt: moment("used_at"),
  },
  (table) => [index("backup_codes_user_id").on(table.userId)],
);

/** Single-use tokens that reach a person by mail. */
export const mailTokens = sqliteTable(
  "mail_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    purpose: text("purpose", { enum: ["reset_password", "verify_email", "change_email"] }).notNull(),
    /** The address the token was sent to, which using it proves. */
    email: text("email").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("mail_tokens_user_id").on(table.userId, table.purpose),
    index("mail_tokens_expires_at").on(table.expiresAt),
  ],
);
