import { sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { recount } from "../../db/recount.ts";
import { log } from "../../log.ts";
import { reindexLongEmails } from "../emails/reindex.ts";

/** Part of a recount, and where the next call goes on. */
export async function recountPart(ctx: Context, input: { repair: boolean; after?: string }) {
  const result = await recount((statement) => ctx.db.all(sql.raw(statement)), {
    ...input,
    repairElsewhere: (ids) => reindexLongEmails(ctx, ids),
  });
  const tables = Object.entries(result.tables).map(([table, differences]) => ({ table, differences }));
  if (result.differences.length > 0) {
    log("warn", "recount_differences", { requestId: ctx.requestId, repaired: input.repair, ...result.tables });
  }
  return { repaired: input.repair, ...result, tables };
}
