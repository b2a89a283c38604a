import { type SQL, sql } from "drizzle-orm";
import { VERSION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { anyJob, anyJobOverdue, selectJobs, toJobState } from "../jobs/service.ts";
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
  const showsProblems = ALLOW_PRIVATE_HOSTS || database?.hasAccount === false;
  const health = { ...statusOf(ctx, { database, kv, problems }), ...(showsProblems && { problems }) };
  return { isReachable: database !== null, health };
}

/** For the owner. The database responds: it has just read the session. */
export async function readHealthDetails(ctx: Context): Promise<HealthDetails> {
  const started = Date.now();
  const [[jobs, latencyMs], database, kv] = await Promise.all([
    selectJobs(ctx).then((rows) => [rows.map(toJobState), Date.now() - started] as const),
    askDatabase(ctx),
    kvResponds(ctx),
  ]);
  const { problems } = ctx.config;
  return {
    ...statusOf(ctx, { database, kv, problems }),
    checks: {
      database: { ok: true, latencyMs },
      kv: { ok: kv },
      secrets: { ok: problems.length === 0, problems: [...problems] },
    },
    jobs,
  };
}

/** Null if it cannot be reached. */
type DatabaseState = { hasAccount: boolean; areJobsLate: boolean } | null;

interface Checked {
  database: DatabaseState;
  kv: boolean;
  problems: readonly string[];
}

function statusOf({ now }: Context, { database, kv, problems }: Checked) {
  const isHealthy = database !== null && !database.areJobsLate && kv && problems.length === 0;
  return { status: isHealthy ? ("ok" as const) : ("degraded" as const), version: VERSION, time: now.toISOString() };
}

async function askDatabase(ctx: Context): Promise<DatabaseState> {
  try {
    const [row] = await ctx.db.all<{ account: number; late: number }>(
      sql`SELECT ${anyAccount()} AS account, ${anyJobOverdue()} OR ${hasNoJobs(ctx)} AS late`,
    );
    return { hasAccount: row?.account === 1, areJobsLate: row?.late === 1 };
  } catch (error) {
    log("error", "database_unreachable", { requestId: ctx.requestId, ...errorFields(error) });
    return null;
  }
}

/** Whether no cron has ever fired, a day after the first account was made. In local development none does. */
function hasNoJobs({ config, now }: Context): SQL {
  if (config.ALLOW_PRIVATE_HOSTS) return sql`0`;
  return sql`(NOT ${anyJob()} AND ${anyAccount({ before: new Date(now.getTime() - DAY_MS) })})`;
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
