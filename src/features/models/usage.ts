import { gte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { aiCalls, aiUsage } from "../../db/schema/models.ts";
import { assertType } from "../../lib/cast.ts";
import type { AiTask, Engine } from "../../lib/engine/label.ts";

export interface CallRecord {
  task: AiTask;
  engine: Engine;
  inputTokens: number;
  outputTokens: number;
  durationMs: number;
}

/** Writes down what an AI call cost. Its sums follow by a trigger. */
export async function recordCall(ctx: Context, { task, engine, ...cost }: CallRecord): Promise<void> {
  const { actor } = ctx;
  await ctx.db.insert(aiCalls).values({
    at: ctx.now,
    task,
    userId: "user" in actor ? actor.user.id : null,
    model: engine.kind === "builtin" ? "builtin" : assertType<(typeof aiCalls.$inferInsert)["model"]>(engine.model),
    provider: engine.provider,
    upstreamModel: engine.upstreamModel,
    fallbackReason: engine.fallbackReason,
    ...cost,
  });
}

/** The calls since a moment, by model, to ride in another verb's batch. Counted in whole hours. */
export function selectUsageSince(ctx: Context, since: Date) {
  return ctx.db
    .select({
      model: aiUsage.model,
      calls: sql<number>`sum(${aiUsage.calls})`,
      fallbacks: sql<number>`sum(${aiUsage.fallbacks})`,
      inputTokens: sql<number>`sum(${aiUsage.inputTokens})`,
      outputTokens: sql<number>`sum(${aiUsage.outputTokens})`,
    })
    .from(aiUsage)
    .where(gte(aiUsage.hour, since.getTime()))
    .groupBy(aiUsage.model);
}
