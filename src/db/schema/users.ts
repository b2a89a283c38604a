import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "../columns.ts";

/** The accounts. auth keeps their credentials here; everyone else asks the directory, features/people. */
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
