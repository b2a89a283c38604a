import type { Context } from "../../../context.ts";

/** How many captions each platform has in each status. */
export async function captionTotals(_ctx: Context): Promise<Record<string, Record<string, number>>> {
  return {};
}
