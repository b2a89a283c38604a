import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { users } from "../../../db/schema/users.ts";

/** How many passwords were hashed with the current pepper, with the previous one, and with one that is not configured. */
export async function countPasswords(ctx: Context): Promise<{ current: number; previous: number; unknown: number }> {
  const [current, previous] = ctx.config.secrets("PASSWORD_PEPPER");
  const rows = await ctx.db
    .select({ pepperId: users.pepperId, count: sql<number>`count(*)` })
    .from(users)
    .groupBy(users.pepperId);
  const counts = { current: 0, previous: 0, unknown: 0 };
  for (const { pepperId, count } of rows) {
    counts[pepperId === current.id ? "current" : pepperId === previous?.id ? "previous" : "unknown"] += count;
  }
  return counts;
}
