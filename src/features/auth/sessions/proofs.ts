import { and, eq, gt, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import { type Context, signedInSession } from "../../../context.ts";
import { assertThat, failedAssertion } from "../../../db/assert.ts";
import { prepared, type Rider } from "../../../db/riders.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { AppError } from "../../../lib/errors.ts";
import { REAUTHENTICATION_MS } from "./lifetime.ts";

/** Until when sensitive requests of the session need no password; null if it was never confirmed in it. */
export function reauthenticatedUntil({ provedAt }: { provedAt: Date | null }): Date | null {
  return provedAt && new Date(provedAt.getTime() + REAUTHENTICATION_MS);
}

/** Whether a request of the signed-in person needs no password now. */
export function isReauthenticated(ctx: Context): boolean {
  const until = reauthenticatedUntil(signedInSession(ctx).session);
  return until !== null && until > ctx.now;
}

/** A condition for the batch of such a request: the session exists, and the password was confirmed in it recently. */
export function sessionIsProved(ctx: Pick<Context, "now">, sessionId: string): SQL {
  const since = new Date(ctx.now.getTime() - REAUTHENTICATION_MS);
  const isProved = and(eq(sessions.id, sessionId), gt(sessions.expiresAt, ctx.now), gt(sessions.provedAt, since));
  return sql`EXISTS (SELECT 1 FROM sessions WHERE ${isProved})`;
}

const IS_PROVED = "session_is_proved";

/** The same on every write of a request: it may have been true when the request began, and no longer. */
export function whileProved(ctx: Pick<Context, "now">, sessionId: string): Rider {
  const isProved = sessionIsProved(ctx, sessionId);
  return {
    statements: (db, { isWrite }) => (isWrite ? [prepared(db, assertThat(db, IS_PROVED, isProved))] : []),
    refusal: (error) => (failedAssertion(error)?.assertion === IS_PROVED ? lost() : null),
  };
}

function lost(): AppError {
  const detail = "The session has ended meanwhile, or has to confirm the password again. Nothing was written.";
  return new AppError("reauthentication_required", detail);
}

/** The statement that makes the sessions of a person, but for one, confirm the password again. */
export function forgetProofs({ db }: Pick<Context, "db">, userId: number, except = "") {
  const isMeant = and(eq(sessions.userId, userId), ne(sessions.id, except), isNotNull(sessions.provedAt));
  return db.update(sessions).set({ provedAt: null }).where(isMeant);
}
