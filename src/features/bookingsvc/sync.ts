import { and, eq, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookingsvc.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { type BookingProvider, createBookingProvider, PACE, type Pace } from "../../providers/bookingsvc/client.ts";
import type { ProviderBooking } from "../../providers/bookingsvc/wire.ts";
import { applyBookings } from "../calendar/bookings.ts";
import { toBookedEvent } from "./booked-event.ts";
import { apiKeyOf, type ConnectionRow, notConfigured, theConnection } from "./connection.ts";
import { toRun } from "./runs.ts";
import { walkBookings } from "./walk.ts";

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

/** 250 pages are 62,500 bookings and 500 statements, half of what one invocation is allowed. */
export const LIMITS: Limits = { pace: PACE, runMs: 10 * 60_000, maxPages: 250 };

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
  const provider = createBookingProvider(ctx.config.BOOKINGSVC_BASE_URL, await apiKeyOf(ctx, connection), limits.pace);
  const progress = new Progress(ctx, run, connection, limits);
  let trouble: AppError | null = null;
  try {
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

async function runThrough(provider: BookingProvider, connection: ConnectionRow, run: RunRow, progress: Progress) {
  const since = connection.watermark ? connection.watermark.getTime() - OVERLAP_MS : 0;
  for await (const page of walkBookings(provider, "updatedAt", new Date(since))) {
    if (!(await progress.apply(page, page.reached))) return;
  }
  if (run.mode === "incremental") return;
  const from = new Date(run.startedAt.getTime() - FULL_REACH_MS);
  for await (const page of walkBookings(provider, "start", from)) {
    if (!(await progress.apply(page, null))) return;
  }
  progress.wentThroughAll();
}

/** Claims the lease by writing the run's row, unless another run holds it, and reads the connection on the way. */
async function open(ctx: Context, { trigger, full }: SyncRequest): Promise<{ run: RunRow; connection: ConnectionRow }> {
  const id = randomToken();
  const now = ctx.now.getTime();
  const isFull = full
    ? sql`1`
    : sql`coalesce((SELECT last_full_at FROM booking_connection), 0) <= ${now - FULL_EVERY_MS}`;
  const [, , [run], [connection]] = await ctx.db.batch([
    ctx.db
      .update(syncRuns)
      .set({ status: "failed", finishedAt: ctx.now, errors: ["The run stopped without a word; the next one goes on."] })
      .where(and(eq(syncRuns.status, "running"), lte(syncRuns.leaseUntil, ctx.now))),
    ctx.db.run(sql`INSERT INTO sync_runs (id, "trigger", mode, status, lease_until, started_at)
      SELECT ${id}, ${trigger}, CASE WHEN ${isFull} THEN 'full' ELSE 'incremental' END, 'running', ${now + LEASE_MS}, ${now}
      WHERE NOT EXISTS (SELECT 1 FROM sync_runs WHERE status = 'running') AND EXISTS (SELECT 1 FROM booking_connection)`),
    ctx.db.select().from(syncRuns).where(eq(syncRuns.id, id)),
    ctx.db.select().from(bookingConnection).where(theConnection),
  ]);
  if (!connection) throw notConfigured();
  if (!run) throw new AppError("sync_in_progress", "A sync is running. Wait for it to end.");
  return { run, connection };
}

type Counts = Pick<RunRow, "fetched" | "created" | "updated" | "unchanged" | "cancelled" | "skipped">;

/** What a run has done so far; writes it down with each page that changes something, and at the end. */
class Progress {
  readonly #ctx: Context;
  readonly #run: RunRow;
  readonly #connection: ConnectionRow;
  readonly #limits: Limits;
  readonly #counts: Counts = { fetched: 0, created: 0, updated: 0, unchanged: 0, cancelled: 0, skipped: 0 };
  readonly #errors: string[] = [];
  readonly #startedAt = Date.now();
  #watermark: Date | null;
  #renewedAt = Date.now();
  #pages = 0;
  #isComplete = false;
  #ranOut = false;

  constructor(ctx: Context, run: RunRow, connection: ConnectionRow, limits: Limits) {
    this.#ctx = ctx;
    this.#run = run;
    this.#connection = connection;
    this.#limits = limits;
    this.#watermark = connection.watermark;
  }

  /** Writes a page into the calendar. False when the run has used up what it may. */
  async apply(page: { bookings: ProviderBooking[]; problems: string[]; fetched: number }, reached: Date | null) {
    const counts = this.#counts;
    counts.fetched += page.fetched;
    counts.skipped += page.problems.length;
    for (const problem of page.problems) this.note(problem);
    const events = page.bookings.map((booking) => toBookedEvent(booking, (problem) => this.note(problem)));
    const applied = await applyBookings(this.#ctx, events);
    counts.created += applied.created;
    counts.updated += applied.updated;
    counts.unchanged += applied.unchanged;
    counts.cancelled += applied.cancelled;
    if (reached && (!this.#watermark || reached > this.#watermark)) this.#watermark = reached;
    this.#pages += 1;
    await this.#renew();
    this.#ranOut = this.#pages >= this.#limits.maxPages || Date.now() - this.#startedAt > this.#limits.runMs;
    return !this.#ranOut;
  }

  note(problem: string): void {
    if (this.#errors.length < MAX_ERRORS) this.#errors.push(problem);
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
      this.#saveWatermark(),
    ]);
    if (kept.length === 0) throw new AppError("sync_in_progress", "Another run has taken over.");
  }

  #saveWatermark() {
    return this.#ctx.db
      .update(bookingConnection)
      .set({ watermark: this.#watermark })
      .where(and(theConnection, eq(bookingConnection.keyUpdatedAt, this.#connection.keyUpdatedAt)));
  }

  async finish(trouble: AppError | null): Promise<RunRow> {
    if (trouble) this.note(trouble.message);
    if (this.#ranOut) this.note("The run reached its limit; the next one goes on from here.");
    const isStopped = trouble !== null || this.#ranOut;
    const status = !isStopped ? "succeeded" : this.#pages > 0 ? "partial" : "failed";
    const finishedAt = new Date();
    const { db } = this.#ctx;
    const connectionChange = this.#connectionChange(trouble, isStopped, finishedAt);
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
  #connectionChange(trouble: AppError | null, isStopped: boolean, finishedAt: Date) {
    const { watermark, status } = this.#connection;
    const refused = trouble?.code === "provider_unauthorized";
    const isProven = this.#pages > 0 && status !== "connected";
    const change = {
      ...(this.#watermark?.getTime() !== watermark?.getTime() && { watermark: this.#watermark }),
      ...(this.#isComplete && !isStopped && { lastFullAt: finishedAt }),
      ...(refused ? { status: "invalid_key" as const } : isProven && { status: "connected" as const }),
    };
    return Object.keys(change).length > 0 ? change : null;
  }
}
