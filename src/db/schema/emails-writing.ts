import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Address } from "../../lib/addresses.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** As whom a person writes: name, address, signature and where replies go. At most one is the default. */
export const identities = sqliteTable(
  "identities",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Null: the address in MAIL_FROM, whatever it is at the time. */
    address: text("address"),
    replyTo: text("reply_to", { mode: "json" }).$type<Address>(),
    signatureText: text("signature_text"),
    signatureHtml: text("signature_html"),
    /** How long every email waits before it leaves, so that it can be cancelled. */
    undoSendSeconds: integer("undo_send_seconds").notNull(),
    isDefault: integer("is_default", { mode: "boolean" }).notNull(),
    version: integer("version").notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [
    index("identities_user").on(table.userId, table.id),
    uniqueIndex("identities_default").on(table.userId).where(sql`is_default = 1`),
  ],
);
