import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { FILE_STORES } from "../../lib/file-stores.ts";
import { moment } from "../columns.ts";

/** Files that no record refers to any more, and uploads that no record refers to yet. The cron deletes what is due. */
export const filesToDelete = sqliteTable(
  "files_to_delete",
  {
    key: text("key").primaryKey(),
    store: text("store", { enum: FILE_STORES }).notNull(),
    dueAt: moment("due_at").notNull(),
  },
  (table) => [index("files_to_delete_due").on(table.store, table.dueAt)],
);

/** How far the nightly search for objects that nothing refers to has come. */
export const fileChecks = sqliteTable("file_checks", {
  /** The first part of the keys, such as `emails`. */
  room: text("room").primaryKey(),
  /** Every object up to this key has been looked at. */
  checkedUntil: text("checked_until").notNull(),
});
