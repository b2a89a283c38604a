import { and, eq, gt, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../context.ts";
import { chatConversations, chatProposals } from "../../db/schema/chat.ts";
import { AppError } from "../../lib/errors.ts";
import { isOwnProposal, type ProposalRow, toProposal } from "./conversations.ts";
import { toolByName } from "./tools/registry.ts";

/** Closes an open proposal. Only one of several parallel requests succeeds. */
async function closeProposal(ctx: Context, id: string, status: "applied" | "dismissed"): Promise<ProposalRow> {
  const isOwned = and(eq(chatProposals.id, id), isOwnProposal(ctx));
  // Not yet the change itself: if that is refused, the proposal is reopened, also for the same Idempotency-Key.
  const db = ctx.bookkeeping;
  const [[closed], [known]] = await db.batch([
    db
      .update(chatProposals)
      .set({ status, closedAt: ctx.now })
      .where(and(isOwned, eq(chatProposals.status, "open"), gt(chatProposals.expiresAt, ctx.now)))
      .returning(),
    db.select().from(chatProposals).where(isOwned),
  ]);
  if (closed) return closed;
  if (!known) throw new AppError("not_found", `There is no proposal ${id}.`);
  if (known.status === "open")
    throw new AppError("proposal_expired", "The proposal has expired after 24 hours. Ask the assistant again.");
  throw new AppError("proposal_settled", `The proposal was already ${known.status}. Nothing was changed.`);
}

/** Makes the proposed change once, even for parallel requests. If the change is refused, the proposal stays open. */
export async function applyProposal(ctx: Context, id: string) {
  await requireAllowed(ctx, id);
  const row = await closeProposal(ctx, id, "applied");
  const tool = toolByName(row.tool);
  if (!tool) throw new AppError("conflict", `The tool ${row.tool} no longer exists.`);
  let result: Record<string, unknown>;
  try {
    result = await tool.run({ ctx, timeZone: row.timeZone }, row.input);
  } catch (error) {
    // A refused change wrote nothing. After any other failure that is unknown, so the proposal stays closed.
    if (error instanceof AppError) await setResult(ctx, id, { status: "open", closedAt: null });
    throw error;
  }
  await setResult(ctx, id, { result });
  return toProposal(ctx, { ...row, result });
}

/** Checked before the proposal is closed, so that a key without the scope leaves it open. */
async function requireAllowed(ctx: Context, id: string): Promise<void> {
  if (ctx.config.ACCESS_MODE === "open" || ctx.actor.kind !== "api_key") return;
  const isOwned = and(eq(chatProposals.id, id), isOwnProposal(ctx));
  const [known] = await ctx.db.select({ tool: chatProposals.tool }).from(chatProposals).where(isOwned);
  const tool = known && toolByName(known.tool);
  if (tool) requireScopes(ctx, tool.scopes);
}

async function setResult(ctx: Context, id: string, change: Partial<ProposalRow>): Promise<void> {
  const db = ctx.bookkeeping;
  await db.batch([
    db.update(chatProposals).set(change).where(eq(chatProposals.id, id)),
    db
      .update(chatConversations)
      .set({ updatedAt: ctx.now })
      .where(sql`${chatConversations.id} = (SELECT conversation_id FROM chat_proposals WHERE id = ${id})`),
  ]);
}

export async function dismissProposal(ctx: Context, id: string): Promise<void> {
  await closeProposal(ctx, id, "dismissed");
}
