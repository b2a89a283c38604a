import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { isOneOf, selectRows } from "../../db/bulk.ts";
import { filesToDelete } from "../../db/schema/files.ts";
import { AppError } from "../../lib/errors.ts";
import { FILE_STORES, type FileStore } from "../../lib/file-stores.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";
import { OBJECTS_A_CALL } from "./objects.ts";

/*
 * A file is not part of the database's transactions, so its key is: a row says that the file is to be deleted. An upload
 * writes the row first and removes it in the batch that refers to the file; a trigger writes it when the last reference
 * goes. Wherever a request is cut off, the row stays and the cron deletes the file.
 */

/** Longer than any upload takes. */
const UPLOAD_MS = HOUR_MS;
/** The clocks of two Workers differ by less. */
const CLOCK_MS = 5 * MINUTE_MS;
/** Longer than the store takes to delete a file or to refuse. */
const CLAIM_MS = MINUTE_MS;
/** R2 deletes many objects in one call, KV one. */
const FILES_A_ROUND: Record<FileStore, number> = { kv: 50, r2: OBJECTS_A_CALL };
const DUE_NOW = new Date(0);

/** Call it before a file is written. Unless `keepFile` is part of a later batch, the file is deleted in an hour. */
export async function announceFile(ctx: Context, key: string, store: FileStore = "kv"): Promise<void> {
  await announceFiles(ctx, [key], store);
}

/** The same for several, in one round trip. */
export async function announceFiles(ctx: Context, keys: readonly string[], store: FileStore): Promise<void> {
  const dueAt = new Date(ctx.now.getTime() + UPLOAD_MS);
  // Stays when the request fails, because the file may stay then.
  await ctx.bookkeeping.insert(filesToDelete).values(keys.map((key) => ({ key, store, dueAt })));
}

/** The statements that keep an announced file, for the batch that refers to it. They fail once its deletion is due. */
export function keepFile(ctx: Context, key: string) {
  return keepAnnounced(ctx, [key]);
}

/** The same for several. */
export function keepAnnounced(ctx: Context, keys: readonly string[]) {
  const tooLate = () => new AppError("unavailable", "The upload took too long. Send it again.", { retryAfter: 1 });
  const areSafe = sql`(SELECT count(*) FROM files_to_delete
    WHERE ${isOneOf(filesToDelete.key, keys)} AND due_at > ${Date.now() + CLOCK_MS}) = ${keys.length}`;
  return [assertThat(ctx.db, "upload_in_time", areSafe, tooLate), keepFiles(ctx, keys)] as const;
}

/** Has files deleted, those included whose store is down right now. */
export async function discardFiles(ctx: Context, keys: readonly string[], store: FileStore = "kv"): Promise<void> {
  const rows = keys.map((key) => ({ key, store, dueAt: DUE_NOW }));
  await ctx.bookkeeping
    .insert(filesToDelete)
    .select(selectRows(filesToDelete, rows))
    .onConflictDoUpdate({ target: filesToDelete.key, set: { dueAt: DUE_NOW } });
}

/** Makes everything due that waits for its deletion, when the last account goes. */
export async function hastenDeletion({ db }: Context): Promise<void> {
  await db.update(filesToDelete).set({ dueAt: DUE_NOW });
}

/** The statement that keeps files which another record refers to now, for the batch in which it takes them over. */
export function keepFiles({ db }: Context, keys: readonly string[]) {
  return db.delete(filesToDelete).where(isOneOf(filesToDelete.key, keys));
}

/**
 * Call it when an upload fails: its file need not wait for its hour. A file whose batch was committed stays, also if the
 * request did not learn of it: its row is gone.
 */
export async function abandonFile(ctx: Context, key: string): Promise<void> {
  await ctx.bookkeeping.update(filesToDelete).set({ dueAt: DUE_NOW }).where(eq(filesToDelete.key, key));
  deleteFilesSoon(ctx);
}

/** Call it before a key is written again: it is no longer to be deleted. Fails while it is being deleted. */
export async function reuseFile(ctx: Context, key: string): Promise<void> {
  const busy = () => new AppError("unavailable", "The old value is being deleted. Try again.", { retryAfter: 60 });
  const isFree = sql`NOT EXISTS (SELECT 1 FROM files_to_delete WHERE key = ${key} AND due_at > ${Date.now()})`;
  await runBatch(ctx.bookkeeping, [
    assertThat(ctx.bookkeeping, "not_being_deleted", isFree, busy),
    ctx.bookkeeping.delete(filesToDelete).where(eq(filesToDelete.key, key)),
  ]);
}

/** For requests: deletes what is due after the response. What fails is left to the cron. */
export function deleteFilesSoon(ctx: Context): void {
  ctx.defer(deleteRound({ ...ctx, db: ctx.bookkeeping }));
}

/** For the cron. Fails if a file could not be deleted, so that the owner hears of it. */
export async function deleteFiles(ctx: Context): Promise<number> {
  let deleted = 0;
  while (!ctx.signal?.aborted) {
    const { gone, failed, isDone } = await deleteRound(ctx);
    deleted += gone;
    if (failed > 0) throw new Error(`${failed} files could not be deleted`);
    if (isDone) break;
  }
  return deleted;
}

/**
 * A row goes only when the store has confirmed that its file is gone. Before that it is claimed, so that nobody uses the
 * key again meanwhile.
 */
async function deleteRound(ctx: Context): Promise<{ gone: number; failed: number; isDone: boolean }> {
  const claimedUntil = new Date(Date.now() + CLAIM_MS);
  const due = (store: FileStore) => sql`SELECT key FROM (SELECT key FROM files_to_delete
    WHERE store = ${store} AND due_at <= ${Date.now()} ORDER BY due_at LIMIT ${FILES_A_ROUND[store]})`;
  const claimed = await ctx.db
    .update(filesToDelete)
    .set({ dueAt: claimedUntil })
    .where(sql`key IN (${due("kv")} UNION ALL ${due("r2")})`)
    .returning({ key: filesToDelete.key, store: filesToDelete.store });
  const [inKv, inR2] = FILE_STORES.map((store) => claimed.flatMap((file) => (file.store === store ? file.key : [])));
  const results = await Promise.all([
    ...(inKv ?? []).map((key) => deleteFromKv(ctx, key)),
    deleteFromR2(ctx, inR2 ?? []),
  ]);
  const gone = results.flat();
  const failed = claimed.length - gone.length;
  const isClaimed = (keys: readonly string[]) =>
    and(isOneOf(filesToDelete.key, keys), eq(filesToDelete.dueAt, claimedUntil));
  if (gone.length > 0) await ctx.db.delete(filesToDelete).where(isClaimed(gone));
  // The others become due again.
  if (failed > 0) {
    const keys = claimed.map(({ key }) => key);
    await ctx.db.update(filesToDelete).set({ dueAt: DUE_NOW }).where(isClaimed(keys));
  }
  const isDone = (inKv?.length ?? 0) < FILES_A_ROUND.kv && (inR2?.length ?? 0) < FILES_A_ROUND.r2;
  return { gone: gone.length, failed, isDone };
}

async function deleteFromKv({ config, requestId }: Context, key: string): Promise<string[]> {
  try {
    await config.bindings.KV.delete(key);
    return [key];
  } catch (error) {
    log("warn", "file_not_deleted", { requestId, ...errorFields(error) });
    return [];
  }
}

/** All of them in one call, or none. */
async function deleteFromR2({ config, requestId }: Context, keys: string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  try {
    await config.bindings.FILES.delete(keys);
    return keys;
  } catch (error) {
    log("warn", "file_not_deleted", { requestId, count: keys.length, ...errorFields(error) });
    return [];
  }
}
