import { gt } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { captionTotals as totals } from "../../../db/schema/stream-captions.ts";

/** How many captions each platform has in each status, to ride in another verb's batch. */
export function selectCaptionTotals(ctx: Context) {
  return ctx.db.select().from(totals).where(gt(totals.count, 0));
}

export function toCaptionTotals(rows: readonly (typeof totals.$inferSelect)[]): Record<string, Record<string, number>> {
  const byPlatform: Record<string, Record<string, number>> = {};
  for (const { platform, status, count } of rows) byPlatform[platform] = { ...byPlatform[platform], [status]: count };
  return byPlatform;
}
