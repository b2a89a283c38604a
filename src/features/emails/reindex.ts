import type { Context } from "../../context.ts";
import { runBatch } from "../../db/assert.ts";
import { isOneOf } from "../../db/bulk.ts";
import { emails } from "../../db/schema/emails.ts";
import { searchableText } from "../../lib/searchable-text.ts";
import { wholeContent } from "./content.ts";
import { emailColumns } from "./record.ts";
import { indexImported, removeFromIndex } from "./search-index.ts";

/** For a recount, which cannot read the file store: writes the search rows of long emails anew. */
export async function reindexLongEmails(ctx: Context, ids: readonly number[]): Promise<void> {
  const rows = await ctx.db.select(emailColumns).from(emails).where(isOneOf(emails.id, ids));
  for (const row of rows) {
    const { body } = await wholeContent(ctx, row);
    // In one batch: an email is never without its row. One that was deleted meanwhile gets none.
    await runBatch(ctx.db, [
      removeFromIndex(ctx, row.id),
      indexImported(ctx, [{ id: row.id, body: searchableText(body) }]),
    ]);
  }
}
