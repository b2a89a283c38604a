import { gte, lt, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../../context.ts";
import type { Given } from "../../../db/compiled-query.ts";
import { purge } from "../../../db/purge.ts";
import { aiCalls, aiUsage } from "../../../db/schema/ai-models.ts";
import type { Engine } from "../../../lib/ai-kinds.ts";
import { assertType } from "../../../lib/cast.ts";
import { isBilled } from "../../billing/account.ts";
import { fireAlerts, notifyFired } from "./alerts.ts";
import { drawFromPurchased } from "./budget.ts";

type CallRow = typeof aiCalls.$inferInsert;

export interface CallRecord extends Pick<CallRow, "task" | "inputTokens" | "outputTokens" | "durationMs"> {
  engine: Engine;
}

/**
 * Records an AI call. Triggers update the sums; purchased tokens are used and alerts fire in the same batch, so that
 * parallel calls cannot make them wrong. The record is not part of the request's own change.
 */
export async function recordCall(given: Context, { task, engine, ...cost }: CallRecord): Promise<void> {
  const ctx = forBookkeeping(given);
  const { actor } = ctx;
  const insert = ctx.db.insert(aiCalls).values({
    at: ctx.now,
    task,
    userId: "user" in actor ? actor.user.id : null,
    model: engine.kind === "builtin" ? "builtin" : assertType<CallRow["model"]>(engine.model),
    provider: engine.provider,
    upstreamModel: engine.upstreamModel,
    fallbackReason: engine.fallbackReason,
    ...cost,
  });
  const tokens = cost.inputTokens + cost.outputTokens;
  if (tokens === 0) return void (await insert);
  const fired = isBilled(ctx)
    ? (await ctx.db.batch([insert, drawFromPurchased(ctx, tokens), fireAlerts(ctx)]))[2]
    : (await ctx.db.batch([insert, fireAlerts(ctx)]))[1];
  if (fired.length > 0) ctx.defer(notifyFired(ctx, fired));
}

/** The statement that reads the calls since a time by model, for a batch. Counted in whole hours. */
export function selectUsageSince(ctx: Pick<Context, "db">, since: Given) {
  return ctx.db
    .select({
      model: aiUsage.model,
      calls: sql<number>`sum(${aiUsage.calls})`,
      fallbacks: sql<number>`sum(${aiUsage.fallbacks})`,
    })
    .from(aiUsage)
    .where(gte(aiUsage.hour, since))
    .groupBy(aiUsage.model);
}

const CALLS_KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** Deletes calls and hourly sums older than a year. The sums of days and months stay. */
export async function purgeOldCalls(ctx: Context): Promise<void> {
  const end = new Date(ctx.now.getTime() - CALLS_KEPT_MS);
  await purge(ctx.db, aiCalls, lt(aiCalls.at, end), ctx.signal);
  await purge(ctx.db, aiUsage, lt(aiUsage.hour, end.getTime()), ctx.signal);
}
