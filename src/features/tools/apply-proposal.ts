import { type Context, forBookkeeping, isPerson, relayingOutsideWords } from "../../context.ts";
import { AppError, type ErrorCode } from "../../lib/errors.ts";
import { basisOf, closeProposal, type ProposalRow, settle, toProposal } from "../conversations/proposals.ts";
import { insertActions } from "../conversations/service.ts";
import { toolByName } from "./registry.ts";
import { writeUndoably } from "./undoable.ts";

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
