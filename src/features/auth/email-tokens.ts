import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { mailTokens } from "../../db/schema/auth.ts";
import type { Address } from "../../lib/addresses.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import type { RenderedNotice } from "../../lib/notice.ts";
import { requireMailer } from "../../providers/mail.ts";
import { type AuditAction, audit } from "../audit/service.ts";
import { sessionEnded, sessionExists } from "./sessions/service.ts";

type Purpose = (typeof mailTokens.$inferSelect)["purpose"];

/** How long a password reset token works. */
export const RESET_MINUTES = 30;

/**
 * Nobody can flood a mailbox: one email a minute, and three in a window. The window is the lifetime of a reset token,
 * so a person who is refused another token has three that work.
 */
const MIN_INTERVAL_MS = 60_000;
const WINDOW_MS = RESET_MINUTES * 60_000;
const MAX_EMAILS_PER_WINDOW = 3;

interface TokenEmail {
  userId: number;
  purpose: Purpose;
  /** Using the token verifies this address. */
  to: Address;
  minutes: number;
  action: AuditAction;
  details?: Record<string, string>;
  write(token: string): RenderedNotice;
}

/**
 * Sends a new token, or throws `rate_limited`. Only its hash is stored. It replaces an earlier one, except for resets:
 * otherwise a stranger who requests a reset would invalidate the token of the account's owner.
 */
export async function sendEmailToken(given: Context, email: TokenEmail): Promise<{ expiresAt: string }> {
  const { userId, purpose, to } = email;
  // A token whose email cannot be sent is deleted again. Nothing has changed then, so an Idempotency-Key stays unused.
  const ctx = forBookkeeping(given);
  const mailer = requireMailer(ctx.config);
  const token = randomToken(32);
  const tokenHash = sha256Hex(token);
  const expiresAt = new Date(ctx.now.getTime() + email.minutes * 60_000);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "may_send", maySend(ctx, userId, purpose), () => rateLimited(ctx, userId, purpose)),
    // Bookkeeping does not depend on the session; this does, if somebody is signed in.
    ...(ctx.actor.kind === "session"
      ? [assertThat(ctx.db, "session_exists", sessionExists(ctx, ctx.actor.session.id), sessionEnded)]
      : []),
    audit(ctx, email.action, { userId, details: email.details }),
    ...(purpose === "reset_password" ? [] : [expireEmailTokens(ctx, userId, purpose)]),
    ctx.db.insert(mailTokens).values({ tokenHash, userId, purpose, email: to.email, createdAt: ctx.now, expiresAt }),
  ]);
  try {
    await mailer.send({ to: { name: to.name, email: to.email }, ...email.write(token) });
  } catch (error) {
    await deletion(ctx, eq(mailTokens.tokenHash, tokenHash));
    throw error;
  }
  return { expiresAt: expiresAt.toISOString() };
}

function sentSince(ctx: Context, userId: number, purpose: Purpose, ms: number) {
  const since = new Date(ctx.now.getTime() - ms);
  return and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose), gt(mailTokens.createdAt, since));
}

function maySend(ctx: Context, userId: number, purpose: Purpose): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM mail_tokens WHERE ${sentSince(ctx, userId, purpose, MIN_INTERVAL_MS)})
    AND (SELECT count(*) FROM mail_tokens WHERE ${sentSince(ctx, userId, purpose, WINDOW_MS)}) < ${MAX_EMAILS_PER_WINDOW}`;
}

async function rateLimited(ctx: Context, userId: number, purpose: Purpose): Promise<AppError> {
  const sent = await ctx.db
    .select({ at: mailTokens.createdAt })
    .from(mailTokens)
    .where(sentSince(ctx, userId, purpose, WINDOW_MS))
    .orderBy(desc(mailTokens.createdAt))
    .limit(MAX_EMAILS_PER_WINDOW);
  const [last, oldest] = [sent[0], sent[MAX_EMAILS_PER_WINDOW - 1]];
  const until = oldest ? oldest.at.getTime() + WINDOW_MS : (last?.at ?? ctx.now).getTime() + MIN_INTERVAL_MS;
  const retryAfter = (until - ctx.now.getTime()) / 1000;
  return new AppError("rate_limited", "Too many of these emails were sent recently. Wait before you request another.", {
    retryAfter,
  });
}

function isToken(ctx: Context, purpose: Purpose, token: string) {
  return and(
    eq(mailTokens.tokenHash, sha256Hex(token)),
    eq(mailTokens.purpose, purpose),
    gt(mailTokens.expiresAt, ctx.now),
  );
}

export function deleteEmailTokens(ctx: Context, userId: number, ...purposes: Purpose[]) {
  return deletion(ctx, and(eq(mailTokens.userId, userId), inArray(mailTokens.purpose, purposes)));
}

/** Keeps the row, because the limits above count it. */
export function expireEmailTokens(ctx: Context, userId: number, purpose: Purpose) {
  return ctx.db
    .update(mailTokens)
    .set({ expiresAt: ctx.now })
    .where(isLive(userId, purpose, ctx.now));
}

function isLive(userId: number, purpose: Purpose, now: Date) {
  return and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose), gt(mailTokens.expiresAt, now));
}

/** Fails a batch unless a token of this purpose still works. */
export function assertLiveToken(ctx: Context, userId: number, purpose: Purpose, refusal: () => AppError) {
  return assertExists(ctx.db, mailTokens, isLive(userId, purpose, ctx.now), refusal);
}

/** The requested new address, until its token expires. */
export function selectPendingEmail(ctx: Context, userId: number, now: Date) {
  return ctx.db
    .select({ email: mailTokens.email, createdAt: mailTokens.createdAt, expiresAt: mailTokens.expiresAt })
    .from(mailTokens)
    .where(isLive(userId, "change_email", now))
    .limit(1);
}

export async function findEmailToken(ctx: Context, purpose: Purpose, token: string) {
  const [row] = await ctx.db
    .select()
    .from(mailTokens)
    .where(isToken(ctx, purpose, token));
  return row;
}

/** Fails a batch unless the token is unused: of two batches with the same token, the second is undone. */
export function assertUnused(ctx: Context, purpose: Purpose, token: string, refusal: () => AppError) {
  return assertExists(ctx.db, mailTokens, isToken(ctx, purpose, token), refusal);
}

export function deleteEmailToken(ctx: Context, purpose: Purpose, token: string) {
  return deletion(ctx, isToken(ctx, purpose, token));
}

function deletion(ctx: Context, where: SQL | undefined) {
  return ctx.db.delete(mailTokens).where(where);
}
