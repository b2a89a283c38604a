import { asc, eq, lte, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat } from "../../db/assert.ts";
import { isOneOf, selectRows } from "../../db/bulk.ts";
import { filesToDelete } from "../../db/schema/files.ts";
import { AppError } from "../../lib/errors.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { errorFields, log } from "../../log.ts";

/*
 * A file is not part of the database's transactions, so its key is: a row says that the file is to be deleted. An upload
 * writes the row first and removes it in the batch that refers to the file; a trigger writes it when the last reference
 * goes. Wherever a request is cut off, the row stays and the cron deletes the file.
 */

/** Longer than any upload takes. */
const UPLOAD_MS = HOUR_MS;
/** The clocks of two Workers differ by less. */
const CLOCK_MS = 5 * MINUTE_MS;
const FILES_A_ROUND = 50;

/** Call it before a file is written. Unless `keepFile` is part of a later batch, the file is deleted in an hour. */
export async function announceFile(ctx: Context, key: string): Promise<void> {
  const dueAt = new Date(ctx.now.getTime() + UPLOAD_MS);
  // Stays when the request fails, because the file may stay then.
  await ctx.bookkeeping.insert(filesToDelete).values({ key, store: "kv", dueAt });
}

/** The statements that keep an announced file, for the batch that refers to it. They fail once its deletion is due. */
export function keepFile({ db }: Context, key: string) {
  const tooLate = () => new AppError("unavailable", "The upload took too long. Send it again.", { retryAfter: 1 });
  const isSafe = sql`EXISTS (SELECT 1 FROM files_to_delete WHERE key = ${key} AND due_at > ${Date.now() + CLOCK_MS})`;
  return [
    assertThat(db, "upload_in_time", isSafe, tooLate),
    db.delete(filesToDelete).where(eq(filesToDelete.key, key)),
  ] as const;
}

/** Has files deleted, those included whose store is down right now. */
export async function discardFiles(ctx: Context, keys: readonly string[]): Promise<void> {
  const rows = keys.map((key) => ({ key, store: "kv", dueAt: new Date(0) }));
  await ctx.bookkeeping
    .insert(filesToDelete)
    .select(selectRows(filesToDelete, rows))
    .onConflictDoUpdate({ target: filesToDelete.key, set: { dueAt: new Date(0) } });
}

/** For a key that is used again: it is no longer to be deleted. */
export async function reuseFile(ctx: Context, key: string): Promise<void> {
  await ctx.bookkeeping.delete(filesToDelete).where(eq(filesToDelete.key, key));
}

/** For requests: deletes what is due after the response. What fails is left to the cron. */
export function deleteFilesSoon(ctx: Context): void {
  ctx.defer(deleteRound({ ...ctx, db: ctx.bookkeeping }));
}

/** For the cron. Fails if a file could not be deleted, so that the owner hears of it. */
export async function deleteFiles(ctx: Context): Promise<void> {
  while (!ctx.signal?.aborted) {
    const { failed, isDone } = await deleteRound(ctx);
    if (failed > 0) throw new Error(`${failed} files could not be deleted`);
    if (isDone) return;
  }
}

/** A row goes only when the store has confirmed that its file is gone. */
async function deleteRound(ctx: Context): Promise<{ failed: number; isDone: boolean }> {
  const due = await ctx.db
    .select({ key: filesToDelete.key })
    .from(filesToDelete)
    .where(lte(filesToDelete.dueAt, ctx.now))
    .orderBy(asc(filesToDelete.dueAt))
    .limit(FILES_A_ROUND);
  const results = await Promise.all(due.map(({ key }) => deleteFile(ctx, key)));
  const gone = results.flatMap((key) => key ?? []);
  if (gone.length > 0) {
    // Not a row that was written anew meanwhile, for an upload under the same key.
    const isDue = lte(filesToDelete.dueAt, ctx.now);
    await ctx.db.delete(filesToDelete).where(sql`${isOneOf(filesToDelete.key, gone)} AND ${isDue}`);
  }
  return { failed: due.length - gone.length, isDone: due.length < FILES_A_ROUND };
}

async function deleteFile({ config, requestId }: Context, key: string): Promise<string | null> {
  try {
    await config.bindings.KV.delete(key);
    return key;
  } catch (error) {
    log("warn", "file_not_deleted", { requestId, ...errorFields(error) });
    return null;
  }
}
