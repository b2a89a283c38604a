import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { oauthAccessTokens, oauthCodes, oauthGrants } from "../../db/schema/oauth.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { toBase64Url, toBytes } from "../../lib/encoding.ts";
import { redirectHost } from "../../lib/redirect-uri.ts";
import { DAY_MS, HOUR_MS } from "../../lib/time-zone.ts";
import { audit } from "../audit/service.ts";
import { deletePageSession, sessionExists } from "../auth/sessions/service.ts";
import { ACCESS_TOKEN_PREFIX, accessToken, readRefreshToken, refreshToken } from "../connections/tokens.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { OAuthError } from "./errors.ts";
import { resourceIn } from "./request.ts";

const ACCESS_MS = HOUR_MS;
const IDLE_MS = 90 * DAY_MS;
/** Agents refresh from several places at once. The loser of that race gets the winner's token. */
const GRACE_MS = 120 * 1000;

type Grant = Pick<typeof oauthGrants.$inferSelect, "id" | "scopes" | "refreshCounter" | "rotatedAt">;

function tokensOf(ctx: Context, { id, scopes, refreshCounter, rotatedAt }: Grant) {
  const left = rotatedAt.getTime() + ACCESS_MS - ctx.now.getTime();
  return {
    access_token: accessToken(ctx, id, refreshCounter),
    token_type: "Bearer",
    expires_in: Math.ceil(left / 1000),
    refresh_token: refreshToken(ctx, id, refreshCounter),
    scope: scopes.join(" "),
  };
}

type Tokens = ReturnType<typeof tokensOf>;

export async function tokensFor(ctx: Context, given: URLSearchParams): Promise<Tokens> {
  const type = given.get("grant_type");
  // Named for the resource it is meant for, or for the only one there is.
  resourceIn(ctx, given.get("resource"));
  if (type === "authorization_code") return exchange(ctx, given);
  if (type === "refresh_token") return refresh(ctx, given);
  throw new OAuthError("unsupported_grant_type", "grant_type must be authorization_code or refresh_token.");
}

const invalidCode = () => new OAuthError("invalid_grant", "The code is wrong, expired or was used before.");

async function exchange(ctx: Context, given: URLSearchParams): Promise<Tokens> {
  const codeHash = sha256Hex(given.get("code") ?? "");
  const [row] = await ctx.db.select().from(oauthCodes).where(eq(oauthCodes.codeHash, codeHash));
  if (!row) throw invalidCode();
  if (row.grantId !== null) throw await endForReuse(ctx, row.grantId, "code_reused");
  const isMeant = row.clientId === given.get("client_id") && row.redirectUri === given.get("redirect_uri");
  const verifier = given.get("code_verifier") ?? "";
  if (!isMeant || row.expiresAt <= ctx.now || (await challengeOf(verifier)) !== row.challenge) throw invalidCode();
  const { userId, clientId, clientName, scopes, resource, rule } = row;
  const id = randomToken();
  const grant = {
    id,
    userId,
    clientId,
    clientName,
    redirectHost: redirectHost(row.redirectUri),
    scopes,
    resource,
    rule,
    refreshCounter: 0,
    rotatedAt: ctx.now,
    // A client that asks for more scopes has still read what it has read.
    outsideAt: sql`(SELECT max(outside_at) FROM oauth_grants WHERE user_id = ${userId} AND client_id = ${clientId})`,
    createdAt: ctx.now,
    lastUsedAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + IDLE_MS),
  };
  const isUnused = and(eq(oauthCodes.codeHash, codeHash), isNull(oauthCodes.grantId));
  const isReplaced = and(eq(oauthGrants.userId, userId), eq(oauthGrants.clientId, clientId), ne(oauthGrants.id, id));
  try {
    await runBatch(ctx.db, [
      // First: of two requests with one code, the other has ended its sign-in, too.
      assertExists(ctx.db, oauthCodes, isUnused),
      assertThat(ctx.db, "sign_in_exists", sessionExists(ctx, row.sessionId), invalidCode),
      ctx.db
        .update(oauthCodes)
        .set({ grantId: id, expiresAt: new Date(ctx.now.getTime() + DAY_MS) })
        .where(isUnused),
      ctx.db.insert(oauthGrants).values(grant),
      insertAccessToken(ctx, id, 0),
      // Only a sign-in on the page of the consent ends together with its code.
      deletePageSession(ctx, row.sessionId, row.expiresAt),
      // A registered id is one installation, whose new tokens replace the old; a published one is shared by many.
      ...(clientId.includes("://") ? [] : [ctx.db.delete(oauthGrants).where(isReplaced)]),
    ]);
  } catch (error) {
    // Another request was faster with the same code.
    if (error instanceof AssertionFailed) return exchange(ctx, given);
    throw error;
  }
  const may = `Its name is "${clientName}". It may use ${scopes.join(", ")}. You can disconnect it in your security settings.`;
  sendSecurityAlert(ctx, userId, "An agent was connected to your account", may);
  return tokensOf(ctx, { id, scopes, refreshCounter: 0, rotatedAt: ctx.now });
}

async function challengeOf(verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(toBytes(verifier)));
  return toBase64Url(new Uint8Array(digest));
}

/** Of this rotation, if the grant is at it; the same token is inserted once. */
function insertAccessToken(ctx: Context, grantId: string, counter: number) {
  const hash = sha256Hex(accessToken(ctx, grantId, counter));
  const expiresAt = ctx.now.getTime() + ACCESS_MS;
  return ctx.db
    .insert(oauthAccessTokens)
    .select(
      sql`SELECT ${hash}, id, ${expiresAt} FROM oauth_grants WHERE id = ${grantId} AND refresh_counter = ${counter}`,
    )
    .onConflictDoNothing();
}

async function refresh(ctx: Context, given: URLSearchParams): Promise<Tokens> {
  const token = readRefreshToken(ctx, given.get("refresh_token") ?? "");
  const ended = () => new OAuthError("invalid_grant", "The connection has ended. Connect again.");
  if (!token) throw ended();
  const { grantId, counter } = token;
  const isMine = and(eq(oauthGrants.id, grantId), eq(oauthGrants.clientId, given.get("client_id") ?? ""));
  const isCurrent = and(isMine, eq(oauthGrants.refreshCounter, counter), gt(oauthGrants.expiresAt, ctx.now));
  const [rotated, , [grant]] = await ctx.db.batch([
    ctx.db
      .update(oauthGrants)
      .set({
        refreshCounter: counter + 1,
        rotatedAt: ctx.now,
        lastUsedAt: ctx.now,
        expiresAt: new Date(ctx.now.getTime() + IDLE_MS),
      })
      .where(isCurrent)
      .returning({ id: oauthGrants.id }),
    insertAccessToken(ctx, grantId, counter + 1),
    ctx.db.select().from(oauthGrants).where(isMine),
  ]);
  if (!grant || grant.expiresAt <= ctx.now) throw ended();
  const isPrevious = counter === grant.refreshCounter - 1;
  const isLate = ctx.now.getTime() - grant.rotatedAt.getTime() > GRACE_MS;
  if (rotated.length === 0 && (!isPrevious || isLate)) throw await endForReuse(ctx, grantId, "refresh_reused");
  return tokensOf(ctx, grant);
}

const REUSED = {
  code_reused: "its code was used twice",
  refresh_reused: "its refresh token was used again",
} as const;

/** Somebody has a copy of what only the agent should have. Nobody can tell them apart, so the connection ends for both. */
async function endForReuse(ctx: Context, grantId: string, why: keyof typeof REUSED): Promise<OAuthError> {
  const [[grant]] = await ctx.db.batch([ctx.db.delete(oauthGrants).where(eq(oauthGrants.id, grantId)).returning()]);
  if (grant) {
    const { userId, clientName: client } = grant;
    await audit(ctx, `connection.${why}`, { userId, details: { connectionId: grantId, client } });
    const event = `The connection of an agent was ended because ${REUSED[why]}`;
    sendSecurityAlert(ctx, userId, event, `Its name is "${client}". Someone else may have a copy. Connect it again.`);
  }
  return new OAuthError("invalid_grant", `The connection was ended because ${REUSED[why]}. Connect again.`);
}

/**
 * Ends the connection of a refresh token, or only an access token. Says nothing about tokens that do not exist. A client
 * gives back its own tokens only (RFC 7009, 2.1); one that does not say who it is has at least the token.
 */
export async function revokeToken(ctx: Context, given: URLSearchParams): Promise<void> {
  const token = given.get("token") ?? "";
  const isAccess = token.startsWith(ACCESS_TOKEN_PREFIX);
  const isToken = eq(oauthAccessTokens.tokenHash, sha256Hex(token));
  const grantId = isAccess
    ? sql`(SELECT grant_id FROM oauth_access_tokens WHERE ${isToken})`
    : readRefreshToken(ctx, token)?.grantId;
  if (grantId === undefined) return;
  const [grant] = await ctx.db.select().from(oauthGrants).where(eq(oauthGrants.id, grantId));
  if (!grant) return;
  const { id, userId, clientId, clientName: client } = grant;
  if ((given.get("client_id") ?? clientId) !== clientId) {
    throw new OAuthError("invalid_grant", "The token belongs to another client.");
  }
  if (isAccess) await ctx.db.delete(oauthAccessTokens).where(isToken);
  else {
    await ctx.db.batch([
      audit(ctx, "connection.ended", { userId, details: { connectionId: id, client } }),
      ctx.db.delete(oauthGrants).where(eq(oauthGrants.id, id)),
    ]);
  }
}
