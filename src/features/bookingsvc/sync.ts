import { and, eq, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { selectRows } from "../../db/bulk.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookingsvc.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { type BookingProvider, createBookingProvider, PACE, type Pace } from "../../providers/bookingsvc/client.ts";
import type { ProviderBooking } from "../../providers/bookingsvc/wire.ts";
import { applyBookings } from "../calendar/bookings/apply-bookings.ts";
import { toBookedEvent } from "./booked-event.ts";
import { walkBookings } from "./booking-pages.ts";
import { apiKeyOf, type ConnectionRow, notConfigured, theConnection } from "./connection.ts";
import { tellOutage } from "./outage.ts";
import { toRun } from "./runs.ts";

type RunRow = typeof syncRuns.$inferSelect;

export interface SyncRequest {
  trigger: RunRow["trigger"];
  /** Also look at every booking from a month ago on, for changes the provider gives no time for. */
  full?: boolean;
}

/** How long a run may go on, and with which patience. */
export interface Limits {
  pace: Pace;
  /** A run past this stops cleanly; the next one goes on. */
  runMs: number;
  maxPages: number;
}

/**
 * 150 pages are 37,500 bookings. A page that changes takes four statements, so these are 600 of the 1,000 an
 * invocation has; the others are for pages too large for one value, and for the cron's other work.
 */
export const LIMITS: Limits = { pace: PACE, runMs: 10 * 60_000, maxPages: 150 };

const LEASE_MS = 2 * 60_000;
const RENEW_MS = 30_000;
/** The provider's clock and ours, and its transactions, may be a little apart. */
const OVERLAP_MS = 5 * 60_000;
const FULL_REACH_MS = 30 * 24 * 60 * 60_000;
/** The nightly run asks for it; this catches up on a night that failed. */
const FULL_EVERY_MS = 25 * 60 * 60_000;
const MAX_ERRORS = 50;

/** Brings the calendar in step with the provider. One run at a time; whoever comes second is told so. */
export async function syncBookings(ctx: Context, request: SyncRequest, limits: Limits = LIMITS) {
  const { run, connection } = await open(ctx, request);
  const progress = new Progress(ctx, run, connection, limits);
  let trouble: AppError | null = null;
  try {
    const apiKey = await apiKeyOf(ctx, connection);
    const provider = createBookingProvider(ctx.config.BOOKINGSVC_BASE_URL, apiKey, limits.pace);
    await runThrough(provider, connection, run, progress);
  } catch (error) {
    // Anything unforeseen ends the run too: a lease must not be left behind.
    trouble = error instanceof AppError ? error : new AppError("internal");
    if (!(error instanceof AppError)) {
      await progress.finish(trouble);
      throw error;
    }
  }
  const finished = await progress.finish(trouble);
  if (finished.status === "failed" && trouble) throw trouble;
  return toRun(finished);
}

/** For the cron: having no provider, or another run at work, is nothing to complain of. */
export async function syncIfConnected(ctx: Context, request: SyncRequest): Promise<void> {
  try {
    await syncBookings(ctx, request);
  } catch (error) {
    const isFine = error instanceof AppError && ["bookingsvc_not_configured", "sync_in_progress"].includes(error.code);
    if (isFine) return;
    await tellOutage(ctx, error);
    throw error;
  }
}

async function runThrough(provider: BookingProvider, connection: ConnectionRow, run: RunRow, progress: Progress) {
  if (connection.watermark === null) return walkEverything(provider, connection, run, progress);
  // A little before the last change seen, in case one came late; but a walk that was cut off goes on where it was.
  const since = connection.resumeAt ?? new Date(connection.watermark.getTime() - OVERLAP_MS);
  let reached = since;
  for await (const page of walkBookings(provider, "updatedAt", since)) {
    reached = page.reached;
    if (!(await progress.apply(page, reached))) return;
  }
  progress.caughtUpTo(reached > connection.watermark ? reached : connection.watermark);
  if (run.mode === "incremental") return;
  const wasSeen = ({ updatedAt }: ProviderBooking) => updatedAt !== null && updatedAt >= since && updatedAt <= reached;
  for await (const page of walkBookings(provider, "start", new Date(run.startedAt.getTime() - FULL_REACH_MS))) {
    const bookings = page.bookings.filter((booking) => !wasSeen(booking));
    if (!(await progress.apply({ ...page, bookings }))) return;
  }
  progress.wentThroughAll();
}

/** The first time: by start, which every booking has and none changes, so that one walk finds them all. */
async function walkEverything(
  provider: BookingProvider,
  { resumeAt, firstWalkAt }: ConnectionRow,
  run: RunRow,
  progress: Progress,
) {
  const began = firstWalkAt ?? run.startedAt;
  progress.firstWalkBegan(began);
  let newest = new Date(0);
  for await (const page of walkBookings(provider, "start", resumeAt ?? new Date(0))) {
    for (const { updatedAt } of page.bookings) if (updatedAt && updatedAt > newest) newest = updatedAt;
    if (!(await progress.apply(page, page.reached))) return;
  }
  // Whichever clock is behind, the provider's or ours: from there on nothing has been missed.
  progress.caughtUpTo(newest < began ? newest : began);
  progress.wentThroughAll();
}

/** Claims the lease by writing the run's row, unless another run holds it, and reads the connection on the way. */
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
      .set({ status: "failed", finishedAt: ctx.now, errors: ["The run stopped without a word; the next one goes on."] })
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
  if (!run) throw new AppError("sync_in_progress", "A sync is running. Wait for it to end.");
  return { run, connection };
}

const NOTHING_YET = { fetched: 0, created: 0, updated: 0, unchanged: 0, cancelled: 0, skipped: 0 };
type Counts = Pick<RunRow, "fetched" | "created" | "updated" | "unchanged" | "cancelled" | "skipped">;

/** What a run has done so far; writes it down with each page that changes something, and at the end. */
class Progress {
  readonly #ctx: Context;
  readonly #run: RunRow;
  readonly #connection: ConnectionRow;
  readonly #limits: Limits;
  readonly #counts: Counts = { ...NOTHING_YET };
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

  /** Writes a page into the calendar. False when the run has used up what it may. */
  async apply({ bookings, problems }: { bookings: ProviderBooking[]; problems: string[] }, reached?: Date) {
    const counts = this.#counts;
    counts.fetched += bookings.length + this.#skip(problems);
    const events = bookings.map((booking) => toBookedEvent(booking, (problem) => this.#note(problem)));
    const applied = await applyBookings(this.#ctx, events);
    counts.created += applied.created;
    counts.updated += applied.updated;
    counts.unchanged += applied.unchanged;
    counts.cancelled += applied.cancelled;
    this.#skip(applied.problems);
    if (reached) this.#place.resumeAt = reached;
    this.#pages += 1;
    await this.#renew();
    this.#ranOut = this.#pages >= this.#limits.maxPages || Date.now() - this.#startedAt > this.#limits.runMs;
    return !this.#ranOut;
  }

  /** Counts bookings that were left out; one met on both ways through counts once. */
  #skip(problems: readonly string[]): number {
    const fresh = problems.filter((problem) => !this.#errors.includes(problem));
    for (const problem of fresh) this.#note(problem);
    this.#counts.skipped += fresh.length;
    return fresh.length;
  }

  #note(problem: string): void {
    if (this.#errors.length < MAX_ERRORS && !this.#errors.includes(problem)) this.#errors.push(problem);
  }

  firstWalkBegan(at: Date): void {
    this.#place.firstWalkAt = at;
  }

  /** Every change up to then has been seen. */
  caughtUpTo(watermark: Date): void {
    this.#place = { watermark, resumeAt: null, firstWalkAt: null };
  }

  wentThroughAll(): void {
    this.#isComplete = true;
  }

  /** Keeps the lease, and saves how far the run has come: a run that dies is continued from here. */
  async #renew(): Promise<void> {
    if (Date.now() - this.#renewedAt < RENEW_MS) return;
    this.#renewedAt = Date.now();
    const [kept] = await this.#ctx.db.batch([
      this.#ctx.db
        .update(syncRuns)
        .set({ ...this.#counts, leaseUntil: new Date(Date.now() + LEASE_MS) })
        .where(and(eq(syncRuns.id, this.#run.id), eq(syncRuns.status, "running")))
        .returning({ id: syncRuns.id }),
      this.#savePlace(),
    ]);
    if (kept.length === 0) throw new AppError("sync_in_progress", "Another run has taken over.");
  }

  #savePlace() {
    return this.#ctx.db
      .update(bookingConnection)
      .set(this.#place)
      .where(and(theConnection, eq(bookingConnection.keyUpdatedAt, this.#connection.keyUpdatedAt)));
  }

  async finish(trouble: AppError | null): Promise<RunRow> {
    if (trouble) this.#note(trouble.message);
    if (this.#ranOut) this.#note("The run reached its limit; the next one goes on from here.");
    const isStopped = trouble !== null || this.#ranOut;
    const status = !isStopped ? "succeeded" : this.#pages > 0 ? "partial" : "failed";
    const finishedAt = new Date();
    const { db } = this.#ctx;
    const connectionChange = this.#connectionChange(trouble, status, finishedAt);
    const [[finished]] = await db.batch([
      db
        .update(syncRuns)
        .set({ ...this.#counts, errors: this.#errors, status, finishedAt })
        .where(and(eq(syncRuns.id, this.#run.id), eq(syncRuns.status, "running")))
        .returning(),
      ...(connectionChange
        ? [
            db
              .update(bookingConnection)
              .set(connectionChange)
              // A key saved meanwhile starts anew, and this run has nothing to tell it.
              .where(and(theConnection, eq(bookingConnection.keyUpdatedAt, this.#connection.keyUpdatedAt))),
          ]
        : []),
    ]);
    return finished ?? { ...this.#run, ...this.#counts, errors: this.#errors, status: "failed", finishedAt };
  }

  /** Nothing to write when nothing has moved: a run that finds no change leaves only its own row. */
  #connectionChange(trouble: AppError | null, result: RunRow["status"], finishedAt: Date) {
    const { status, outageReportedAt } = this.#connection;
    const refused = trouble?.code === "provider_unauthorized";
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
