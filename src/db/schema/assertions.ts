import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Never has a row: a trigger turns every insert into the failure `assertion failed: <name>`. See db/assert.ts. */
export const assertions = sqliteTable("assertions", { name: text("name").notNull() });
