import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { fileChecks } from "../../db/schema/files.ts";
import { HOUR_MS } from "../../lib/time-zone.ts";
import { log } from "../../log.ts";
import { dayOf, deleteObjects, OBJECTS_A_CALL, type Room } from "./objects.ts";

/** The row of an object that is younger may still be on its way. */
const FRESH_MS = 3 * HOUR_MS;
const PAGES_A_ROUND = 5;

/**
 * Deletes the objects of a room that no row refers to: those of a request that died between the two stores. An object is
 * never without its row later than on the day it was written, which its key names, so each object is looked at once, the
 * night after. `isUsed`: condition in SQL that a row refers to the object with this key.
 */
export async function removeOrphans(ctx: Context, room: Room, isUsed: (key: SQL) => SQL): Promise<number> {
  const [known] = await ctx.db.select().from(fileChecks).where(eq(fileChecks.room, room));
  let checkedUntil = known?.checkedUntil ?? `${room}/`;
  let removed = 0;
  while (!ctx.signal?.aborted) {
    const { keys, isLast } = await keysAfter(ctx, room, checkedUntil);
    const last = keys.at(-1);
    if (last === undefined) break;
    const orphans = await unused(ctx, keys, isUsed);
    await deleteObjects(ctx, orphans);
    if (orphans.length > 0) log("warn", "orphans_removed", { room, count: orphans.length, requestId: ctx.requestId });
    checkedUntil = last;
    const row = { room, checkedUntil };
    await ctx.db.insert(fileChecks).values(row).onConflictDoUpdate({ target: fileChecks.room, set: row });
    removed += orphans.length;
    if (isLast) break;
  }
  return removed;
}

/** The next keys in their order, up to those of today and those that are too fresh. */
async function keysAfter(ctx: Context, room: Room, start: string): Promise<{ keys: string[]; isLast: boolean }> {
  const today = `${room}/${dayOf(ctx.now)}`;
  const latest = ctx.now.getTime() - FRESH_MS;
  const keys: string[] = [];
  for (let page = 0; page < PAGES_A_ROUND; page++) {
    const startAfter = keys.at(-1) ?? start;
    const listed = await ctx.config.bindings.FILES.list({ prefix: `${room}/`, startAfter, limit: OBJECTS_A_CALL });
    for (const { key, uploaded } of listed.objects) {
      if (key >= today || uploaded.getTime() > latest) return { keys, isLast: true };
      keys.push(key);
    }
    if (!listed.truncated) return { keys, isLast: true };
  }
  return { keys, isLast: false };
}

async function unused(ctx: Context, keys: readonly string[], isUsed: (key: SQL) => SQL): Promise<string[]> {
  const rows = await ctx.db.all<{ key: string }>(sql`SELECT value AS key FROM json_each(${JSON.stringify(keys)})
    WHERE NOT EXISTS (SELECT 1 FROM files_to_delete WHERE key = value) AND NOT ${isUsed(sql`value`)}`);
  return rows.map(({ key }) => key);
}
