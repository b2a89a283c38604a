import { and, isNull, lt, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { SocialTimeouts } from "../../../providers/social/post.ts";
import { refreshX } from "../../../providers/social/x.ts";
import {
  decryptCredential,
  encryptFields,
  loadRow,
  markInvalid,
  type OpenCredential,
  sameCredential,
} from "./encrypted.ts";

const LEASE_MS = 20_000;
const POLL_MS = 150;

interface NoToken {
  noToken: "refused" | "unavailable";
  error: string;
}

const REFUSED: NoToken = {
  noToken: "refused",
  error: "X refused the access token, and it could not be renewed. Connect the account again.",
};
const NOT_RENEWED: NoToken = { noToken: "unavailable", error: "X did not renew the access token. Try again later." };

/**
 * Calls X with the access token, and once more with a renewed one if it has expired. A refresh token works once: the
 * request that gets the lease exchanges it, all others wait for the new token.
 */
export async function withXToken<T>(
  ctx: Context,
  credential: OpenCredential,
  timeouts: SocialTimeouts,
  use: (accessToken: string, credential: OpenCredential) => Promise<T | "expired">,
): Promise<T | NoToken> {
  const first = await use(credential.fields.accessToken ?? "", credential);
  if (first !== "expired") return first;
  const fresh = await renew(ctx, credential, timeouts);
  if (!("fields" in fresh)) return fresh;
  const second = await use(fresh.fields.accessToken ?? "", fresh);
  if (second !== "expired") return second;
  await markInvalid(ctx, fresh);
  return REFUSED;
}

async function renew(ctx: Context, stale: OpenCredential, timeouts: SocialTimeouts): Promise<OpenCredential | NoToken> {
  const { refreshToken, clientId, clientSecret } = stale.fields;
  if (!refreshToken || !clientId) {
    await markInvalid(ctx, stale);
    return REFUSED;
  }
  if (!(await takeLease(ctx, stale))) return waitForRenewal(ctx, stale);
  const tokens = await refreshX(ctx.config.X_API_URL, { refreshToken, clientId, clientSecret }, timeouts);
  if (tokens === "unavailable") {
    await ctx.db.update(streamCredentials).set({ refreshingUntil: null }).where(sameCredential(stale));
    return NOT_RENEWED;
  }
  if (tokens === null) {
    await ctx.db
      .update(streamCredentials)
      .set({ status: "invalid", checkedAt: ctx.now, refreshingUntil: null })
      .where(sameCredential(stale));
    return REFUSED;
  }
  return store(ctx, stale, { ...stale.fields, ...tokens });
}

async function takeLease(ctx: Context, stale: OpenCredential): Promise<boolean> {
  const now = Date.now();
  const free = or(isNull(streamCredentials.refreshingUntil), lt(streamCredentials.refreshingUntil, new Date(now)));
  const taken = await ctx.db
    .update(streamCredentials)
    .set({ refreshingUntil: new Date(now + LEASE_MS) })
    .where(and(sameCredential(stale), free))
    .returning({ version: streamCredentials.version });
  return taken.length > 0;
}

/** A credential that a person saved meanwhile is not overwritten: the new tokens belong to the old one. */
async function store(ctx: Context, stale: OpenCredential, fields: OpenCredential["fields"]): Promise<OpenCredential> {
  const version = stale.version + 1;
  await ctx.db
    .update(streamCredentials)
    .set({
      sealed: await encryptFields(ctx, stale.platform, version, fields),
      status: "connected",
      checkedAt: ctx.now,
      refreshingUntil: null,
      version,
      updatedAt: ctx.now,
    })
    .where(sameCredential(stale));
  return { ...stale, version, fields };
}

async function waitForRenewal(ctx: Context, stale: OpenCredential): Promise<OpenCredential | NoToken> {
  for (let waited = 0; waited < LEASE_MS; waited += POLL_MS) {
    const row = await loadRow(ctx, stale.platform);
    if (!row) return { noToken: "refused", error: "The X credential was deleted." };
    if (row.version !== stale.version) return decryptCredential(ctx, row);
    if (row.refreshingUntil === null) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return NOT_RENEWED;
}
