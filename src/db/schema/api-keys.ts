import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Scope } from "../../lib/api-key-scopes.ts";
import { moment } from "../columns.ts";
import { ownerId } from "./users.ts";

export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text("name").notNull(),
    keyHash: text("key_hash").notNull().unique(),
    scopes: text("scopes", { mode: "json" }).$type<Scope[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    lastUsedAt: moment("last_used_at"),
    expiresAt: moment("expires_at"),
    rotatedAt: moment("rotated_at"),
    /** When an agent with this key was last handed text by other people, to the minute. */
    outsideAt: moment("outside_at"),
    version: integer("version").notNull().default(1),
  },
  (table) => [index("api_keys_user_id").on(table.userId)],
);
