import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { SQLiteInsertValue } from "drizzle-orm/sqlite-core";
import { type Account, type Context, type Credential, signedInSession } from "../../../context.ts";
import type { Database } from "../../../db/client.ts";
import { compiledStatement } from "../../../db/compiled-query.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { type AccountRow, accountColumns, accountFacts, HAS_FACTS, toAccount } from "../../people/account.ts";
import { LAST_SEEN_PRECISION_MS, REFRESH_GRACE_MS, SESSION_IDLE_MS, SESSION_MAX_MS } from "./lifetime.ts";
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

/** The response to a sign-in. Send it only once the session's row is written. */
export async function signedIn(
  ctx: Context,
  { row, refreshToken }: ReturnType<typeof newSession>,
  { id, email, name }: Pick<Account, "id" | "email" | "name">,
) {
  return { token: await signAccessToken(ctx, id, row.id), refreshToken, user: { id, email, name } };
}

const sessionColumns = {
  ...accountColumns,
  // Renamed: the account has a column of this name, too.
  startedAt: sql`${sessions.createdAt}`.mapWith(sessions.createdAt).as("started_at"),
  expiresAt: sessions.expiresAt,
  provedAt: sessions.provedAt,
  lastSeenAt: sessions.lastSeenAt,
};

type SessionTimes = Pick<typeof sessions.$inferSelect, "expiresAt" | "provedAt" | "lastSeenAt"> & { startedAt: Date };

const selectSession = compiledStatement<AccountRow & SessionTimes>(({ db }) =>
  db
    .select(sessionColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        eq(sessions.userId, sql.placeholder("userId")),
        gt(sessions.expiresAt, sql.placeholder("now")),
      ),
    ),
);

/** A valid token is accepted only while the row of its session exists, so that ending a session takes effect at once. */
export async function sessionCredential(ctx: Context, token: string): Promise<Credential> {
  const { sessionId, userId } = await verifyAccessToken(ctx, token);
  const now = ctx.now.getTime();
  // Not the handle that carries this check.
  const { db } = ctx;
  return {
    kind: "session",
    id: sessionId,
    select: (db, at = ctx.now) => selectSession.bind(db, { sessionId, userId, now: at.getTime() }),
    isValid: (_scopes, identity) => ({
      sql: `EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.id = ? AND s.user_id = ? AND s.expires_at > ?${identity ? ` AND ${HAS_FACTS}` : ""})`,
      values: [sessionId, userId, now, ...(identity?.facts ?? [])],
    }),
    identify(cells) {
      if (!cells) throw sessionEnded();
      const row = selectSession.toRow(cells);
      if (now - row.lastSeenAt.getTime() > LAST_SEEN_PRECISION_MS) ctx.defer(noteSeen(db, sessionId, ctx.now));
      const { startedAt, expiresAt, provedAt } = row;
      return {
        actor: {
          kind: "session",
          user: toAccount(ctx, row),
          session: { id: sessionId, createdAt: startedAt, expiresAt, provedAt },
        },
        facts: accountFacts(cells),
      };
    },
  };
}

async function noteSeen(db: Database, sessionId: string, now: Date): Promise<void> {
  await db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(and(eq(sessions.id, sessionId), lt(sessions.lastSeenAt, now)));
}

/**
 * Exchanges a refresh token for the next one. The rotation is one compare-and-swap. A request that loses a race reads
 * the session in the same batch and returns the winner's token.
 */
export async function refreshSession(ctx: Context, given: string) {
  const { sessionId, counter } = readRefreshToken(ctx, given);
  const now = ctx.now.getTime();
  const mine = and(eq(sessions.id, sessionId), eq(sessions.refreshCounter, counter), gt(sessions.expiresAt, ctx.now));
  const [rotated, found] = await ctx.db.batch([
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
  ]);
  const session = found[0];
  if (!session || session.expiresAt <= ctx.now) throw sessionEnded();
  const isPrevious = counter === session.refreshCounter - 1;
  const isLate = now - session.rotatedAt.getTime() > REFRESH_GRACE_MS;
  if (rotated.length === 0 && (!isPrevious || isLate)) {
    await endForReuse(ctx, session);
    throw new AppError("refresh_reused", "The refresh token was used before, so the session was ended. Sign in again.");
  }
  return {
    token: await signAccessToken(ctx, session.userId, sessionId),
    refreshToken: refreshToken(ctx, sessionId, session.refreshCounter),
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

/** The account of a session by its refresh token, without using the token up. Null if the session is over. */
export async function holderOfRefreshToken(ctx: Context, given: string): Promise<number | null> {
  try {
    const { sessionId, counter } = readRefreshToken(ctx, given);
    const [row] = await ctx.db
      .select({ userId: sessions.userId })
      .from(sessions)
      .where(and(eq(sessions.id, sessionId), eq(sessions.refreshCounter, counter), gt(sessions.expiresAt, ctx.now)));
    return row?.userId ?? null;
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return null;
    throw error;
  }
}

/** Ends the session of a sign-in that was only to prove who somebody is. */
export async function dropSession(ctx: Context, accessToken: string): Promise<void> {
  const { sessionId } = await verifyAccessToken(ctx, accessToken);
  await ctx.db.delete(sessions).where(eq(sessions.id, sessionId));
}

export async function logout(ctx: Context): Promise<void> {
  const { user, session } = signedInSession(ctx);
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, session.id)),
    audit(ctx, "session.ended", { userId: user.id, details: { sessionId: session.id } }),
  ]);
}

/** The session check has already read the account. */
export function me(ctx: Context) {
  const { user, session } = signedInSession(ctx);
  const { timeZone: _, ...shown } = user;
  const { id, createdAt, expiresAt } = session;
  return {
    user: { ...shown, createdAt: user.createdAt.toISOString() },
    session: { id, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() },
  };
}

export function sessionEnded(): AppError {
  return new AppError("session_revoked", "The session has ended. Sign in again.");
}
