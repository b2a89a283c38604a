import { sql } from "drizzle-orm";
import { VERSION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { errorFields, log } from "../../log.ts";
import { anyJobOverdue, selectJobs, toJobState } from "../jobs/service.ts";
import { anyAccount } from "../people/account.ts";
import type { Health, HealthDetails } from "./schemas.ts";

/**
 * What anybody may know. While the service has no account there is nothing to protect and nobody who could read the
 * details, so that the operator sees here which settings are missing.
 */
export async function checkHealth(ctx: Context): Promise<{ isReachable: boolean; health: Health }> {
  const [database, kv] = await Promise.all([askDatabase(ctx), kvResponds(ctx)]);
  const { SETUP_TOKEN, ALLOW_PRIVATE_HOSTS } = ctx.config;
  const problems = [...ctx.config.problems];
  // Only needed until there is an account.
  if (database?.hasAccount === false && SETUP_TOKEN === undefined && !ALLOW_PRIVATE_HOSTS) {
    problems.push("SETUP_TOKEN is missing: nobody can register as the owner");
  }
  const isHealthy = database !== null && !database.isJobOverdue && kv && problems.length === 0;
  const showsProblems = ALLOW_PRIVATE_HOSTS || database?.hasAccount === false;
  const health = { ...statusOf(ctx, isHealthy), ...(showsProblems && { problems }) };
  return { isReachable: database !== null, health };
}

/** For the owner. The database responds: it has just read the session. */
export async function readHealthDetails(ctx: Context): Promise<HealthDetails> {
  const started = Date.now();
  const [[jobs, latencyMs], kv] = await Promise.all([
    selectJobs(ctx).then((rows) => [rows.map(toJobState), Date.now() - started] as const),
    kvResponds(ctx),
  ]);
  const { problems } = ctx.config;
  const isHealthy = kv && problems.length === 0 && jobs.every(({ healthy }) => healthy);
  return {
    ...statusOf(ctx, isHealthy),
    checks: {
      database: { ok: true, latencyMs },
      kv: { ok: kv },
      secrets: { ok: problems.length === 0, problems: [...problems] },
    },
    jobs,
  };
}

function statusOf({ now }: Context, isHealthy: boolean) {
  return { status: isHealthy ? ("ok" as const) : ("degraded" as const), version: VERSION, time: now.toISOString() };
}

/** Null if it cannot be reached. */
async function askDatabase(ctx: Context): Promise<{ hasAccount: boolean; isJobOverdue: boolean } | null> {
  try {
    const [row] = await ctx.db.all<{ account: number; overdue: number }>(
      sql`SELECT ${anyAccount()} AS account, ${anyJobOverdue()} AS overdue`,
    );
    return { hasAccount: row?.account === 1, isJobOverdue: row?.overdue === 1 };
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
