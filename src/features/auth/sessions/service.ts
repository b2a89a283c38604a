import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Account, type Context, signedInSession } from "../../../context.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { REFRESH_GRACE_MS, SESSION_IDLE_MS, SESSION_MAX_MS } from "./lifetime.ts";
import { readRefreshToken, refreshToken, signAccessToken } from "./tokens.ts";

/** A session that something signed by this service names. */
export interface HeldSession {
  sessionId: string;
  userId: number;
}

export type NewSession = ReturnType<typeof newSession>;

/** The row and the first refresh token of a session that is about to begin. */
export function newSession(ctx: Context) {
  const id = randomToken();
  const row: Omit<typeof sessions.$inferSelect, "userId"> = {
    id,
    createdAt: ctx.now,
    lastSeenAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + SESSION_IDLE_MS),
    refreshCounter: 0,
    rotatedAt: ctx.now,
    provedAt: null,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  };
  return { row, refreshToken: refreshToken(ctx, id, 0) };
}

export function insertSession({ db }: Pick<Context, "db">, row: SQLiteInsertValue<typeof sessions>) {
  return db.insert(sessions).values(row);
}

/** The response to a sign-in. Send it only once the session's row is written. */
export async function signedIn(
  ctx: Context,
  { row, refreshToken }: NewSession,
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
    throw tokenReused();
  }
  return {
    token: await signAccessToken(ctx, session.userId, sessionId),
    refreshToken: refreshToken(ctx, sessionId, session.refreshCounter),
    user,
  };
}

/** A token used twice may have been stolen. The thief cannot be told from the owner, so the session ends for both. */
export async function endForReuse(ctx: Context, session: { id: string; userId: number }): Promise<void> {
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, session.id)),
    audit(ctx, "session.refresh_reused", { userId: session.userId, details: { sessionId: session.id } }),
  ]);
  const event = "A session was ended because its refresh token was used twice";
  const explanation = "Someone else may have a copy of the token. Sign in again to continue.";
  sendSecurityAlert(ctx, session.userId, event, explanation);
}

/**
 * The same for a sign-in on a page of ours. It ends soon, because nobody is given its tokens: it only shows that somebody
 * has signed in there, for what they do there. The password was given for just that, so it counts as confirmed.
 */
export function newPageSession(ctx: Context, ms: number): NewSession {
  const { row, ...session } = newSession(ctx);
  return { ...session, row: { ...row, expiresAt: new Date(ctx.now.getTime() + ms), provedAt: ctx.now } };
}

/** The statement that makes such a session end at another time. */
export function setPageSessionEnd({ db }: Pick<Context, "db">, sessionId: string, expiresAt: Date) {
  return db.update(sessions).set({ expiresAt }).where(eq(sessions.id, sessionId));
}

/** The statement that ends such a session, if it is the one that ends at this time. */
export function deletePageSession({ db }: Pick<Context, "db">, sessionId: string, expiresAt?: Date) {
  const isMeant = and(eq(sessions.id, sessionId), expiresAt && eq(sessions.expiresAt, expiresAt));
  return db.delete(sessions).where(isMeant);
}

/** A condition: what a sign-in has allowed is worth something only while its session exists. */
export function sessionExists(ctx: Pick<Context, "now">, sessionId: string): SQL {
  return sql`EXISTS (SELECT 1 FROM sessions WHERE ${and(eq(sessions.id, sessionId), gt(sessions.expiresAt, ctx.now))})`;
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

export function tokenReused(): AppError {
  return new AppError("refresh_reused", "The refresh token was used before, so the session was ended. Sign in again.");
}

export function sessionEnded(): AppError {
  return new AppError("session_revoked", "The session has ended. Sign in again.");
}
