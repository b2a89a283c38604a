import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Given } from "../../db/compiled-query.ts";
import { mailTokens } from "../../db/schema/auth.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";

type Purpose = (typeof mailTokens.$inferSelect)["purpose"];

interface Issued {
  userId: number;
  purpose: Purpose;
  /** Where the token goes; using it proves that its holder reads mail there. */
  email: string;
  minutes: number;
}

/** A new token and the statements that make it the only one of its purpose. Only its hash is kept. */
export function issueMailToken(ctx: Context, { userId, purpose, email, minutes }: Issued) {
  const token = randomToken(32);
  return {
    token,
    statements: [
      ctx.db.delete(mailTokens).where(and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose))),
      ctx.db.insert(mailTokens).values({
        tokenHash: sha256Hex(token),
        userId,
        purpose,
        email,
        createdAt: ctx.now,
        expiresAt: new Date(ctx.now.getTime() + minutes * 60_000),
      }),
    ] as const,
  };
}

function isToken(ctx: Context, purpose: Purpose, token: string) {
  return and(
    eq(mailTokens.tokenHash, sha256Hex(token)),
    eq(mailTokens.purpose, purpose),
    gt(mailTokens.expiresAt, ctx.now),
  );
}

/** Takes back what was mailed for these purposes. */
export function revokeMailTokens(ctx: Context, userId: number, ...purposes: Purpose[]) {
  return ctx.db.delete(mailTokens).where(and(eq(mailTokens.userId, userId), inArray(mailTokens.purpose, purposes)));
}

/** The newest token of a purpose that still works: where it went, and when. */
export function selectLiveToken(ctx: Pick<Context, "db">, userId: Given, purpose: Purpose, now: Given<Date>) {
  return ctx.db
    .select({ email: mailTokens.email, createdAt: mailTokens.createdAt, expiresAt: mailTokens.expiresAt })
    .from(mailTokens)
    .where(and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose), gt(mailTokens.expiresAt, now)))
    .limit(1);
}

export async function findMailToken(ctx: Context, purpose: Purpose, token: string) {
  const [row] = await ctx.db
    .select()
    .from(mailTokens)
    .where(isToken(ctx, purpose, token));
  return row;
}

/**
 * Spends a token: `isUnspent` goes into the batch's audit row as its condition, `spend` after it. Of
 * two batches with the same token, the second finds the condition broken and is undone.
 */
export function spendMailToken(
  ctx: Context,
  purpose: Purpose,
  token: string,
): { isUnspent: SQL; spend: ReturnType<typeof deletion> } {
  const isMine = isToken(ctx, purpose, token);
  return { isUnspent: sql`EXISTS (SELECT 1 FROM mail_tokens WHERE ${isMine})`, spend: deletion(ctx, isMine) };
}

function deletion(ctx: Context, where: SQL | undefined) {
  return ctx.db.delete(mailTokens).where(where);
}
