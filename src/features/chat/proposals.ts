import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { type Context, forBookkeeping, isPerson, relayingOutsideWords } from "../../context.ts";
import { chatConversations, chatProposals } from "../../db/schema/chat.ts";
import { AppError, type ErrorCode } from "../../lib/errors.ts";
import { insertActions, isOwnProposal, type ProposalRow, toProposal } from "./conversations.ts";
import { toolByName } from "./tools/registry.ts";
import { basisOf } from "./turn.ts";
import { writeUndoably } from "./undoable.ts";

/** Closes an open proposal. Only one of several parallel requests succeeds. */
async function closeProposal(ctx: Context, id: string, status: "applied" | "dismissed"): Promise<ProposalRow> {
  const isOwned = and(eq(chatProposals.id, id), isOwnProposal(ctx));
  const { db } = ctx;
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

/** Makes the proposed change once, even for parallel requests, and only to the record that its summary describes. */
export async function applyProposal(ctx: Context, id: string) {
  return (await applyUndoably(ctx, id)).proposal;
}

/** `isSameStep`: it is undone together with what was applied before it. */
export async function applyUndoably(ctx: Context, id: string, isSameStep = false) {
  if (!isPerson(ctx)) {
    throw new AppError("forbidden", "Only a person can apply a proposal. Sign in and apply it with the session token.");
  }
  // Not yet the change itself: if that is refused, the proposal is reopened, also for the same Idempotency-Key.
  const row = await closeProposal(forBookkeeping(ctx), id, "applied");
  let made: Awaited<ReturnType<typeof makeChange>>;
  try {
    made = await makeChange(ctx, row);
  } catch (error) {
    // A refused change wrote nothing. After any other failure that is unknown, so the proposal stays closed.
    if (!(error instanceof AppError)) throw error;
    const isOver = error.code === "proposal_outdated";
    await settle(ctx, id, isOver ? { status: "dismissed" } : { status: "open", closedAt: null });
    throw error;
  }
  const { result, undoable } = made;
  await settle(
    ctx,
    id,
    { result },
    insertActions(forBookkeeping(ctx), row.conversationId, undoable ? [undoable] : [], { isSameStep }),
  );
  return { proposal: toProposal(ctx, { ...row, result }), undoable };
}

async function makeChange(ctx: Context, { tool: name, input, basis, timeZone, conversationId }: ProposalRow) {
  const tool = toolByName(name);
  if (!tool?.writes) throw new AppError("conflict", `The tool ${name} no longer exists.`);
  const context = { ctx: relayingOutsideWords(ctx), timeZone, conversationId };
  if (basis === null) return writeUndoably(context, tool, input);
  // The same preview of the same version was possible before, so a refusal means that the record has changed.
  const preview = await tool.preview(context, input).catch(outdatedIf(() => true));
  if (!preview.record || basisOf(preview) !== basis) throw outdated();
  // The write checks the version again, in its own batch: the record may change after the preview.
  const expected = [preview.record.version];
  return writeUndoably({ ...context, expected }, tool, input).catch(outdatedIf(({ code }) => MISSED.includes(code)));
}

const MISSED: readonly ErrorCode[] = ["not_found", "version_conflict"];

const outdatedIf = (isOutdated: (error: AppError) => boolean) => (error: unknown) => {
  throw error instanceof AppError && isOutdated(error) ? outdated() : error;
};

function outdated(): AppError {
  return new AppError(
    "proposal_outdated",
    "The task or event has changed since this was proposed, or was deleted. Nothing was changed and the proposal is dismissed. Ask the assistant again.",
  );
}

async function settle(
  ctx: Context,
  id: string,
  change: Partial<ProposalRow>,
  also: ReturnType<typeof insertActions> = [],
): Promise<void> {
  const db = ctx.bookkeeping;
  await db.batch([
    db.update(chatProposals).set(change).where(eq(chatProposals.id, id)),
    db
      .update(chatConversations)
      .set({ updatedAt: ctx.now })
      .where(sql`${chatConversations.id} = (SELECT conversation_id FROM chat_proposals WHERE id = ${id})`),
    ...also,
  ]);
}

/** What the open ones of these proposals would do. */
export async function summariesOf(ctx: Context, ids: readonly string[]): Promise<{ id: string; summary: string }[]> {
  return ctx.db
    .select({ id: chatProposals.id, summary: chatProposals.summary })
    .from(chatProposals)
    .where(and(inArray(chatProposals.id, [...ids]), isOwnProposal(ctx), eq(chatProposals.status, "open")));
}

export async function dismissProposal(ctx: Context, id: string): Promise<void> {
  await closeProposal(ctx, id, "dismissed");
}
