import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Avatar, MAIL_DENSITIES, MAIL_VIEWS, TIME_FORMATS, WEEK_STARTS } from "../../lib/profile-kinds.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** A trigger creates the row with the account, so that every account has one. */
export const profiles = sqliteTable("profiles", {
  userId: integer("user_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  company: text("company"),
  phone: text("phone"),
  bio: text("bio"),
  locale: text("locale").notNull().default("en"),
  weekStart: text("week_start").$type<(typeof WEEK_STARTS)[number]>().notNull().default("monday"),
  timeFormat: text("time_format").$type<(typeof TIME_FORMATS)[number]>().notNull().default("24h"),
  mailView: text("mail_view").$type<(typeof MAIL_VIEWS)[number]>().notNull().default("conversations"),
  mailDensity: text("mail_density").$type<(typeof MAIL_DENSITIES)[number]>().notNull().default("comfortable"),
  /** Uploaded images are stored in KV. */
  avatar: text("avatar", { mode: "json" }).$type<Avatar>(),
  version: integer("version").notNull().default(1),
  updatedAt: moment("updated_at"),
});
