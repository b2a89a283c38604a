import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** Accounts with their credentials. Other features than auth read them through features/people. */
export const users = sqliteTable("users", {
  id: integer("id").primaryKey({ autoIncrement: true }),
  /** Trimmed and lower-cased, since people sign in with it. */
  email: text("email").notNull().unique(),
  name: text("name").notNull(),
  role: text("role", { enum: ["owner", "member"] }).notNull(),
  /** Part of the profile. It is here because every request needs it, and the session check reads this row. */
  timeZone: text("time_zone").notNull().default("UTC"),
  passwordHash: text("password_hash").notNull(),
  /** Null until the password is first changed. */
  passwordChangedAt: moment("password_changed_at"),
  emailVerifiedAt: moment("email_verified_at"),
  /** Encrypted with ENCRYPTION_KEY. In force once `totpEnabledAt` is set. */
  totpSecret: text("totp_secret"),
  totpEnabledAt: moment("totp_enabled_at"),
  /** The last time step whose code was accepted: none is accepted twice. */
  totpLastStep: integer("totp_last_step").notNull().default(0),
  createdAt: moment("created_at").notNull(),
});
