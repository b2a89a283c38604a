import { VERSION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { errorFields, log } from "../../log.ts";
import { hasOwner } from "../people/owners.ts";
import type { Health } from "./schemas.ts";

export async function checkHealth(ctx: Context): Promise<Health> {
  const [{ latencyMs, isOwned }, kv] = await Promise.all([askDatabase(ctx), kvResponds(ctx)]);
  const { config } = ctx;
  // Only needed until there is an owner.
  const isSetupBlocked = !isOwned && config.SETUP_TOKEN === undefined && !config.ALLOW_PRIVATE_HOSTS;
  const problems = [
    ...config.problems,
    ...(isSetupBlocked ? ["SETUP_TOKEN is missing: nobody can register as the owner"] : []),
  ];
  const healthy = latencyMs !== null && kv && problems.length === 0;
  return {
    status: healthy ? "ok" : "degraded",
    version: VERSION,
    time: ctx.now.toISOString(),
    checks: {
      database: { ok: latencyMs !== null, latencyMs },
      kv: { ok: kv },
      secrets: { ok: problems.length === 0, problems },
    },
  };
}

/** One query, which also tells whether the service has an owner. */
async function askDatabase(ctx: Context): Promise<{ latencyMs: number | null; isOwned: boolean }> {
  const started = Date.now();
  try {
    const isOwned = await hasOwner(ctx);
    return { latencyMs: Date.now() - started, isOwned };
  } catch (error) {
    log("error", "database_unreachable", { requestId: ctx.requestId, ...errorFields(error) });
    return { latencyMs: null, isOwned: true };
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
