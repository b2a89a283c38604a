import { and, eq, gt, sql } from "drizzle-orm";
import { type Context, requireScopes } from "../../context.ts";
import { chatConversations, chatProposals } from "../../db/schema/chat.ts";
import { AppError } from "../../lib/errors.ts";
import { type ProposalRow, proposedTo, toProposal } from "./conversations.ts";
import { toolNamed } from "./tools/registry.ts";

/** Settles an open proposal, for whoever comes first; tells everyone else why not. */
async function settle(ctx: Context, id: string, status: "applied" | "dismissed"): Promise<ProposalRow> {
  const isTheirs = and(eq(chatProposals.id, id), proposedTo(ctx));
  // Not yet a change: what is then refused is open again, also for the same Idempotency-Key.
  const db = ctx.bookkeeping;
  const [[settled], [known]] = await db.batch([
    db
      .update(chatProposals)
      .set({ status, settledAt: ctx.now })
      .where(and(isTheirs, eq(chatProposals.status, "open"), gt(chatProposals.expiresAt, ctx.now)))
      .returning(),
    db.select().from(chatProposals).where(isTheirs),
  ]);
  if (settled) return settled;
  if (!known) throw new AppError("not_found", `There is no proposal ${id}.`);
  if (known.status === "open") throw new AppError("proposal_expired", "A proposal stands for 24 hours. Ask again.");
  throw new AppError("proposal_settled", `The proposal was ${known.status} before; nothing was changed now.`);
}

/** Does what was proposed, once: two at the same time are one write. What is refused leaves the proposal open. */
export async function applyProposal(ctx: Context, id: string) {
  await requireAllowed(ctx, id);
  const row = await settle(ctx, id, "applied");
  const tool = toolNamed(row.tool);
  if (!tool) throw new AppError("conflict", `There is no tool called ${row.tool} any more.`);
  let result: Record<string, unknown>;
  try {
    result = await tool.run({ ctx, timeZone: row.timeZone }, row.input);
  } catch (error) {
    // Refused means that nothing was written. After any other failure nobody knows, so it is not tried twice.
    if (error instanceof AppError) await setResult(ctx, id, { status: "open", settledAt: null });
    throw error;
  }
  await setResult(ctx, id, { result });
  return toProposal(ctx, { ...row, result });
}

/** Before it is claimed, so that a key that may not do it takes nothing from one that may. */
async function requireAllowed(ctx: Context, id: string): Promise<void> {
  if (ctx.config.ACCESS_MODE === "open" || ctx.actor.kind !== "api_key") return;
  const isTheirs = and(eq(chatProposals.id, id), proposedTo(ctx));
  const [known] = await ctx.db.select({ tool: chatProposals.tool }).from(chatProposals).where(isTheirs);
  const tool = known && toolNamed(known.tool);
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
  await settle(ctx, id, "dismissed");
}
