import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../lib/scopes.ts";
import { moment } from "../columns.ts";

export const users = sqliteTable("users", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  /** Trimmed and lower-cased: it is the login name. */
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  role: text("role", { enum: ["owner", "member"] }).notNull(),
  /** Of the profile. It stands here because the session check brings it along for every request. */
  timeZone: text("time_zone").notNull().default("UTC"),
  passwordHash: text("password_hash").notNull(),
  /** Null while it is the one the account was made with. */
  passwordChangedAt: moment("password_changed_at"),
  emailVerifiedAt: moment("email_verified_at"),
  /** Sealed with ENCRYPTION_KEY; set at set-up, in force once `totpEnabledAt` is. */
  totpSecret: text("totp_secret"),
  totpEnabledAt: moment("totp_enabled_at"),
  /** The newest time step a code was accepted for: no step is accepted twice. */
  totpLastStep: integer("totp_last_step").notNull().default(0),
  createdAt: moment("created_at").notNull(),
});

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

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    keyHash: text("key_hash").notNull().unique(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    lastUsedAt: moment("last_used_at"),
    expiresAt: moment("expires_at"),
    rotatedAt: moment("rotated_at"),
    version: integer("version").notNull().default(1),
  },
  (table) => [index("api_keys_user_id").on(table.userId)],
);

/** What a login history shows. Written out, not bound: only then does SQLite take the index made for it. */
export const IS_LOGIN = sql.raw(
  "action IN ('account.registered', 'login.succeeded', 'login.failed', 'two_factor.failed')",
);

/** Security-relevant acts. A row is written in the same batch as the act it tells of. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: integer("user_id").references(() => users.id, { onDelete: "cascade" }),
    /** Not null: a batch whose condition fails puts NULL here, which rolls the whole batch back. */
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
  ],
);
