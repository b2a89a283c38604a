import { and, eq, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectRows } from "../../db/bulk.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookingsvc.ts";
import type { Booking } from "../../lib/booking.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { type BookingProvider, createBookingProvider, PACE, type Pace } from "../../providers/bookingsvc/client.ts";
import { applyBookings } from "../calendar/bookings/apply-bookings.ts";
import { type BookingPage, bookingPages } from "./booking-pages.ts";
import { apiKeyOf, type ConnectionRow, notConfigured, theConnection } from "./connection.ts";
import { notifyOutage } from "./outage.ts";
import { toRun } from "./runs.ts";

type RunRow = typeof syncRuns.$inferSelect;

export interface SyncRequest {
  trigger: RunRow["trigger"];
  /** Also read every booking since a month ago, because the provider does not date all changes. */
  full?: boolean;
}

/** How long a run may take, and how it retries. */
export interface Limits {
  pace: Pace;
  /** A run that takes longer stops, and the next one continues. */
  runMs: number;
  maxPages: number;
  /** Asks the run to stop; the next one continues. */
  signal?: AbortSignal | null;
}

/**
 * 150 pages are 37,500 bookings. A changed page takes four statements, so that is 600 of the 1,000 that an invocation
 * may run. The cron gives its run a smaller budget.
 */
export const LIMITS: Limits = { pace: PACE, runMs: 10 * 60_000, maxPages: 150 };

const LEASE_MS = 2 * 60_000;
const RENEW_MS = 30_000;
/** Tolerance for clock differences, and for transactions that the provider commits late. */
const OVERLAP_MS = 5 * 60_000;
const FULL_REACH_MS = 30 * 24 * 60 * 60_000;
/** The nightly run is a full one; this makes up for a night that failed. */
const FULL_EVERY_MS = 25 * 60 * 60_000;
const MAX_ERRORS = 50;

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
    const apiKey = await apiKeyOf(ctx, connection);
    const provider = createBookingProvider(ctx.config.BOOKINGSVC_BASE_URL, apiKey, limits.pace);
    await readChanges(provider, connection, run, progress);
  } catch (error) {
    // An unforeseen error also has to end the run, otherwise it would keep the lease.
    failure = error instanceof AppError ? error : new AppError("internal");
    if (!(error instanceof AppError)) {
      await progress.finish(failure);
      throw error;
    }
  }
  return { run: await progress.finish(failure), failure };
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

async function readChanges(provider: BookingProvider, connection: ConnectionRow, run: RunRow, progress: Progress) {
  if (connection.watermark === null) return readEverything(provider, connection, run, progress);
  // Starts a little before the last change seen, in case one was late. An interrupted run continues where it stopped.
  const since = connection.resumeAt ?? new Date(connection.watermark.getTime() - OVERLAP_MS);
  let reached = since;
  for await (const page of bookingPages(provider, "updatedAt", since)) {
    reached = page.reached;
    if (!(await progress.apply(page, reached))) return;
  }
  progress.caughtUpTo(reached > connection.watermark ? reached : connection.watermark);
  if (run.mode === "incremental") return;
  const wasRead = ({ externalUpdatedAt: at }: Booking) => at !== null && at >= since && at <= reached;
  for await (const page of bookingPages(provider, "start", new Date(run.startedAt.getTime() - FULL_REACH_MS))) {
    const bookings = page.bookings.filter((booking) => !wasRead(booking));
    if (!(await progress.apply({ ...page, bookings }))) return;
  }
  progress.readAll();
}

/** The first sync goes by start, because every booking has one, so that a single pass finds them all. */
async function readEverything(
  provider: BookingProvider,
  { resumeAt, firstWalkAt }: ConnectionRow,
  run: RunRow,
  progress: Progress,
) {
  const began = firstWalkAt ?? run.startedAt;
  progress.startFirstPass(began);
  let newest = new Date(0);
  for await (const page of bookingPages(provider, "start", resumeAt ?? new Date(0))) {
    for (const { externalUpdatedAt: at } of page.bookings) if (at && at > newest) newest = at;
    if (!(await progress.apply(page, page.reached))) return;
  }
  // The earlier of the provider's clock and ours, so that no change is missed.
  progress.caughtUpTo(newest < began ? newest : began);
  progress.readAll();
}

/** Claims the lease by inserting the run's row, unless another run holds it. */
async function open(ctx: Context, { trigger, full }: SyncRequest): Promise<{ run: RunRow; connection: ConnectionRow }> {
  const id = randomToken();
  const now = ctx.now.getTime();
  const isOverdue = sql`coalesce((SELECT last_full_at FROM booking_connection), 0) <= ${now - FULL_EVERY_MS}`;
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
        AND NOT EXISTS (SELECT 1 FROM sync_runs WHERE status = 'running') AND EXISTS (SELECT 1 FROM booking_connection)`,
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

const NOTHING_YET = { fetched: 0, created: 0, updated: 0, unchanged: 0, cancelled: 0, skipped: 0 };

/** The progress of a run, saved from time to time and at its end. */
class Progress {
  readonly #ctx: Context;
  readonly #run: RunRow;
  readonly #connection: ConnectionRow;
  readonly #limits: Limits;
  readonly #counts = { ...NOTHING_YET };
  readonly #errors: string[] = [];
  readonly #startedAt = Date.now();
  #place: Pick<ConnectionRow, "watermark" | "resumeAt" | "firstWalkAt">;
  #renewedAt = Date.now();
  #pages = 0;
  #isComplete = false;
  #ranOut = false;

  constructor(ctx: Context, run: RunRow, connection: ConnectionRow, limits: Limits) {
    this.#ctx = ctx;
    this.#run = run;
    this.#connection = connection;
    this.#limits = limits;
    const { watermark, resumeAt, firstWalkAt } = connection;
    this.#place = { watermark, resumeAt, firstWalkAt };
  }

  /** Writes a page into the calendar. Returns false when the run has reached a limit. */
  async apply({ bookings, problems, notes }: Omit<BookingPage, "reached">, reached?: Date) {
    const counts = this.#counts;
    counts.fetched += bookings.length + this.#skip(problems);
    for (const note of notes) this.#note(note);
    const applied = await applyBookings(this.#ctx, bookings);
    for (const name of ["created", "updated", "unchanged", "cancelled"] as const) counts[name] += applied[name];
    this.#skip(applied.problems);
    if (reached) this.#place.resumeAt = reached;
    this.#pages += 1;
    await this.#renew();
    const { maxPages, runMs, signal } = this.#limits;
    this.#ranOut = this.#pages >= maxPages || Date.now() - this.#startedAt > runMs || signal?.aborted === true;
    return !this.#ranOut;
  }

  /** Counts bookings that could not be stored; one that both passes read counts once. */
  #skip(problems: readonly string[]): number {
    const fresh = problems.filter((problem) => !this.#errors.includes(problem));
    for (const problem of fresh) this.#note(problem);
    this.#counts.skipped += fresh.length;
    return fresh.length;
  }

  #note(problem: string): void {
    if (this.#errors.length < MAX_ERRORS && !this.#errors.includes(problem)) this.#errors.push(problem);
  }

  startFirstPass(at: Date): void {
    this.#place.firstWalkAt = at;
  }

  /** Every change up to `watermark` is in the calendar. */
  caughtUpTo(watermark: Date): void {
    this.#place = { watermark, resumeAt: null, firstWalkAt: null };
  }

  readAll(): void {
    this.#isComplete = true;
  }

  /** Renews the lease and saves the progress, from which the next run continues if this one dies. */
  async #renew(): Promise<void> {
    if (Date.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = Date.now();
    const [kept] = await this.#ctx.db.batch([
      this.#ctx.db
        .update(syncRuns)
        .set({ ...this.#counts, leaseUntil: new Date(Date.now() + LEASE_MS) })
        .where(and(eq(syncRuns.id, this.#run.id), eq(syncRuns.status, "running")))
        .returning({ id: syncRuns.id }),
      this.#updateConnection(this.#place),
    ]);
    if (kept.length === 0) throw new AppError("sync_in_progress", "Another sync has taken over.");
  }

  /** Not if another key was saved meanwhile: its first sync starts from the beginning. */
  #updateConnection(change: Partial<ConnectionRow>) {
    return this.#ctx.db
      .update(bookingConnection)
      .set(change)
      .where(and(theConnection, eq(bookingConnection.keyUpdatedAt, this.#connection.keyUpdatedAt)));
  }

  async finish(failure: AppError | null): Promise<RunRow> {
    if (failure) this.#note(failure.message);
    if (this.#ranOut) this.#note("The run reached its limit; the next one continues from here.");
    const isStopped = failure !== null || this.#ranOut;
    const status = !isStopped ? "succeeded" : this.#pages > 0 ? "partial" : "failed";
    const finishedAt = new Date();
    const { db } = this.#ctx;
    const connectionChange = this.#connectionChange(failure, status, finishedAt);
    const [[finished]] = await db.batch([
      db
        .update(syncRuns)
        .set({ ...this.#counts, errors: this.#errors, status, finishedAt })
        .where(and(eq(syncRuns.id, this.#run.id), eq(syncRuns.status, "running")))
        .returning(),
      ...(connectionChange ? [this.#updateConnection(connectionChange)] : []),
    ]);
    return finished ?? { ...this.#run, ...this.#counts, errors: this.#errors, status: "failed", finishedAt };
  }

  /** Null if there is nothing to save, so that a run without changes only writes its own row. */
  #connectionChange(failure: AppError | null, result: RunRow["status"], finishedAt: Date) {
    const { status, outageReportedAt } = this.#connection;
    const refused = failure?.code === "provider_unauthorized";
    const isProven = this.#pages > 0 && status !== "connected";
    const change = {
      ...(this.#hasMoved() && this.#place),
      ...(this.#isComplete && result === "succeeded" && { lastFullAt: finishedAt }),
      ...(refused ? { status: "invalid_key" as const } : isProven && { status: "connected" as const }),
      ...(outageReportedAt && result === "succeeded" && { outageReportedAt: null }),
    };
    return Object.keys(change).length > 0 ? change : null;
  }

  #hasMoved(): boolean {
    const before = this.#connection;
    const names = ["watermark", "resumeAt", "firstWalkAt"] as const;
    return names.some((name) => this.#place[name]?.getTime() !== before[name]?.getTime());
  }
}
