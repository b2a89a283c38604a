import { gt } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { captionTotals as totals } from "../../../db/schema/stream-captions.ts";

/** How many captions each platform has in each status. */
export async function captionTotals(ctx: Context): Promise<Record<string, Record<string, number>>> {
  const rows = await ctx.db.select().from(totals).where(gt(totals.count, 0));
  const byPlatform: Record<string, Record<string, number>> = {};
  for (const { platform, status, count } of rows) byPlatform[platform] = { ...byPlatform[platform], [status]: count };
  return byPlatform;
}
