import { and, eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { bookingConnection, syncRuns } from "../../db/schema/bookings.ts";
import { AppError } from "../../lib/errors.ts";
import { PACE, type Pace } from "../../providers/bookings/provider.ts";
import { applyBookings } from "../calendar/bookings/apply-bookings.ts";
import type { BookingPage } from "./booking-pages.ts";
import { type ConnectionRow, theConnection, whileConnected } from "./connection.ts";

export type RunRow = typeof syncRuns.$inferSelect;

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
 * 140 pages are 35,000 bookings. A changed page takes five statements, so that is 700 of the 1,000 that an invocation
 * may run. The cron gives its run a smaller budget.
 */
export const LIMITS: Limits = { pace: PACE, runMs: 10 * 60_000, maxPages: 140 };

export const LEASE_MS = 2 * 60_000;
const RENEW_MS = 30_000;
const MAX_ERRORS = 50;

const PLACE = ["watermark", "resumeAt", "firstWalkAt", "fullResumeAt"] as const;
/** How far the sync is. */
type Place = Pick<ConnectionRow, (typeof PLACE)[number]>;

export const NOTHING_YET = { fetched: 0, created: 0, updated: 0, unchanged: 0, cancelled: 0, skipped: 0 };

/** The progress of a run, saved from time to time and at its end. */
export class Progress {
  readonly #ctx: Context;
  readonly #run: RunRow;
  readonly #connection: ConnectionRow;
  readonly #limits: Limits;
  readonly #counts = { ...NOTHING_YET };
  readonly #errors: string[] = [];
  readonly #startedAt = Date.now();
  #place: Place;
  #renewedAt = Date.now();
  #pages = 0;
  #isComplete = false;
  #ranOut = false;

  constructor(ctx: Context, run: RunRow, connection: ConnectionRow, limits: Limits) {
    this.#ctx = ctx;
    this.#run = run;
    this.#connection = connection;
    this.#limits = limits;
    const { watermark, resumeAt, firstWalkAt, fullResumeAt } = connection;
    this.#place = { watermark, resumeAt, firstWalkAt, fullResumeAt };
  }

  /** Writes a page into the calendar, after which the sync is at `place`. Returns false when the run has reached a limit. */
  async apply({ bookings, problems, notes }: BookingPage, place: Partial<Place>): Promise<boolean> {
    const counts = this.#counts;
    counts.fetched += bookings.length + this.#skip(problems);
    for (const note of notes) this.#note(note);
    const applied = await applyBookings(this.#ctx, bookings, whileConnected(this.#ctx, this.#connection));
    for (const name of ["created", "updated", "unchanged", "cancelled"] as const) counts[name] += applied[name];
    this.#skip(applied.problems);
    this.#place = { ...this.#place, ...place };
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

  startSecondPass(at: Date): void {
    this.#place.fullResumeAt = at;
  }

  /** Every change up to `watermark` is in the calendar. */
  caughtUpTo(watermark: Date): void {
    this.#place = { ...this.#place, watermark, resumeAt: null, firstWalkAt: null };
  }

  readAll(): void {
    this.#isComplete = true;
    this.#place.fullResumeAt = null;
  }

  /**
   * Where the next run is to continue at once; null if this one did not stop at its limit, or stopped where it began,
   * since another one might do the same.
   */
  get continuation(): { resumeAt: number | null; fullResumeAt: number | null } | null {
    if (!this.#ranOut || !this.#hasMoved(["resumeAt", "fullResumeAt"])) return null;
    const { resumeAt, fullResumeAt } = this.#place;
    return { resumeAt: resumeAt?.getTime() ?? null, fullResumeAt: fullResumeAt?.getTime() ?? null };
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
    if (this.#ranOut) this.#note("The run reached its limit. The next one continues from here.");
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
      ...(this.#hasMoved(PLACE) && this.#place),
      ...(this.#isComplete && result === "succeeded" && { lastFullAt: finishedAt }),
      ...(refused ? { status: "invalid_key" as const } : isProven && { status: "connected" as const }),
      ...(outageReportedAt && result === "succeeded" && { outageReportedAt: null }),
    };
    return Object.keys(change).length > 0 ? change : null;
  }

  #hasMoved(names: readonly (keyof Place)[]): boolean {
    const before = this.#connection;
    return names.some((name) => this.#place[name]?.getTime() !== before[name]?.getTime());
  }
}
