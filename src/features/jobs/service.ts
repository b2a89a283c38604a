import { and, asc, eq, lt, notInArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf, selectRows } from "../../db/bulk.ts";
import { jobs } from "../../db/schema/jobs.ts";
import { AppError } from "../../lib/errors.ts";
import { withIsoTimes } from "../../lib/iso-times.ts";
import { atMinute, type Problem } from "../../lib/service-problems.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields } from "../../log.ts";
import type { JobState } from "./schemas.ts";

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

/** A success ends an outage. `everyMs`: not if one was recorded in this time and nothing has failed since. */
export async function recordSuccess(
  ctx: Context,
  { name, toleranceMs }: NamedJob,
  durationMs: number,
  everyMs?: number,
): Promise<void> {
  const now = Date.now();
  const isNews = sql`due_at <= ${now + toleranceMs - (everyMs ?? 0)}
    OR last_failed_at > coalesce(last_succeeded_at, 0) OR last_succeeded_at IS NULL`;
  await ctx.db
    .update(jobs)
    .set({
      lastSucceededAt: new Date(now),
      lastDurationMs: durationMs,
      dueAt: new Date(now + toleranceMs),
    })
    .where(everyMs === undefined ? eq(jobs.name, name) : and(eq(jobs.name, name), sql`(${isNews})`));
}

export async function recordFailure(ctx: Context, { name }: NamedJob, durationMs: number, error: unknown) {
  await ctx.db
    .update(jobs)
    .set({ lastFailedAt: new Date(), lastDurationMs: durationMs, lastError: errorText(error) })
    .where(eq(jobs.name, name));
}

/** The error in one line for the log, without quotes and addresses, which may be personal or secret. */
function errorText(error: unknown): string {
  const { error: name, message, cause } = errorFields(error);
  const text = `${error instanceof AppError ? error.code : name}: ${cause ?? message ?? "unknown"}`;
  return text
    .replaceAll(/"[^"]*"|“[^“”]*”|`[^`]*`|(?<=\s)'[^']*'|(?<!\S)[^\s@]+@\S+|(?<!\w)\w+:\/\/\S+/g, "…")
    .replaceAll(/\s+/g, " ")
    .slice(0, MAX_ERROR_CHARACTERS);
}

/** When a cron last fired, as an SQL expression; NULL if none ever did. */
export function lastStart(): SQL {
  return sql`(SELECT max(${jobs.lastStartedAt}) FROM ${jobs})`;
}

/** Whether a job has not succeeded for a day, as an SQL expression. */
export function anyJobOverdue(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${jobs} WHERE ${lt(jobs.dueAt, new Date())})`;
}

/** The statement that reads all jobs, for a batch. */
export function selectJobs({ db }: Pick<Context, "db">) {
  return db.select().from(jobs).orderBy(asc(jobs.name));
}

type JobRow = typeof jobs.$inferSelect;

/** How a job is, and what is wrong with it. */
export function readJob({ dueAt, ...row }: JobRow) {
  const lateMs = Math.max(0, Date.now() - dueAt.getTime());
  const problem = lateMs > 0 ? overdue(row, dueAt) : null;
  const ended = Math.max(row.lastSucceededAt?.getTime() ?? 0, row.lastFailedAt?.getTime() ?? 0);
  const state: JobState = {
    ...withIsoTimes(row),
    ok: problem === null,
    detail: problem?.detail ?? null,
    dueAt: dueAt.toISOString(),
    lateSeconds: Math.round(lateMs / 1000),
  };
  return { state, problem, isRunning: (row.lastStartedAt?.getTime() ?? 0) > ended };
}

function overdue({ name, lastSucceededAt, lastError }: Omit<JobRow, "dueAt">, dueAt: Date): Problem {
  const success = lastSucceededAt ? `has not succeeded since ${atMinute(lastSucceededAt)}` : "has never succeeded";
  const reason = lastError ? `Last error: ${lastError}` : "It was not started, or was cut off.";
  return { code: "job_overdue", subject: name, detail: `The job ${name} ${success}. ${reason}`, since: dueAt };
}
