import { sql } from "drizzle-orm";
import { VERSION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { type ProblemCode, reading } from "../../lib/service-problems.ts";
import { errorFields, log } from "../../log.ts";
import { anyOpenAlert, toProblem } from "../alerts/service.ts";
import { anyJobOverdue } from "../jobs/service.ts";
import { anyAccount } from "../people/account.ts";
import { examine } from "./examination.ts";
import type { Health, HealthDetails } from "./schemas.ts";
import { areCronsSilent } from "./silence.ts";

/**
 * What anybody may know. While the service has no account there is nothing to protect and nobody who could read the
 * details, so that the operator sees here which settings are missing.
 */
export async function checkHealth(ctx: Context): Promise<{ isReachable: boolean; health: Health }> {
  const [database, kv, files] = await Promise.all([askDatabase(ctx), askKv(ctx), askFiles(ctx)]);
  const { SETUP_TOKEN, ALLOW_PRIVATE_HOSTS } = ctx.config;
  const problems = [...ctx.config.problems];
  // Only needed until there is an account.
  if (database?.hasAccount === false && SETUP_TOKEN === undefined && !ALLOW_PRIVATE_HOSTS) {
    problems.push("SETUP_TOKEN is missing: nobody can register as the owner");
  }
  const hasStores = kv.problems.length === 0 && files.problems.length === 0;
  const isWell = database !== null && !database.hasProblem && hasStores && problems.length === 0;
  const showsProblems = ALLOW_PRIVATE_HOSTS || database?.hasAccount === false;
  return {
    isReachable: database !== null,
    health: { ...headOf(ctx, isWell), ...(showsProblems && { problems }) },
  };
}

/** For the owner. The database responds: it has just read the session. */
export async function readHealthDetails(ctx: Context): Promise<HealthDetails> {
  const [examined, kv, fileStore] = await Promise.all([examine(ctx), askKv(ctx), askFiles(ctx)]);
  const {
    alerts,
    latencyMs,
    jobs,
    files,
    stored,
    storage,
    webhooks,
    captions,
    analyses,
    outgoingEmails,
    sync,
    mailboxes,
    settings,
  } = examined;
  const problems = [...examined.problems, ...kv.problems, ...fileStore.problems];
  return {
    ...headOf(ctx, problems.length === 0),
    problems: problems.map((problem) => toProblem(problem, alerts, ctx.now)),
    checks: {
      database: { ok: true, detail: null, latencyMs },
      kv: kv.vital,
      fileStore: fileStore.vital,
      secrets: settings.vital,
    },
    storage: { database: storage.vital, files: stored },
    webhooks: webhooks.vital,
    captions: captions.vital,
    analyses: analyses.vital,
    outgoingEmails: outgoingEmails.vital,
    sync: sync.vital,
    mailboxes: mailboxes.vital,
    files,
    jobs,
  };
}

function headOf({ now }: Context, isWell: boolean) {
  return { status: isWell ? ("ok" as const) : ("degraded" as const), version: VERSION, time: now.toISOString() };
}

/** Null if it cannot be reached. */
type DatabaseState = { hasAccount: boolean; hasProblem: boolean } | null;

async function askDatabase(ctx: Context): Promise<DatabaseState> {
  try {
    const [row] = await ctx.db.all<{ account: number; problem: number }>(
      sql`SELECT ${anyAccount()} AS account, ${anyJobOverdue()} OR ${anyOpenAlert()} OR ${areCronsSilent(ctx)} AS problem`,
    );
    return { hasAccount: row?.account === 1, hasProblem: row?.problem === 1 };
  } catch (error) {
    log("error", "database_unreachable", { requestId: ctx.requestId, ...errorFields(error) });
    return null;
  }
}

function askKv(ctx: Context) {
  const detail = "The key-value store does not respond. It has the AI keys and avatars.";
  return askStore(ctx, "kv_unreachable", detail, ({ KV }) => KV.get("health"));
}

function askFiles(ctx: Context) {
  const detail = "The file store does not respond. It has raw emails, attachments and long texts.";
  return askStore(ctx, "files_unreachable", detail, ({ FILES }) => FILES.head("health"));
}

async function askStore(
  ctx: Context,
  code: ProblemCode,
  detail: string,
  ask: (bindings: Context["config"]["bindings"]) => Promise<unknown>,
) {
  const startedAt = Date.now();
  try {
    await ask(ctx.config.bindings);
    return reading({ latencyMs: Date.now() - startedAt }, []);
  } catch (error) {
    log("error", code, { requestId: ctx.requestId, ...errorFields(error) });
    return reading({ latencyMs: null }, [{ code, subject: null, detail, since: null }]);
  }
}
