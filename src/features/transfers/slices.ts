import { and, asc, eq, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { failedAssertion, runBatch } from "../../db/assert.ts";
import { purge } from "../../db/purge.ts";
import { type Rider, withRiders } from "../../db/riders.ts";
import { transfers } from "../../db/schema/transfers.ts";
import { AppError } from "../../lib/errors.ts";
import { letOthersIn } from "../../lib/let-others-in.ts";
import type { QueueMessageOf } from "../../lib/queue-messages.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import type { TransferKind } from "../../lib/transfer-kinds.ts";
import { ArchiveError } from "../../lib/zip/format.ts";
import { errorFields, log } from "../../log.ts";
import { discardFiles } from "../files/service.ts";

/*
 * An import or export is done in slices, each small enough for one queue message. A slice is claimed by its number, so a
 * message that comes twice does nothing; it commits where it is together with what it wrote, so one that is killed is
 * repeated from its last commit; and the cron sends the message of a slice that is overdue. Every write of a slice depends
 * on its claim: once the row is gone, cancelled or claimed by another slice, nothing more is written.
 */

export type TransferRow = typeof transfers.$inferSelect;

/** The import or export cannot be done. The message is shown to the person. */
export class TransferFailed extends Error {
  override readonly name = "TransferFailed";
}

/**
 * Somebody cancelled it or deleted the account, or another slice has taken over: this one stops without a word. To the
 * code below it is a refusal: nothing of the batch was written, so the objects that it needs can go.
 */
class SliceLost extends AppError {
  constructor() {
    super("unavailable", "The import or export was cancelled, or goes on elsewhere.");
  }
}

interface Progress {
  /** Where the next slice would go on. */
  position: unknown;
  done: number;
  total?: number | null;
}

export interface Slice {
  transfer: TransferRow;
  /** Writes all of this, or nothing if it was cancelled meanwhile. */
  commit(progress: Progress, statements?: readonly BatchItem<"sqlite">[]): Promise<void>;
}

export interface Outcome {
  result: Record<string, unknown>;
  fileSize?: number;
  /** Scratch objects that are not needed any more are deleted with the row; these statements belong to its end. */
  statements?: readonly BatchItem<"sqlite">[];
}

export interface Runner {
  /** Works until `ctx.signal` asks to stop. Returns null if another slice has to go on. */
  run(ctx: Context, slice: Slice): Promise<Outcome | null>;
  /** Takes back what was written, once it has failed or is cancelled. Returns false if another slice has to go on. */
  undo?(ctx: Context, slice: Slice): Promise<boolean>;
}

export type Runners = Record<Exclude<TransferKind, "upload">, Runner>;

/** Longer than a slice may take: one without a word by then was killed. */
export const LEASE_MS = 6 * MINUTE_MS;
const RETRY_SECONDS = [10, 60, 300];
/** Slices in a row that got nowhere. */
const MAX_ATTEMPTS = 6;
const GAVE_UP = "It stopped again and again because of an error of the service. Try again later.";

export const isUnderWay = isNotNull(transfers.dueAt);

/** The handler of the queue message. */
export async function runSlice(
  ctx: Context,
  message: Pick<QueueMessageOf<"transfer.slice">, "id" | "slice">,
  runners: Runners,
): Promise<void> {
  const transfer = await claim(ctx, message);
  if (!transfer || transfer.kind === "upload") return;
  const runner = runners[transfer.kind];
  const claimed = whileClaimed(transfer);
  try {
    const isDone = await work({ ...ctx, db: withRiders(ctx.db, [claimed.rider]).db }, transfer, runner);
    if (!isDone) await sendSlice(ctx, { id: transfer.id, slice: transfer.slice + 1 });
  } catch (error) {
    await dropFilesOfDeleted(ctx, transfer);
    if (!claimed.isLost()) await settleFailure(ctx, transfer, runner, error);
  }
}

/** Scratch objects are named in advance, so that those of a killed slice are deleted, too. */
async function claim(ctx: Context, { id, slice }: { id: string; slice: number }): Promise<TransferRow | undefined> {
  const scratch = ["tail", "index"].map((name) => sql`'$[#]', file_key || ${`.${slice}.${name}`}`);
  const [row] = await ctx.db
    .update(transfers)
    .set({
      state: sql`iif(state = 'queued', 'running', state)`,
      slice,
      attempts: sql`attempts + 1`,
      dueAt: new Date(Date.now() + LEASE_MS),
      scratchKeys: sql`iif(kind = 'export', json_insert(scratch_keys, ${sql.join(scratch, sql`, `)}), scratch_keys)`,
    })
    .where(and(eq(transfers.id, id), eq(transfers.slice, slice - 1), isUnderWay))
    .returning();
  return row;
}

/** Whether the transfer is over. */
async function work(ctx: Context, transfer: TransferRow, runner: Runner): Promise<boolean> {
  const slice = sliceOf(ctx, transfer);
  if (transfer.state !== "running") {
    if (runner.undo && !(await runner.undo(ctx, slice))) return false;
    await ctx.db.update(transfers).set({ dueAt: null, finishedAt: new Date() }).where(isMine(transfer));
    return true;
  }
  if (transfer.attempts > MAX_ATTEMPTS) throw new TransferFailed(GAVE_UP);
  const outcome = await runner.run(ctx, slice);
  if (!outcome) return false;
  const { result, fileSize, statements = [] } = outcome;
  const succeed = ctx.db
    .update(transfers)
    .set({
      state: "succeeded",
      dueAt: null,
      finishedAt: new Date(),
      position: null,
      result,
      ...(fileSize !== undefined && { fileSize }),
    })
    .where(isMine(transfer));
  await runTogether(ctx, [...statements, succeed]);
  log("info", "transfer_done", { kind: transfer.kind, slices: transfer.slice, requestId: ctx.requestId });
  return true;
}

function sliceOf(ctx: Context, transfer: TransferRow): Slice {
  return {
    transfer,
    async commit({ position, done, total }, statements = []) {
      const advance = ctx.db
        .update(transfers)
        .set({
          position,
          done,
          attempts: 0,
          dueAt: new Date(Date.now() + LEASE_MS),
          // Records that came after they were counted are done as well.
          total: total === undefined ? sql`max(total, ${done})` : total,
        })
        .where(isMine(transfer));
      await runTogether(ctx, [...statements, advance]);
      await letOthersIn();
    },
  };
}

function isMine({ id, slice }: TransferRow): SQL | undefined {
  return and(eq(transfers.id, id), eq(transfers.slice, slice));
}

const LOST = "slice_is_current";

/** On every write of a slice. One that is undoing holds its claim in the same way. */
function whileClaimed({ id, slice, state }: TransferRow): { rider: Rider; isLost(): boolean } {
  const isCurrent = "EXISTS (SELECT 1 FROM transfers WHERE id = ? AND slice = ? AND state = ?)";
  let isLost = false;
  return {
    rider: {
      assertion: () => ({ name: LOST, sql: isCurrent, values: [id, slice, state] }),
      refusal(error) {
        if (failedAssertion(error)?.assertion !== LOST) return null;
        isLost = true;
        return new SliceLost();
      },
    },
    isLost: () => isLost,
  };
}

async function runTogether({ db }: Context, statements: readonly BatchItem<"sqlite">[]): Promise<void> {
  const [first, ...others] = statements;
  if (first) await runBatch(db, [first, ...others]);
}

/** The files that were deleted with the row are deleted again: the slice may have written them since. */
async function dropFilesOfDeleted(ctx: Context, { id, fileKey, scratchKeys }: TransferRow): Promise<void> {
  const [row] = await ctx.db.select({ id: transfers.id }).from(transfers).where(eq(transfers.id, id));
  const keys = [...scratchKeys, ...(fileKey ? [fileKey] : [])];
  if (!row && keys.length > 0) await discardFiles(ctx, keys, "r2");
}

async function settleFailure(ctx: Context, transfer: TransferRow, runner: Runner, error: unknown): Promise<void> {
  const place = { kind: transfer.kind, slice: transfer.slice, requestId: ctx.requestId };
  if (error instanceof TransferFailed || error instanceof ArchiveError || isRefusal(error)) {
    // Invalid input is reported to the person. A failure of the service is also logged for the operator.
    log(error.message === GAVE_UP ? "error" : "info", "transfer_failed", place);
    await fail(ctx, transfer, runner, error.message);
    return;
  }
  log("warn", "transfer_slice_failed", { ...place, attempts: transfer.attempts, ...errorFields(error) });
  const delaySeconds = RETRY_SECONDS[Math.min(transfer.attempts, RETRY_SECONDS.length) - 1] ?? 300;
  await ctx.bookkeeping
    .update(transfers)
    .set({ dueAt: new Date(Date.now() + delaySeconds * 1000 + LEASE_MS) })
    .where(isMine(transfer));
  await ctx.enqueue([{ kind: "transfer.slice", id: transfer.id, slice: transfer.slice + 1 }], {
    lane: "retries",
    delaySeconds,
  });
}

/** An error that a person could have got as a response, and not one that passes by itself. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}

async function fail(ctx: Context, transfer: TransferRow, runner: Runner, message: string): Promise<void> {
  const isOver = !runner.undo;
  const [row] = await ctx.db
    .update(transfers)
    .set({
      state: "failed",
      error: message,
      attempts: 0,
      dueAt: isOver ? null : new Date(Date.now() + LEASE_MS),
      finishedAt: isOver ? new Date() : null,
    })
    .where(and(isMine(transfer), eq(transfers.state, "running")))
    .returning({ id: transfers.id });
  if (row && !isOver) await sendSlice(ctx, { id: transfer.id, slice: transfer.slice + 1 });
}

export function sendSlice(ctx: Context, next: { id: string; slice: number }): Promise<boolean> {
  return ctx.enqueue([{ kind: "transfer.slice", ...next }]);
}

const SWEPT_AT_ONCE = 50;

/** For the cron: sends what is overdue, and deletes what has expired. Returns the number of those that were overdue. */
export async function sweepTransfers(ctx: Context, runners: Runners): Promise<number> {
  const due = await ctx.db
    .select({ id: transfers.id, slice: transfers.slice })
    .from(transfers)
    .where(lte(transfers.dueAt, new Date()))
    .orderBy(asc(transfers.dueAt))
    .limit(SWEPT_AT_ONCE);
  const messages = due.map(({ id, slice }) => ({ kind: "transfer.slice" as const, id, slice: slice + 1 }));
  if (messages.length > 0 && !(await ctx.enqueue(messages))) {
    for (const message of messages) if (!ctx.signal?.aborted) await runSlice(ctx, message, runners);
  }
  if (!ctx.signal?.aborted) {
    await purge(ctx.db, transfers, sql`${and(lte(transfers.expiresAt, new Date()), isNull(transfers.dueAt))}`);
  }
  return due.length;
}
