import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Condition, Context, Credential } from "../../context.ts";
import type { Database } from "../../db/client.ts";
import { compiledStatement } from "../../db/compiled-query.ts";
import { sessions } from "../../db/schema/auth.ts";
import { users } from "../../db/schema/users.ts";
import { API_KEY_PREFIX } from "../../lib/api-key.ts";
import { apiKeyCredential } from "../api-keys/service.ts";
import { type AccountRow, accountColumns, accountFacts, HAS_FACTS, toAccount } from "../people/account.ts";
import { LAST_SEEN_PRECISION_MS, REFRESH_GRACE_MS } from "./sessions/lifetime.ts";
import { endForReuse, type HeldSession, sessionEnded, tokenReused } from "./sessions/service.ts";
import { readRefreshToken, verifyAccessToken } from "./sessions/tokens.ts";

/**
 * Reads a credential. In the header: an API key by its prefix, a session's token otherwise. In the cookie: the refresh
 * token of a session. Throws a 401 `AppError` on others.
 */
export async function readCredential(
  ctx: Context,
  given: string,
  source: "header" | "cookie" = "header",
): Promise<Credential> {
  if (source === "cookie") return cookieCredential(ctx, given);
  return given.startsWith(API_KEY_PREFIX) ? apiKeyCredential(ctx, given) : sessionCredential(ctx, given);
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
type Rotation = Pick<typeof sessions.$inferSelect, "refreshCounter" | "rotatedAt">;

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

/** With the rotation of its refresh token: an older one is not accepted, but noticed. */
const selectByCookie = compiledStatement<AccountRow & SessionTimes & Rotation>(({ db }) =>
  db
    .select({ ...sessionColumns, refreshCounter: sessions.refreshCounter, rotatedAt: sessions.rotatedAt })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.id, sql.placeholder("sessionId")), gt(sessions.expiresAt, sql.placeholder("now")))),
);

/** A valid token is accepted only while the row of its session exists, so that ending a session takes effect at once. */
async function sessionCredential(ctx: Context, token: string): Promise<Credential> {
  return credentialOfSession(ctx, await verifyAccessToken(ctx, token));
}

/** The same request as one of this session's person. Throws a 401 `AppError` if the session has ended. */
export async function inSession(ctx: Context, held: HeldSession): Promise<Context> {
  const credential = credentialOfSession(ctx, held);
  const { results } = await credential.select(ctx.db).all<Record<string, unknown>>();
  return { ...ctx, actor: credential.identify(results[0]).actor };
}

function credentialOfSession(ctx: Context, { sessionId, userId }: HeldSession): Credential {
  return credentialOf(ctx, sessionId, {
    select: (db, now) => selectSession.bind(db, { sessionId, userId, now }),
    condition: { sql: "s.user_id = ?", values: [userId] },
  });
}

/**
 * The session of the console, by the refresh token in its cookie: the latest, or for a few seconds the one before it,
 * because another tab may have refreshed a moment ago. As with a refresh, an older one ends the session.
 */
export async function cookieCredential(ctx: Context, refreshToken: string): Promise<Credential> {
  const { sessionId, counter } = readRefreshToken(ctx, refreshToken);
  const graceFrom = ctx.now.getTime() - REFRESH_GRACE_MS;
  // Not the context whose database carries this check.
  const own = { ...ctx };
  return credentialOf(ctx, sessionId, {
    select: (db, now) => selectByCookie.bind(db, { sessionId, now }),
    condition: {
      sql: "(s.refresh_counter = ? OR (s.refresh_counter = ? + 1 AND s.rotated_at >= ?))",
      values: [counter, counter, graceFrom],
    },
    inspect(cells) {
      const { id: userId, refreshCounter, rotatedAt } = selectByCookie.toRow(cells);
      const isPrevious = refreshCounter === counter + 1 && rotatedAt.getTime() >= graceFrom;
      if (refreshCounter === counter || isPrevious) return;
      ctx.defer(endForReuse(own, { id: sessionId, userId }));
      throw tokenReused();
    },
  });
}

interface Proof {
  select(db: Database, now: number): D1PreparedStatement;
  /** On the row `s` of the session. */
  condition: Condition;
  /** Throws if the row is there, but the credential is not valid. */
  inspect?(cells: Record<string, unknown>): void;
}

function credentialOf(ctx: Context, sessionId: string, { select, condition, inspect }: Proof): Credential {
  const now = ctx.now.getTime();
  // Not the handle that carries this check.
  const { db } = ctx;
  return {
    kind: "session",
    id: sessionId,
    select: (db, at = ctx.now) => select(db, at.getTime()),
    isValid: (_scopes, identity) => ({
      sql: `EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.id = ? AND ${condition.sql} AND s.expires_at > ?${identity ? ` AND ${HAS_FACTS}` : ""})`,
      values: [sessionId, ...condition.values, now, ...(identity?.facts ?? [])],
    }),
    identify(cells) {
      if (!cells) throw sessionEnded();
      inspect?.(cells);
      // Both statements select the same columns.
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
