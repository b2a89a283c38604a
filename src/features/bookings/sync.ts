import { and, eq, isNull, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectRows } from "../../db/bulk.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookings.ts";
import type { Booking } from "../../lib/booking.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import type { QueueMessageOf } from "../../lib/queue-messages.ts";
import type { BookingAccount } from "../../providers/bookings/provider.ts";
import { notify } from "../notifications/service.ts";
import { listOwners } from "../people/owners.ts";
import { bookingPages } from "./booking-pages.ts";
import { type ConnectionRow, notConfigured, openAccount, theConnection } from "./connection.ts";
import { LEASE_MS, LIMITS, type Limits, NOTHING_YET, Progress, type RunRow } from "./progress.ts";
import { toRun } from "./runs.ts";

type Continuation = QueueMessageOf<"bookings.sync">;

export interface SyncRequest {
  trigger: Continuation["trigger"];
  /** Also read every booking since a month ago, because the provider does not date all changes. */
  full?: boolean;
  /** Runs only while the sync is still here. */
  from?: Continuation["from"];
}

/** Tolerance for clock differences, and for transactions that the provider commits late. */
const OVERLAP_MS = 5 * 60_000;
const FULL_REACH_MS = 30 * 24 * 60 * 60_000;
/** The nightly run is a full one; this makes up for a night that failed. */
const FULL_EVERY_MS = 25 * 60 * 60_000;

/** Syncs the calendar with the provider. Throws `sync_in_progress` while another run is active. */
export async function syncBookings(ctx: Context, request: SyncRequest, limits: Limits = LIMITS) {
  const { run, failure } = await runSync(ctx, request, limits);
  if (run.status === "failed" && failure) throw failure;
  return toRun(run);
}

/** A run that fails after its first page keeps what it has read: it is `partial`, and has a failure all the same. */
async function runSync(
  ctx: Context,
  request: SyncRequest,
  limits: Limits,
): Promise<{ run: RunRow; failure: AppError | null }> {
  const { run, connection } = await open(ctx, request);
  const progress = new Progress(ctx, run, connection, limits);
  let failure: AppError | null = null;
  try {
    await readChanges(await openAccount(ctx, connection, limits.pace), connection, run, progress);
  } catch (error) {
    // An unforeseen error also has to end the run, otherwise it would keep the lease.
    failure = error instanceof AppError ? error : new AppError("internal");
    if (!(error instanceof AppError)) {
      await progress.finish(failure);
      throw error;
    }
  }
  const finished = await progress.finish(failure);
  const { continuation: from } = progress;
  if (from) ctx.enqueue([{ kind: "bookings.sync", trigger: request.trigger, from }], { lane: "retries" });
  return { run: finished, failure };
}

/** For the cron, where a missing provider or another active run is not an error. */
export async function syncIfConnected(ctx: Context, request: SyncRequest): Promise<Record<string, number>> {
  try {
    const { run, failure } = await runSync(ctx, request, { ...LIMITS, signal: ctx.signal });
    if (failure) throw failure;
    const { fetched, created, updated, unchanged, cancelled, skipped } = run;
    return { fetched, created, updated, unchanged, cancelled, skipped };
  } catch (error) {
    const isFine = error instanceof AppError && ["bookingsvc_not_configured", "sync_in_progress"].includes(error.code);
    if (isFine) return {};
    await notifyOutage(ctx, error);
    throw error;
  }
}

/**
 * For the queue: continues a run that stopped at its limit. A message that comes twice finds the sync elsewhere, or the
 * other run active. If it is lost or fails, the next run by the cron continues.
 */
export async function continueSync(ctx: Context, { trigger, from }: Continuation): Promise<void> {
  try {
    await syncIfConnected(ctx, { trigger, from });
  } catch (error) {
    // The run is recorded and the owner notified.
    if (!(error instanceof AppError)) throw error;
  }
}

async function readChanges(account: BookingAccount, connection: ConnectionRow, run: RunRow, progress: Progress) {
  if (connection.watermark === null) return readEverything(account, connection, run, progress);
  // Starts a little before the last change seen, in case one was late. An interrupted run continues where it stopped.
  const since = connection.resumeAt ?? new Date(connection.watermark.getTime() - OVERLAP_MS);
  const start = connection.fullResumeAt ?? new Date(run.startedAt.getTime() - FULL_REACH_MS);
  // Noted first: wherever this run stops, the second pass is still to be done.
  if (run.mode === "full") progress.startSecondPass(start);
  let reached = since;
  for await (const page of bookingPages(account, "updatedAt", since)) {
    reached = page.reached;
    if (!(await progress.apply(page, { resumeAt: reached }))) return;
  }
  progress.caughtUpTo(reached > connection.watermark ? reached : connection.watermark);
  if (run.mode === "incremental") return;
  const wasRead = ({ externalUpdatedAt: at }: Booking) => at !== null && at >= since && at <= reached;
  for await (const page of bookingPages(account, "start", start)) {
    const bookings = page.bookings.filter((booking) => !wasRead(booking));
    if (!(await progress.apply({ ...page, bookings }, { fullResumeAt: page.reached }))) return;
  }
  progress.readAll();
}

/** The first sync goes by start, because every booking has one, so that a single pass finds them all. */
async function readEverything(
  account: BookingAccount,
  { resumeAt, firstWalkAt }: ConnectionRow,
  run: RunRow,
  progress: Progress,
) {
  const began = firstWalkAt ?? run.startedAt;
  progress.startFirstPass(began);
  let newest = new Date(0);
  for await (const page of bookingPages(account, "start", resumeAt ?? new Date(0))) {
    for (const { externalUpdatedAt: at } of page.bookings) if (at && at > newest) newest = at;
    if (!(await progress.apply(page, { resumeAt: page.reached }))) return;
  }
  // The earlier of the provider's clock and ours, so that no change is missed.
  progress.caughtUpTo(newest < began ? newest : began);
  progress.readAll();
}

/** Claims the lease by inserting the run's row, unless another run holds it. */
async function open(ctx: Context, { trigger, full, from }: SyncRequest) {
  const id = randomToken();
  const now = ctx.now.getTime();
  const isOverdue = sql`EXISTS (SELECT 1 FROM booking_connection
    WHERE full_resume_at IS NOT NULL OR coalesce(last_full_at, 0) <= ${now - FULL_EVERY_MS})`;
  const isThere = from ? sql`resume_at IS ${from.resumeAt} AND full_resume_at IS ${from.fullResumeAt}` : sql`1`;
  const fresh: RunRow = {
    id,
    trigger,
    mode: full ? "full" : "incremental",
    status: "running",
    leaseUntil: new Date(now + LEASE_MS),
    ...NOTHING_YET,
    errors: [],
    startedAt: ctx.now,
    finishedAt: null,
  };
  const [, , , [run], [connection]] = await ctx.db.batch([
    ctx.db
      .update(syncRuns)
      .set({ status: "failed", finishedAt: ctx.now, errors: ["The run was interrupted; the next one continues."] })
      .where(and(eq(syncRuns.status, "running"), lte(syncRuns.leaseUntil, ctx.now))),
    ctx.db.insert(syncRuns).select(
      sql`${selectRows(syncRuns, [fresh])}
        AND NOT EXISTS (SELECT 1 FROM sync_runs WHERE status = 'running')
        AND EXISTS (SELECT 1 FROM booking_connection WHERE ${isThere})`,
    ),
    ctx.db
      .update(syncRuns)
      .set({ mode: "full" })
      .where(and(eq(syncRuns.id, id), isOverdue)),
    ctx.db.select().from(syncRuns).where(eq(syncRuns.id, id)),
    ctx.db.select().from(bookingConnection).where(theConnection),
  ]);
  if (!connection) throw notConfigured();
  if (!run) throw new AppError("sync_in_progress", "A sync is already running. Try again when it has finished.");
  return { run, connection };
}

/** Notifies the owner that the sync fails, once until a run has succeeded again. */
async function notifyOutage(ctx: Context, error: unknown): Promise<void> {
  const claimed = await ctx.db
    .update(bookingConnection)
    .set({ outageReportedAt: ctx.now })
    .where(and(theConnection, isNull(bookingConnection.outageReportedAt)))
    .returning({ id: bookingConnection.id });
  if (claimed.length === 0) return;
  const reason = error instanceof AppError ? error.message : "An internal error occurred; see the service's log.";
  notify(ctx, await listOwners(ctx), {
    kind: "sync_failure",
    write: () => ({
      subject: "The booking sync is failing",
      blocks: [
        "Your calendar could not be synced with the booking provider.",
        reason,
        "The sync is retried every 15 minutes. You will not get another email until it has worked again.",
      ],
    }),
  });
}
