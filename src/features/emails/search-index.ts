import { sql } from "drizzle-orm";
import { integer, type SQLiteColumnBuilderBase, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Context } from "../../context.ts";
import { EMAILS_SEARCH } from "../../db/derived-emails.ts";
import { messageKey } from "../../lib/message-id.ts";
import { searchableText } from "../../lib/searchable-text.ts";

const COLUMNS = Object.entries(EMAILS_SEARCH.columns).map(([name, about]) => [name, about("record")] as const);
const ROWID = sql.raw(EMAILS_SEARCH.rowid("record"));
const emailsSearch = sqliteTable("emails_search", {
  rowid: integer("rowid"),
  ...Object.fromEntries(COLUMNS.map(([name]): [string, SQLiteColumnBuilderBase] => [name, text(name)])),
});

/** The statement that adds imported emails with content in the file store to the search index. */
export function indexImported(ctx: Context, imported: readonly { id: number; body: string }[]) {
  const values = COLUMNS.map(([name, value]) => (name === "body" ? sql`given.value ->> 'body'` : sql.raw(value)));
  return ctx.db.insert(emailsSearch).select(
    sql`SELECT ${ROWID}, ${sql.join(values, sql`, `)}
      FROM json_each(${JSON.stringify(imported)}) given JOIN emails record ON record.id = given.value ->> 'id'
      WHERE record.content_key IS NOT NULL`,
  );
}

/** The statement that removes the row of an email from the index. */
export function removeFromIndex({ db }: Context, id: number) {
  const rowid = sql`(SELECT ${ROWID} FROM emails record WHERE record.id = ${id})`;
  return db.delete(emailsSearch).where(sql`rowid = ${rowid}`);
}

/**
 * The statement that adds an email with content in the file store to the search index, for the batch that stores it. A
 * trigger adds all other emails: it has their body.
 */
export function indexContent(
  ctx: Context,
  contentKey: string,
  { messageId, body }: { messageId: string; body: string },
) {
  const values = COLUMNS.map(([name, value]) => (name === "body" ? sql`${searchableText(body)}` : sql.raw(value)));
  return ctx.db.insert(emailsSearch).select(
    sql`SELECT ${ROWID}, ${sql.join(values, sql`, `)} FROM emails record
      WHERE record.message_key = ${messageKey(messageId)} AND record.content_key = ${contentKey}`,
  );
}
