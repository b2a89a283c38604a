import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";
import { ownerId } from "./users.ts";

/** One row per sign-in. Its tokens work only while the row exists. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text("id").primaryKey(),
    userId: ownerId(),
    createdAt: moment("created_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
    /** Extended by every refresh, up to a maximum age. */
    expiresAt: moment("expires_at").notNull(),
    /** The number of the current refresh token. The previous one still works for a few seconds. */
    refreshCounter: integer("refresh_counter").notNull(),
    rotatedAt: moment("rotated_at").notNull(),
    /** When the password (and code) was last confirmed in this session. Signing in does not count. */
    provedAt: moment("proved_at"),
    ip: text("ip").notNull(),
    userAgent: text("user_agent"),
  },
  (table) => [
    index("sessions_user_id").on(table.userId, table.createdAt, table.id),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

/** Failed attempts by email address, whether or not it has an account: from each network, and from all of them. */
export const loginFailures = sqliteTable(
  "login_failures",
  {
    email: text("email").notNull(),
    /** The /24 or /64 of the client; empty for the row that counts attempts from all networks. */
    network: text("network").notNull(),
    count: integer("count").notNull(),
    since: moment("since").notNull(),
    lockedUntil: moment("locked_until"),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.email, table.network] }),
    index("login_failures_expires_at").on(table.expiresAt),
  ],
);

/** A sign-in with the right password that still needs its second factor. */
export const loginChallenges = sqliteTable(
  "login_challenges",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: ownerId(),
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
    userId: ownerId(),
    usedAt: moment("used_at"),
  },
  (table) => [index("backup_codes_user_id").on(table.userId)],
);

/** Single-use tokens sent by email. */
export const mailTokens = sqliteTable(
  "mail_tokens",
  {
    tokenHash: text("token_hash").primaryKey(),
    userId: ownerId(),
    purpose: text("purpose", { enum: ["reset_password", "verify_email", "change_email"] }).notNull(),
    /** The address the token was sent to. Using the token verifies it. */
    email: text("email").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    index("mail_tokens_user_id").on(table.userId, table.purpose),
    index("mail_tokens_expires_at").on(table.expiresAt),
  ],
);
