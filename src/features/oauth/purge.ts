import { and, lt, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { purge, purgeExpired } from "../../db/purge.ts";
import { oauthAccessTokens, oauthClients, oauthCodes, oauthGrants } from "../../db/schema/oauth.ts";
import { DAY_MS } from "../../lib/time-zone.ts";
import { isUnused } from "./clients.ts";

/** A client that nobody has allowed anything by then is forgotten; it registers again when it is needed. */
const UNUSED_MS = DAY_MS;

/** For the cron. Frees space only: what has expired is refused whether or not it is still stored. */
export async function purgeConnections(ctx: Context): Promise<number> {
  const expired = await purgeExpired(ctx, [oauthCodes, oauthAccessTokens, oauthGrants]);
  const isForgotten = and(lt(oauthClients.createdAt, new Date(ctx.now.getTime() - UNUSED_MS)), isUnused);
  return expired + (await purge(ctx.db, oauthClients, isForgotten ?? sql`0`, ctx.signal));
}
