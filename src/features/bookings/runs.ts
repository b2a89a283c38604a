import { desc, lt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { listPage, type PageRequest } from "../../db/page.ts";
import { purge, purgeExpired } from "../../db/purge.ts";
import { bookingDeliveries, syncRuns } from "../../db/schema/bookings.ts";

export type RunRow = typeof syncRuns.$inferSelect;

export function toRun({ id: runId, leaseUntil: _, startedAt, finishedAt, ...run }: RunRow) {
  return {
    runId,
    ...run,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    durationMs: finishedAt && finishedAt.getTime() - startedAt.getTime(),
  };
}

export function selectLastRun(ctx: Pick<Context, "db">) {
  return ctx.db.select().from(syncRuns).orderBy(desc(syncRuns.startedAt), desc(syncRuns.id)).limit(1);
}

/** Newest first. */
export function listRuns(ctx: Context, request: PageRequest) {
  const paged = { list: "sync-runs", table: syncRuns, by: ["startedAt", "id"], order: "desc" } as const;
  return listPage(ctx, request, paged, toRun);
}

/** The runs with these ids that exist, in no order. */
export async function runsByIds(ctx: Context, ids: readonly string[]) {
  const rows = await ctx.db.select().from(syncRuns).where(isOneOf(syncRuns.id, ids));
  return rows.map(toRun);
}

const RUNS_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Runs nightly. Deletes old runs, and deliveries too old to be repeated. */
export async function purgeBookingHistory(ctx: Context): Promise<number> {
  const deliveries = await purgeExpired(ctx, [bookingDeliveries]);
  const oldest = new Date(ctx.now.getTime() - RUNS_KEPT_MS);
  return deliveries + (await purge(ctx.db, syncRuns, lt(syncRuns.startedAt, oldest), ctx.signal));
}
