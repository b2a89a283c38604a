import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** Accounts with their credentials. Features other than auth read them through features/people. */
export const users = sqliteTable("users", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  /** Trimmed and lower-case; the person signs in with it. */
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  role: text("role", { enum: ["owner", "member"] }).notNull(),
  /** Here and not in the profile, because the session check reads it for every request. */
  timeZone: text("time_zone").notNull().default("UTC"),
  /**
   * Locale, time format, week start and working hours as JSON: how the person's dates are read. Triggers copy them here
   * from the profile and the working hours, because the session check reads them for every request.
   */
  habits: text("habits"),
  passwordHash: text("password_hash").notNull(),
  /** Identifies the PASSWORD_PEPPER that the hash was made with. */
  pepperId: text("pepper_id").notNull(),
  /** Null until the password is changed for the first time. */
  passwordChangedAt: moment("password_changed_at"),
  emailVerifiedAt: moment("email_verified_at"),
  /** Encrypted with ENCRYPTION_KEY. Required at sign-in once `totpEnabledAt` is set. */
  totpSecret: text("totp_secret"),
  totpEnabledAt: moment("totp_enabled_at"),
  /** The latest time step whose code was used. No step is accepted twice. */
  totpLastStep: integer("totp_last_step").notNull().default(0),
  createdAt: moment("created_at").notNull(),
});

/** The column of a row that is deleted with its person. */
export const ownerId = () =>
  integer("user_id")
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
