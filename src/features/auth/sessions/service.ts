import { and, eq, gt, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Account, type Context, signedInSession } from "../../../context.ts";
import { compiledInsert } from "../../../db/compiled-write.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { REFRESH_GRACE_MS, SESSION_IDLE_MS, SESSION_MAX_MS } from "./lifetime.ts";
import { readRefreshToken, refreshToken, signAccessToken, verifyAccessToken } from "./tokens.ts";

/** The row and the first refresh token of a session that is about to begin. */
export function newSession(ctx: Context) {
  const id = randomToken();
  const row = {
    id,
    createdAt: ctx.now,
    lastSeenAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + SESSION_IDLE_MS),
    refreshCounter: 0,
    rotatedAt: ctx.now,
    provedAt: ctx.now,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  };
  return { row, refreshToken: refreshToken(ctx, id, 0) };
}

export function insertSession({ db }: Pick<Context, "db">, row: SQLiteInsertValue<typeof sessions>) {
  return db.insert(sessions).values(row);
}

/** The same for an account that is known, compiled: for sign-ins. */
export const insertSessionOf = compiledInsert(sessions, {});

/** The response to a sign-in. Send it only once the session's row is written. */
export async function signedIn(
  ctx: Context,
  { row, refreshToken }: ReturnType<typeof newSession>,
  { id, email, name }: Pick<Account, "id" | "email" | "name">,
) {
  return { token: await signAccessToken(ctx, id, row.id), refreshToken, user: { id, email, name } };
}

/**
 * Exchanges a refresh token for the next one. The rotation is one compare-and-swap. A request that loses a race reads
 * the session in the same batch and returns the winner's token.
 */
export async function refreshSession(ctx: Context, given: string) {
  const { sessionId, counter } = readRefreshToken(ctx, given);
  const now = ctx.now.getTime();
  const mine = and(eq(sessions.id, sessionId), eq(sessions.refreshCounter, counter), gt(sessions.expiresAt, ctx.now));
  const [rotated, [session], [user]] = await ctx.db.batch([
    ctx.db
      .update(sessions)
      .set({
        refreshCounter: counter + 1,
        rotatedAt: ctx.now,
        lastSeenAt: ctx.now,
        expiresAt: sql`min(${now + SESSION_IDLE_MS}, ${sessions.createdAt} + ${SESSION_MAX_MS})`,
      })
      .where(mine)
      .returning({ id: sessions.id }),
    ctx.db.select().from(sessions).where(eq(sessions.id, sessionId)),
    ctx.db
      .select({ id: users.id, email: users.email, name: users.name })
      .from(users)
      .where(eq(users.id, sql`(SELECT user_id FROM sessions WHERE id = ${sessionId})`)),
  ]);
  if (!session || !user || session.expiresAt <= ctx.now) throw sessionEnded();
  const isPrevious = counter === session.refreshCounter - 1;
  const isLate = now - session.rotatedAt.getTime() > REFRESH_GRACE_MS;
  if (rotated.length === 0 && (!isPrevious || isLate)) {
    await endForReuse(ctx, session);
    throw new AppError("refresh_reused", "The refresh token was used before, so the session was ended. Sign in again.");
  }
  return {
    token: await signAccessToken(ctx, session.userId, sessionId),
    refreshToken: refreshToken(ctx, sessionId, session.refreshCounter),
    user,
  };
}

/** A token used twice may have been stolen. The thief cannot be told from the owner, so the session ends for both. */
async function endForReuse(ctx: Context, session: { id: string; userId: number }): Promise<void> {
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, session.id)),
    audit(ctx, "session.refresh_reused", { userId: session.userId, details: { sessionId: session.id } }),
  ]);
  const event = "A session was ended because its refresh token was used twice";
  const explanation = "Someone else may have a copy of the token. Sign in again to continue.";
  sendSecurityAlert(ctx, session.userId, event, explanation);
}

/** Ends the session of a sign-in that was only to prove who somebody is. */
export async function dropSession(ctx: Context, accessToken: string): Promise<void> {
  const { sessionId } = await verifyAccessToken(ctx, accessToken);
  await ctx.db.delete(sessions).where(eq(sessions.id, sessionId));
}

export async function logout(ctx: Context): Promise<void> {
  const { user, session } = signedInSession(ctx);
  await end(ctx, session.id, user.id);
}

/** Ends the session of a refresh token, current or not. Does nothing if the session has ended or the token is not valid. */
export async function endSessionOf(ctx: Context, given: string): Promise<void> {
  const sessionId = sessionIdOf(ctx, given);
  if (sessionId === null) return;
  const [session] = await ctx.db.select({ userId: sessions.userId }).from(sessions).where(eq(sessions.id, sessionId));
  if (session) await end(ctx, sessionId, session.userId);
}

function sessionIdOf(ctx: Context, given: string): string | null {
  try {
    return readRefreshToken(ctx, given).sessionId;
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return null;
    throw error;
  }
}

async function end(ctx: Context, sessionId: string, userId: number): Promise<void> {
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, sessionId)),
    audit(ctx, "session.ended", { userId, details: { sessionId } }),
  ]);
}

/** The session check has already read the account. */
export function me(ctx: Context) {
  const { user, session } = signedInSession(ctx);
  const { timeZone: _, habits: __, ...shown } = user;
  const { id, createdAt, expiresAt } = session;
  return {
    user: { ...shown, createdAt: user.createdAt.toISOString() },
    session: { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  };
}

export function sessionEnded(): AppError {
  return new AppError("session_revoked", "The session has ended. Sign in again.");
}
