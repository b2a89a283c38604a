import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { streamCredentials } from "../../../db/schema/stream-captions.ts";
import type { SocialPace } from "../../../providers/social/post.ts";
import { refreshX } from "../../../providers/social/x.ts";
import { markInvalid, type OpenCredential, opened, sameCredential, sealFields } from "./encrypted.ts";

const LEASE_MS = 20_000;
const LOOK_AGAIN_MS = 150;

/** Why there is no fresh token: X will never give one, or it could not be asked. */
interface NoToken {
  noToken: "refused" | "trouble";
  error: string;
}

const OVER = "X no longer takes the access token, and it could not be renewed. Connect the account again.";

/**
 * Calls X with the access token, and once more with a renewed one when the token has expired. A refresh token works
 * once: whoever takes the lease exchanges it, everybody else waits for what comes of it.
 */
export async function withXToken<T>(
  ctx: Context,
  credential: OpenCredential,
  pace: SocialPace,
  use: (accessToken: string, credential: OpenCredential) => Promise<T | "expired">,
): Promise<T | NoToken> {
  const first = await use(credential.fields.accessToken ?? "", credential);
  if (first !== "expired") return first;
  const fresh = await renew(ctx, credential, pace);
  if (!("fields" in fresh)) return fresh;
  const second = await use(fresh.fields.accessToken ?? "", fresh);
  if (second !== "expired") return second;
  await markInvalid(ctx, fresh);
  return { noToken: "refused", error: OVER };
}

async function renew(ctx: Context, stale: OpenCredential, pace: SocialPace): Promise<OpenCredential | NoToken> {
  const { refreshToken, clientId, clientSecret } = stale.fields;
  if (!refreshToken || !clientId) {
    await markInvalid(ctx, stale);
    return { noToken: "refused", error: OVER };
  }
  if (!(await takeLease(ctx, stale))) return othersToken(ctx, stale);
  const tokens = await refreshX(ctx.config.X_API_URL, { refreshToken, clientId, clientSecret }, pace);
  if (tokens === "trouble") {
    await ctx.db.update(streamCredentials).set({ refreshingUntil: null }).where(sameCredential(stale));
    return { noToken: "trouble", error: "X did not renew the access token just now." };
  }
  if (tokens === null) {
    await ctx.db
      .update(streamCredentials)
      .set({ status: "invalid", checkedAt: ctx.now, refreshingUntil: null })
      .where(sameCredential(stale));
    return { noToken: "refused", error: OVER };
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

/** A credential that a person saved in the meantime stays: the new tokens belong to the old one. */
async function store(ctx: Context, stale: OpenCredential, fields: OpenCredential["fields"]): Promise<OpenCredential> {
  const version = stale.version + 1;
  await ctx.db
    .update(streamCredentials)
    .set({
      sealed: await sealFields(ctx, stale.platform, version, fields),
      status: "connected",
      checkedAt: ctx.now,
      refreshingUntil: null,
      version,
      updatedAt: ctx.now,
    })
    .where(sameCredential(stale));
  return { ...stale, version, fields };
}

async function othersToken(ctx: Context, stale: OpenCredential): Promise<OpenCredential | NoToken> {
  for (let waited = 0; waited < LEASE_MS; waited += LOOK_AGAIN_MS) {
    const [row] = await ctx.db.select().from(streamCredentials).where(eq(streamCredentials.platform, stale.platform));
    if (!row) return { noToken: "refused", error: "The X credential has been deleted." };
    if (row.version !== stale.version) return opened(ctx, row);
    if (row.refreshingUntil === null) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return { noToken: "trouble", error: "X did not renew the access token just now." };
}
