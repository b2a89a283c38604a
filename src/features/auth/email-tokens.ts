import { and, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { type Context, forBookkeeping } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import type { Given } from "../../db/compiled-query.ts";
import { mailTokens } from "../../db/schema/auth.ts";
import type { Address } from "../../lib/addresses.ts";
import { randomToken, sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { requireMailer } from "../../providers/mail.ts";
import { type AuditAction, audit } from "../audit/service.ts";

type Purpose = (typeof mailTokens.$inferSelect)["purpose"];

/** How long a token to reset the password works. */
export const RESET_MINUTES = 30;

/**
 * A mailbox is not a toy: one message a minute, and few in a while, whoever asks for them. The while is the life of a
 * token to reset the password: who is refused one because a stranger asked too often has those, and they work.
 */
const RESEND_MS = 60_000;
const WINDOW_MS = RESET_MINUTES * 60_000;
const MESSAGES_A_WINDOW = 3;

interface Letter {
  userId: number;
  purpose: Purpose;
  /** Where the token goes; using it proves that its holder reads mail there. */
  to: Address;
  minutes: number;
  action: AuditAction;
  details?: Record<string, string>;
  subject: string;
  text(token: string): string;
}

/**
 * Mails a new token, of which only the hash is kept, or throws `rate_limited`. It takes the place of an earlier one;
 * only those for a reset stand beside each other, or a stranger who asks for one could end that of the account's owner.
 */
export async function sendMailToken(given: Context, letter: Letter): Promise<{ expiresAt: string }> {
  const { userId, purpose, to, subject } = letter;
  // A token whose mail does not leave is taken back: then nothing has changed, and an Idempotency-Key is still free.
  const ctx = forBookkeeping(given);
  const mailer = requireMailer(ctx.config);
  const token = randomToken(32);
  const tokenHash = sha256Hex(token);
  const expiresAt = new Date(ctx.now.getTime() + letter.minutes * 60_000);
  await runBatch(ctx.db, [
    assertThat(ctx.db, "may_send", maySend(ctx, userId, purpose), () => tooSoon(ctx, userId, purpose)),
    audit(ctx, letter.action, { userId, details: letter.details }),
    ...(purpose === "reset_password" ? [] : [endMailTokens(ctx, userId, purpose)]),
    ctx.db.insert(mailTokens).values({ tokenHash, userId, purpose, email: to.email, createdAt: ctx.now, expiresAt }),
  ]);
  try {
    await mailer.send({ to: { name: to.name, email: to.email }, subject, text: letter.text(token) });
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
  return sql`NOT EXISTS (SELECT 1 FROM mail_tokens WHERE ${sentSince(ctx, userId, purpose, RESEND_MS)})
    AND (SELECT count(*) FROM mail_tokens WHERE ${sentSince(ctx, userId, purpose, WINDOW_MS)}) < ${MESSAGES_A_WINDOW}`;
}

async function tooSoon(ctx: Context, userId: number, purpose: Purpose): Promise<AppError> {
  const sent = await ctx.db
    .select({ at: mailTokens.createdAt })
    .from(mailTokens)
    .where(sentSince(ctx, userId, purpose, WINDOW_MS))
    .orderBy(desc(mailTokens.createdAt))
    .limit(MESSAGES_A_WINDOW);
  const [last, oldest] = [sent[0], sent[MESSAGES_A_WINDOW - 1]];
  const until = oldest ? oldest.at.getTime() + WINDOW_MS : (last?.at ?? ctx.now).getTime() + RESEND_MS;
  const retryAfter = (until - ctx.now.getTime()) / 1000;
  return new AppError("rate_limited", "A message has just been sent, or several have of late.", { retryAfter });
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
  return deletion(ctx, and(eq(mailTokens.userId, userId), inArray(mailTokens.purpose, purposes)));
}

/** Ends the token of a purpose; that it was mailed is still known, so that the next is not mailed too soon. */
export function endMailTokens(ctx: Context, userId: number, purpose: Purpose) {
  return ctx.db
    .update(mailTokens)
    .set({ expiresAt: ctx.now })
    .where(isLive(userId, purpose, ctx.now));
}

function isLive(userId: Given, purpose: Purpose, now: Given<Date>) {
  return and(eq(mailTokens.userId, userId), eq(mailTokens.purpose, purpose), gt(mailTokens.expiresAt, now));
}

/** Fails a batch unless a token of this purpose still works. */
export function assertLiveToken(ctx: Context, userId: number, purpose: Purpose, refusal: () => AppError) {
  return assertExists(ctx.db, mailTokens, isLive(userId, purpose, ctx.now), refusal);
}

/** The token of a purpose that still works: where it went, and when. */
export function selectLiveToken(ctx: Pick<Context, "db">, userId: Given, purpose: Purpose, now: Given<Date>) {
  return ctx.db
    .select({ email: mailTokens.email, createdAt: mailTokens.createdAt, expiresAt: mailTokens.expiresAt })
    .from(mailTokens)
    .where(isLive(userId, purpose, now))
    .limit(1);
}

export async function findMailToken(ctx: Context, purpose: Purpose, token: string) {
  const [row] = await ctx.db
    .select()
    .from(mailTokens)
    .where(isToken(ctx, purpose, token));
  return row;
}

/** Fails a batch unless the token is unused: of two batches with the same token, the second is undone. */
export function assertUnspent(ctx: Context, purpose: Purpose, token: string, refusal: () => AppError) {
  return assertExists(ctx.db, mailTokens, isToken(ctx, purpose, token), refusal);
}

export function spendMailToken(ctx: Context, purpose: Purpose, token: string) {
  return deletion(ctx, isToken(ctx, purpose, token));
}

function deletion(ctx: Context, where: SQL | undefined) {
  return ctx.db.delete(mailTokens).where(where);
}
