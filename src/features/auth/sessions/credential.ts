import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Context, Credential } from "../../../context.ts";
import type { Database } from "../../../db/client.ts";
import { compiledStatement } from "../../../db/compiled-query.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { type AccountRow, accountColumns, accountFacts, HAS_FACTS, toAccount } from "../../people/account.ts";
import { LAST_SEEN_PRECISION_MS } from "./lifetime.ts";
import { sessionEnded } from "./service.ts";
import { readRefreshToken, verifyAccessToken } from "./tokens.ts";

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

/** The latest refresh token, or the one before it: another tab may have refreshed a moment ago. */
const selectByCookie = compiledStatement<AccountRow & SessionTimes>(({ db }) =>
  db
    .select(sessionColumns)
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.id, sql.placeholder("sessionId")),
        sql`${sessions.refreshCounter} <= ${sql.placeholder("counter")} + 1`,
        gt(sessions.expiresAt, sql.placeholder("now")),
      ),
    ),
);

/** A valid token is accepted only while the row of its session exists, so that ending a session takes effect at once. */
export async function sessionCredential(ctx: Context, token: string): Promise<Credential> {
  const { sessionId, userId } = await verifyAccessToken(ctx, token);
  return credentialOf(ctx, sessionId, {
    select: (db, now) => selectSession.bind(db, { sessionId, userId, now }),
    condition: "s.user_id = ?",
    value: userId,
  });
}

/** The session of the console, by the refresh token in its cookie. */
export async function cookieCredential(ctx: Context, refreshToken: string): Promise<Credential> {
  const { sessionId, counter } = readRefreshToken(ctx, refreshToken);
  return credentialOf(ctx, sessionId, {
    select: (db, now) => selectByCookie.bind(db, { sessionId, counter, now }),
    condition: "s.refresh_counter <= ? + 1",
    value: counter,
  });
}

interface Proof {
  select(db: Database, now: number): D1PreparedStatement;
  /** On the row `s` of the session, with its value. */
  condition: string;
  value: number;
}

function credentialOf(ctx: Context, sessionId: string, { select, condition, value }: Proof): Credential {
  const now = ctx.now.getTime();
  // Not the handle that carries this check.
  const { db } = ctx;
  return {
    kind: "session",
    id: sessionId,
    select: (db, at = ctx.now) => select(db, at.getTime()),
    isValid: (_scopes, identity) => ({
      sql: `EXISTS (SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE s.id = ? AND ${condition} AND s.expires_at > ?${identity ? ` AND ${HAS_FACTS}` : ""})`,
      values: [sessionId, value, now, ...(identity?.facts ?? [])],
    }),
    identify(cells) {
      if (!cells) throw sessionEnded();
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
