import { and, gte, lt, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../../context.ts";
import { purge } from "../../../db/purge.ts";
import { aiCalls, aiUsage } from "../../../db/schema/ai-models.ts";
import { aiUsageDays } from "../../../db/schema/ai-models-budget.ts";
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

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The statements that read the calls of the last 24 hours, for a batch. Counted in whole hours: today's sum, and of
 * yesterday either the hours that count, or the sum less those that do not, whichever are fewer.
 */
export function selectLatestUsage({ db }: Pick<Context, "db">) {
  const { model, calls, fallbacks } = aiUsage;
  const days = { model: aiUsageDays.model, calls: aiUsageDays.calls, fallbacks: aiUsageDays.fallbacks };
  return {
    usageDays: db
      .select(days)
      .from(aiUsageDays)
      .where(gte(aiUsageDays.day, sql.placeholder("usageDay"))),
    usageHours: db
      .select({ model, calls, fallbacks })
      .from(aiUsage)
      .where(and(gte(aiUsage.hour, sql.placeholder("usageFrom")), lt(aiUsage.hour, sql.placeholder("usageUntil")))),
  };
}

/** The values of the placeholders. */
export function latestUsageValues(now: number) {
  const today = now - (now % DAY_MS);
  const yesterday = today - DAY_MS;
  const first = Math.ceil((now - DAY_MS) / HOUR_MS) * HOUR_MS;
  return first - yesterday <= DAY_MS / 2
    ? { usageDay: yesterday, usageFrom: yesterday, usageUntil: first }
    : { usageDay: today, usageFrom: first, usageUntil: today };
}

interface Usage {
  model: string;
  calls: number;
  fallbacks: number;
}

/** The calls by model. */
export function toLatestUsage(
  { usageDays, usageHours }: { usageDays: readonly Usage[]; usageHours: readonly Usage[] },
  now: number,
) {
  const { usageDay, usageFrom } = latestUsageValues(now);
  const sign = usageDay === usageFrom ? -1 : 1;
  const byModel: Record<string, number> = {};
  let [calls, fallbacks] = [0, 0];
  for (const [rows, factor] of [[usageDays, 1] as const, [usageHours, sign] as const]) {
    for (const row of rows) {
      calls += factor * row.calls;
      fallbacks += factor * row.fallbacks;
      byModel[row.model] = (byModel[row.model] ?? 0) + factor * row.calls;
    }
  }
  return { calls, fallbacks, byModel: Object.fromEntries(Object.entries(byModel).filter(([, count]) => count > 0)) };
}

const CALLS_KEPT_MS = 400 * 24 * 60 * 60 * 1000;

/** Deletes calls and hourly sums older than a year. The sums of days and months stay. */
export async function purgeOldCalls(ctx: Context): Promise<number> {
  const end = new Date(ctx.now.getTime() - CALLS_KEPT_MS);
  const calls = await purge(ctx.db, aiCalls, lt(aiCalls.at, end), ctx.signal);
  return calls + (await purge(ctx.db, aiUsage, lt(aiUsage.hour, end.getTime()), ctx.signal));
}
