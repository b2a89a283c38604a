import { eq, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { emails } from "../../../db/schema/emails.ts";
import { blockedSenders } from "../../../db/schema/emails-sorting.ts";
import { missedWrite } from "../../../db/version.ts";
import { senderProof } from "../../../lib/authentication-results.ts";
import { AppError } from "../../../lib/errors.ts";
import type { BlockEmailSender, BlockedSender, NewBlockedSender } from "./schemas.ts";

const MAX_BLOCKED = 10_000;

function toBlocked(row: typeof blockedSenders.$inferSelect): BlockedSender {
  const { id, sender, unverifiedOnly, createdAt } = row;
  const kind = sender.includes("@") ? "address" : "domain";
  return { id, sender, kind, unverifiedOnly, createdAt: createdAt.toISOString() };
}

export function listBlocked(ctx: Context, request: PageRequest): Promise<Page<BlockedSender>> {
  return listPage(ctx, request, { list: "blocked senders", table: blockedSenders, by: ["sender"] }, toBlocked);
}

/** The statements that block a sender, or block more of it, and read it. */
function blocking(ctx: Context, sender: string, unverifiedOnly: boolean) {
  const tooMany = () => new AppError("block_limit_reached", `${MAX_BLOCKED} senders are blocked. Delete one first.`);
  return [
    assertThat(ctx.db, "blocked_have_room", sql`(SELECT count(*) FROM blocked_senders) < ${MAX_BLOCKED}`, tooMany),
    ctx.db
      .insert(blockedSenders)
      .values({ sender, unverifiedOnly, createdAt: ctx.now })
      .onConflictDoNothing()
      .returning({ id: blockedSenders.id }),
    ctx.db
      .update(blockedSenders)
      .set({ unverifiedOnly })
      .where(sql`sender = ${sender} AND unverified_only > ${unverifiedOnly ? 1 : 0}`),
    ctx.db.select().from(blockedSenders).where(eq(blockedSenders.sender, sender)),
  ] as const;
}

interface Block {
  blocked: BlockedSender;
  isNew: boolean;
}

export async function blockSender(ctx: Context, { sender, unverifiedOnly }: NewBlockedSender): Promise<Block> {
  const [, created, , [row]] = await runBatch(ctx.db, blocking(ctx, sender, unverifiedOnly));
  if (!row) throw new Error("the blocked sender has no row");
  return { blocked: toBlocked(row), isNew: created.length > 0 };
}

/**
 * Blocks the sender of an email, and puts the email into the trash, marked as read. If nobody has proved that the address
 * is the sender's, those of its emails that are proved still arrive: else a forger could make a person block their bank.
 */
export async function blockSenderOf(ctx: Context, id: number, { scope }: BlockEmailSender): Promise<Block> {
  const isThis = eq(emails.id, id);
  const [email] = await ctx.db
    .select({ from: emails.fromEmail, direction: emails.direction, authentication: emails.authentication })
    .from(emails)
    .where(isThis);
  requireScopes(ctx, ["emails:read"]);
  if (!email) throw missedWrite(undefined, `email ${id}`);
  if (email.direction !== "inbound") throw new AppError("conflict", "You sent this email. Nobody was blocked.");
  // Its sender took somebody else's address, whose own emails would go to the trash.
  const proof = senderProof(email.authentication);
  if (proof === "failed") {
    const detail = `The email may be forged, so the address ${email.from} may not be its sender's. Nobody was blocked.`;
    throw new AppError("conflict", detail);
  }
  const address = email.from.trim().toLowerCase();
  const sender = scope === "domain" ? address.slice(address.lastIndexOf("@") + 1) : address;
  const [, created, , [row]] = await runBatch(ctx.db, [
    ...blocking(ctx, sender, proof !== "verified"),
    assertExists(ctx.db, emails, isThis, () => missedWrite(undefined, `email ${id}`)),
    ctx.db
      .update(emails)
      .set({ status: "trash", isRead: true, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
      .where(sql`${isThis} AND (status <> 'trash' OR is_read = 0)`),
  ] as const);
  if (!row) throw new Error("the blocked sender has no row");
  return { blocked: toBlocked(row), isNew: created.length > 0 };
}

export async function unblockSender(ctx: Context, id: number): Promise<void> {
  const deleted = await ctx.db
    .delete(blockedSenders)
    .where(eq(blockedSenders.id, id))
    .returning({ id: blockedSenders.id });
  if (deleted.length === 0) throw missedWrite(undefined, `blocked sender ${id}`);
}
