import { sql } from "drizzle-orm";
import { VERSION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { errorFields, log } from "../../log.ts";
import type { Health } from "./schemas.ts";

export async function checkHealth(ctx: Context): Promise<Health> {
  const [latencyMs, kv] = await Promise.all([databaseLatency(ctx), kvResponds(ctx)]);
  const { problems } = ctx.config;
  const healthy = latencyMs !== null && kv && problems.length === 0;
  return {
    status: healthy ? "ok" : "degraded",
    version: VERSION,
    time: ctx.now.toISOString(),
    checks: {
      database: { ok: latencyMs !== null, latencyMs },
      kv: { ok: kv },
      secrets: { ok: problems.length === 0, problems: [...problems] },
    },
  };
}

async function databaseLatency(ctx: Context): Promise<number | null> {
  const started = Date.now();
  try {
    await ctx.db.run(sql`SELECT 1`);
    return Date.now() - started;
  } catch (error) {
    log("error", "database_unreachable", { requestId: ctx.requestId, ...errorFields(error) });
    return null;
  }
}

async function kvResponds(ctx: Context): Promise<boolean> {
  try {
    await ctx.config.bindings.KV.get("health");
    return true;
  } catch (error) {
    log("error", "kv_unreachable", { requestId: ctx.requestId, ...errorFields(error) });
    return false;
  }
}
