import { and, asc, eq, isNull, lt, notInArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf, isOneOf, selectRows } from "../../db/bulk.ts";
import { jobs } from "../../db/schema/jobs.ts";
import { AppError } from "../../lib/errors.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields } from "../../log.ts";
import type { JobState, ServiceAlert } from "../jobs/schemas.ts";
import { notify } from "../notifications/service.ts";
import { listOwners, ownerId } from "../people/owners.ts";

export interface NamedJob {
  name: string;
  /** How long it may go without success. */
  toleranceMs: number;
}

export interface PlannedJob extends NamedJob {
  /** Whether it is part of the run that starts now. */
  isStarting: boolean;
}

/** Longer than all jobs of a cron may take together: a job without a result by then died with its Worker. */
const RUN_MS = 14 * MINUTE_MS;
const DIED = "The Worker stopped before the job had finished.";
const MAX_ERROR_CHARACTERS = 300;

/**
 * Notes that jobs start. Every job of the schedule gets a row, so that a cron that never fires is noticed by the other
 * one; the rows of jobs that no longer exist are deleted.
 */
export async function recordStart(ctx: Context, planned: readonly PlannedJob[]): Promise<void> {
  const now = Date.now();
  const rows = planned.map(({ name, toleranceMs, isStarting }) => ({
    name,
    lastStartedAt: isStarting ? new Date(now) : null,
    dueAt: new Date(now + toleranceMs),
  }));
  const hasDied = sql`last_started_at < ${now - RUN_MS}
    AND last_started_at > max(coalesce(last_succeeded_at, 0), coalesce(last_failed_at, 0))`;
  await ctx.db.batch([
    ctx.db
      .insert(jobs)
      .select(selectRows(jobs, rows))
      .onConflictDoUpdate({
        target: jobs.name,
        set: {
          lastStartedAt: sql`excluded.last_started_at`,
          lastFailedAt: sql`CASE WHEN ${hasDied} THEN ${now} ELSE last_failed_at END`,
          lastError: sql`CASE WHEN ${hasDied} THEN ${DIED} ELSE last_error END`,
        },
        setWhere: sql`excluded.last_started_at IS NOT NULL`,
      }),
    ctx.db.delete(jobs).where(notInArray(jobs.name, anyOf(planned.map(({ name }) => name)))),
  ]);
}

/** A success ends an outage. */
export async function recordSuccess(ctx: Context, { name, toleranceMs }: NamedJob, durationMs: number) {
  const now = Date.now();
  await ctx.db
    .update(jobs)
    .set({
      lastSucceededAt: new Date(now),
      lastDurationMs: durationMs,
      dueAt: new Date(now + toleranceMs),
      alertedAt: null,
    })
    .where(eq(jobs.name, name));
}

export async function recordFailure(ctx: Context, { name }: NamedJob, durationMs: number, error: unknown) {
  await ctx.db
    .update(jobs)
    .set({ lastFailedAt: new Date(), lastDurationMs: durationMs, lastError: errorText(error) })
    .where(eq(jobs.name, name));
}

/** What the log says of the error, in one line. What it quotes, and all addresses, may be about people or secret. */
function errorText(error: unknown): string {
  const { error: name, message, cause } = errorFields(error);
  const text = `${error instanceof AppError ? error.code : name}: ${cause ?? message ?? "unknown"}`;
  return text
    .replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`|(?<=\s)'[^']*'|\S+@\S+|\w+:\/\/\S+/g, "…")
    .replaceAll(/\s+/g, " ")
    .slice(0, MAX_ERROR_CHARACTERS);
}

function isOverdue(): SQL {
  return lt(jobs.dueAt, new Date());
}

/** Whether a cron has ever fired, as an SQL expression. */
export function anyJob(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${jobs})`;
}

/** Whether a job has not succeeded for a day, as an SQL expression. */
export function anyJobOverdue(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${isOverdue()})`;
}

/**
 * Tells the owner about jobs that have not succeeded for a day: once, until they have succeeded again. The update claims
 * them, so that two crons at the same time do not tell twice; a trigger raises the outbound event with it. While there
 * is no owner to be told, nothing is claimed.
 */
export async function alertOverdueJobs(ctx: Context): Promise<void> {
  const overdue = await ctx.db
    .update(jobs)
    .set({ alertedAt: new Date() })
    .where(and(isNull(jobs.alertedAt), isOverdue(), sql`${ownerId(ctx)} IS NOT NULL`))
    .returning();
  if (overdue.length === 0) return;
  const list = overdue.map(({ name, lastSucceededAt, lastError }) => {
    const success = lastSucceededAt ? `Last success: ${lastSucceededAt.toISOString()}.` : "It has never succeeded.";
    return `- ${name}. ${success} ${lastError ? `Last error: ${lastError}` : "It was not started, or was cut off."}`;
  });
  notify(ctx, await listOwners(ctx), {
    kind: "service_alert",
    subject: overdue.length === 1 ? `The job ${overdue[0]?.name} is failing` : `${overdue.length} jobs are failing`,
    text: `These background jobs have not succeeded for a day:

${list.join("\n")}

Each job runs again at its next scheduled time. You will not get another email about a job until it has succeeded.
As the owner you find details at

  ${ctx.baseUrl}/api/health/details

and in the log of the service.
`,
  });
}

/** The statement that reads all jobs, for a batch. */
export function selectJobs({ db }: Pick<Context, "db">) {
  return db.select().from(jobs).orderBy(asc(jobs.name));
}

type JobRow = typeof jobs.$inferSelect;

export function toJobState({ dueAt, alertedAt, ...row }: JobRow): JobState {
  return { ...withIsoTimes(row), healthy: dueAt.getTime() >= Date.now() };
}

/** The alerts about these jobs by name, for outbound events. None while there is no owner to get them. */
export async function loadServiceAlerts(ctx: Context, names: readonly string[]): Promise<Map<string, ServiceAlert>> {
  const [rows, [owner]] = await ctx.db.batch([
    ctx.db.select().from(jobs).where(isOneOf(jobs.name, names)),
    listOwners(ctx),
  ]);
  if (!owner) return new Map();
  const alert = (row: JobRow) => ({ kind: "job_overdue" as const, job: toJobState(row), userId: owner.id });
  return new Map(rows.map((row) => [row.name, alert(row)]));
}
