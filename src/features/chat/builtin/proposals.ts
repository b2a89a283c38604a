import { isPerson } from "../../../context.ts";
import { AppError } from "../../../lib/errors.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { wordSet } from "../../../lib/words.ts";
import { dismissProposal, summariesOf } from "../../conversations/proposals.ts";
import { applyUndoably } from "../../tools/apply-proposal.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { exactly, wordsOf } from "../request/exact.ts";
import { exceptIn, referenceIn, referred } from "../request/reference.ts";
import type { Answer } from "./plan.ts";

const LONGEST_ANSWER = 8;

/** Applies or dismisses what the last reply has proposed: "yes", "the first two", "all but the deposit", "no". Null: another message. */
export async function answerProposals(turn: Turn, message: string): Promise<Answer | null> {
  const ids = turn.state.proposals;
  if (ids.length === 0) return null;
  const exact = exactly(message, { isAsked: true, isWritten: false });
  if (exact === "no") return dismissAll(turn, ids);
  const chosen = exact === "yes" || exact === "send" ? ids : await chosenIds(turn, message, ids);
  if (!chosen) return null;
  if (!isPerson(turn.ctx)) return { text: "Only a person can confirm that. Sign in to apply it." };
  return applyAll(turn, chosen);
}

/** Only a short message of references chooses: "the first two", "just the passport one", "all except the deposit". */
async function chosenIds(turn: Turn, message: string, ids: readonly string[]): Promise<string[] | null> {
  const words = wordsOf(message);
  const reference = referenceIn(message);
  if (words.length > LONGEST_ANSWER || !reference || (reference.which === "one" && words.length > 4)) return null;
  const except = exceptIn(message);
  const name = except ?? message;
  const telling = tellingWords(name).filter((word) => !PLAIN.has(word));
  if (telling.length > 0) {
    const named = bestMatches(telling.join(" "), await summariesOf(turn.ctx, ids), ({ summary }) => [summary]).map(
      ({ id }) => id,
    );
    if (named.length !== 1) return null;
    return except ? ids.filter((id) => !named.includes(id)) : named;
  }
  const isVerb = words.some((word) => VERBS.has(word));
  if (isVerb) return null;
  return reference.which === "one" && ids.length > 1 ? null : referred(reference, ids);
}

const PLAIN = wordSet(
  "all both first second third last two three only just one ones yes please add of them the and every everything take apply",
);
const VERBS = wordSet("cancel delete remove move change rename read show send archive edit make discard bin scrap");

async function applyAll(turn: Turn, ids: readonly string[]): Promise<Answer> {
  const done: string[] = [];
  const failed = new Set<string>();
  for (const id of ids) {
    try {
      const { proposal, undoable } = await applyUndoably(turn.ctx, id, done.length > 0);
      turn.wasApplied(proposal, undoable?.id ?? null, undoable?.undo !== null && undoable !== undefined);
      done.push(proposal.summary);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.add(error.message);
    }
  }
  const text =
    done.length === 1 ? [`Done: ${done[0]}.`] : done.length > 1 ? ["Done:", ...done.map((each) => `- ${each}`)] : [];
  return { text: [...text, ...failed].join("\n") };
}

async function dismissAll(turn: Turn, ids: readonly string[]): Promise<Answer> {
  let dismissed = 0;
  for (const id of ids) {
    try {
      await dismissProposal(turn.ctx, id);
      dismissed += 1;
    } catch (error) {
      // It was applied or dismissed elsewhere, or has expired.
      if (!(error instanceof AppError)) throw error;
    }
  }
  turn.hasSettled = true;
  const what =
    dismissed === 0
      ? "Nothing was changed."
      : `${counted(dismissed, "proposal")} dismissed. Nothing was changed or sent.`;
  return { text: `All right. ${what}` };
}
