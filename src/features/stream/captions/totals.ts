import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { captions } from "../../../db/schema/stream-captions.ts";

/** How many captions each platform has in each status. */
export async function captionTotals(ctx: Context): Promise<Record<string, Record<string, number>>> {
  const rows = await ctx.db
    .select({ platform: captions.platform, status: captions.status, count: sql<number>`count(*)` })
    .from(captions)
    .groupBy(captions.platform, captions.status);
  const totals: Record<string, Record<string, number>> = {};
  for (const { platform, status, count } of rows) totals[platform] = { ...totals[platform], [status]: count };
  return totals;
}
