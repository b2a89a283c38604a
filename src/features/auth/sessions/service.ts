import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Account, Actor, Context } from "../../../context.ts";
import { signedInSession } from "../../../context.ts";
import { compiledQuery, type WholeRow } from "../../../db/compiled-query.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { alertById } from "../../notifications/security-alerts.ts";
import { type AccountRow, accountColumns, toAccount } from "../../people/account.ts";
import { readRefreshToken, refreshToken, signAccessToken, verifyAccessToken } from "./tokens.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const IDLE_MS = 30 * DAY_MS;
const LIFETIME_MS = 90 * DAY_MS;
const REUSE_GRACE_MS = 10 * 1000;
const SEEN_EVERY_MS = 5 * 60 * 1000;

export type SignedInUser = Pick<Account, "id" | "email" | "name">;

/** A session about to begin: its row, and its first refresh token. Without the secret for that, none begins. */
export function newSession(ctx: Context) {
  const id = randomToken();
  const row = {
    id,
    createdAt: ctx.now,
    lastSeenAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + IDLE_MS),
    refreshCounter: 0,
    rotatedAt: ctx.now,
    provedAt: ctx.now,
    ip: ctx.client.ip,
    userAgent: ctx.client.userAgent,
  };
  return { row, refreshToken: refreshToken(ctx, id, 0) };
}

/** The statement that begins it. */
export function insertSession({ db }: Pick<Context, "db">, row: WholeRow<typeof sessions>) {
  return db.insert(sessions).values(row);
}

/** What someone who came in is given, once the session's row is there. */
export async function signedIn(
  ctx: Context,
  { row, refreshToken }: ReturnType<typeof newSession>,
  { id, email, name }: SignedInUser,
) {
  return { token: await signAccessToken(ctx, id, row.id), refreshToken, user: { id, email, name } };
}

const sessionColumns = {
  ...accountColumns,
  startedAt: sessions.createdAt,
  expiresAt: sessions.expiresAt,
  provedAt: sessions.provedAt,
  lastSeenAt: sessions.lastSeenAt,
};

type SessionTimes = Pick<typeof sessions.$inferSelect, "expiresAt" | "provedAt" | "lastSeenAt"> & { startedAt: Date };

const selectSession = compiledQuery<AccountRow & SessionTimes>();

function buildSession({ db }: Context) {
  return db
    .select(sessionColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        eq(sessions.userId, sql.placeholder("userId")),
        gt(sessions.expiresAt, sql.placeholder("now")),
      ),
    );
}

/** The second half of the double check: the token is honoured only while its session row exists. */
export async function authenticateSession(ctx: Context, token: string): Promise<Actor> {
  const { sessionId, userId } = await verifyAccessToken(ctx, token);
  const values = { sessionId, userId, now: ctx.now.getTime() };
  const [row] = await selectSession(ctx.db, "", () => buildSession(ctx), values);
  if (!row) throw revoked();
  if (ctx.now.getTime() - row.lastSeenAt.getTime() > SEEN_EVERY_MS) ctx.defer(noteSeen(ctx, sessionId));
  const { startedAt, expiresAt, provedAt } = row;
  return {
    kind: "session",
    user: toAccount(ctx, row),
    session: { id: sessionId, createdAt: startedAt, expiresAt, provedAt },
  };
}

async function noteSeen(ctx: Context, sessionId: string): Promise<void> {
  await ctx.db
    .update(sessions)
    .set({ lastSeenAt: ctx.now })
    .where(and(eq(sessions.id, sessionId), lt(sessions.lastSeenAt, ctx.now)));
}

/**
 * Trades a refresh token for the next one. The rotation is one compare-and-swap; whoever loses the
 * race reads, in the same batch, what the winner made of the session.
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
        expiresAt: sql`min(${now + IDLE_MS}, ${sessions.createdAt} + ${LIFETIME_MS})`,
      })
      .where(mine)
      .returning({ id: sessions.id }),
    ctx.db.select().from(sessions).where(eq(sessions.id, sessionId)),
  ]);
  const session = found[0];
  if (!session || session.expiresAt <= ctx.now) throw revoked();
  const isPrevious = counter === session.refreshCounter - 1;
  const isLate = now - session.rotatedAt.getTime() > REUSE_GRACE_MS;
  if (rotated.length === 0 && (!isPrevious || isLate)) {
    await endForReuse(ctx, session);
    throw new AppError("refresh_reused", "Sign in again. If this was not you, change your password.");
  }
  return {
    token: await signAccessToken(ctx, session.userId, sessionId),
    refreshToken: refreshToken(ctx, sessionId, session.refreshCounter),
  };
}

/** A token used twice may be in two hands. Nobody can tell which is the thief's, so both lose it. */
async function endForReuse(ctx: Context, session: { id: string; userId: number }): Promise<void> {
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, session.id)),
    audit(ctx, "session.refresh_reused", { userId: session.userId, details: { sessionId: session.id } }),
  ]);
  alertById(
    ctx,
    session.userId,
    "A session was ended because its refresh token was used twice",
    "Somebody else may have had a copy of it. Sign in again, and change your password if you cannot explain it.",
  );
}

/** Ends the session that asks. */
export async function logout(ctx: Context): Promise<void> {
  const { user, session } = signedInSession(ctx);
  await ctx.db.batch([
    ctx.db.delete(sessions).where(eq(sessions.id, session.id)),
    audit(ctx, "session.ended", { userId: user.id, details: { sessionId: session.id } }),
  ]);
}

function revoked(): AppError {
  return new AppError("session_revoked", "The session has ended. Sign in again.");
}
