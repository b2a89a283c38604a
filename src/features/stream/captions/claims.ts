import { and, eq, lt, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { captions } from "../../../db/schema/stream-captions.ts";

/** Longer than any dispatch lives. */
const CLAIM_MS = 5 * 60_000;

const GIVEN_UP =
  "The dispatch that was posting it died. The post may or may not be there: look before you approve it again.";

/** The statement that ends the claims of dispatches that died. Nobody knows how far they came, so nothing is sent again. */
export function endStaleClaims(ctx: Context) {
  const before = new Date(ctx.now.getTime() - CLAIM_MS);
  return ctx.db
    .update(captions)
    .set({
      status: "failed",
      uncertain: true,
      error: GIVEN_UP,
      claimedAt: null,
      version: sql`${captions.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(and(eq(captions.status, "posting"), lt(captions.claimedAt, before)));
}

/** For the cron. */
export async function endDeadDispatches(ctx: Context): Promise<void> {
  await endStaleClaims(ctx);
}
