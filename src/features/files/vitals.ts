import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { FILE_STORES } from "../../lib/file-stores.ts";
import { MOST_COUNTED } from "../../lib/service-problems.ts";

/** The index of due files is one range for each store. */
const STORES = sql.raw(FILE_STORES.map((store) => `'${store}'`).join(", "));

/** The statement that counts files that are to be deleted, for a batch. The job `deleteFiles` fails while it cannot. */
export function selectFileVitals(ctx: Context) {
  const now = ctx.now.getTime();
  const count = (where: SQL) =>
    sql<number>`(SELECT count(*) FROM (SELECT 1 FROM files_to_delete
      WHERE store IN (${STORES}) AND ${where} LIMIT ${MOST_COUNTED}))`;
  return ctx.db
    .select({ due: count(sql`due_at <= ${now}`).as("due"), later: count(sql`due_at > ${now}`).as("later") })
    .from(sql`(SELECT 1)`);
}
