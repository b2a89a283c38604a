import { isPerson } from "../../../context.ts";
import { AppError } from "../../../lib/errors.ts";
import { counted } from "../../../lib/spoken-time.ts";
import { dismissProposal, summariesOf } from "../../conversations/proposals.ts";
import { applyUndoably } from "../../tools/apply-proposal.ts";
import { bestMatches, tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { errandOf } from "../language/errands/errand.ts";
import { readReference, referred } from "../language/follow-ups/reference.ts";
import type { Reply } from "./reply-text.ts";

const YES =
  /^(?:(?:yes|yep|yeah|yup|sure|ok|okay|please|go ahead|go on(?: then)?|alright|why not|by all means|that would be great|do it|do that|apply|confirm|confirmed|send(?: now)?(?= *[.!]*$)|go|send away|fire away|ship it|off you go|let's (?:do (?:it|that)|go)|that's (?:right|fine|it|the one)|that works|works for me|looks good|looks right|all good|lgtm|fine|good|alright then|yes please|definitely|exactly|of course|absolutely|right|correct|please do|sounds good|perfect|great|go for it|make it so|add|create|take|save|accept)\b[\s,.!]*){1,6}/i;
const YES_SEND =
  /^(?:(?:yes|yep|yeah|yup|sure|ok|okay|cool|nice|good|fine|alright|right|go ahead|go on|please do|absolutely|of course|definitely|that(?:'s| is) (?:fine|good|great|perfect|right|lovely|it)|(?:it's|it is|is) (?:good|fine|ok|okay|perfect|great)|that(?:'ll| will) do|(?:it |that )?(?:looks|sounds) (?:good|fine|great|right)|perfect|great|lovely|brilliant|excellent|thanks|thank you)\b[\s,.!]*){0,6}(?:and |please |do |just |now |then |you can |you may |let's |go ahead and )*(?:off (?:it goes|with it|you go)|send)(?: it| that| this| them| the (?:draft|e-?mail|mail|reply|answer|message)| now| off| away| out| then| please| over| to (?:him|her|them))*[\s.!]*$/i;
const NO =
  /^(?:no+|nope|nah|none(?: of them)?|neither|never ?mind|not now|not yet|don't|do not|dismiss|discard|leave (?:it|them)|skip (?:it|them)|later|cancel|stop)\b[\s,.!]{0,9}(?:thanks|thank you|not yet|not now|don't|please|it|them|all of them|send it)*[\s.!]*$/i;
const REMOVES_DRAFT =
  /^(?:no,? )?(?:discard|delete|bin|scrap|remove|trash|get rid of) (?:it|that|the (?:draft|reply))\b/i;
const WHICH =
  /^(?:only |just )?(?:all(?: of (?:them|these|those))?|both(?: of them)?|them(?: all)?|it|that|that one|this|everything|(?:the )?(?:first|second|third|fourth|fifth|last)(?: (?:one|two|three|four|task))?(?: (?:and|&) (?:the )?(?:first|second|third|fourth|last)(?: one)?)*|(?:number |#)?\d(?:(?:,| and|, and) \d)*)(?: (?:please|of them|tasks?))*[\s.!]*$/i;

/** Applies or dismisses what the last reply has proposed: "yes", "the first two", "all of them", "no". Null: another message. */
export async function answerProposals(turn: Turn, message: string, whole = message): Promise<Reply | null> {
  const ids = turn.state.proposals;
  if (ids.length === 0) return null;
  const text = message.replaceAll("’", "'").trim();
  const isDraft = turn.state.groups[0]?.[0]?.kind === "draft";
  if (REMOVES_DRAFT.test(text) && isDraft) {
    await dismissAll(turn, ids);
    return null;
  }
  if (NO.test(text)) return dismissAll(turn, ids);
  // The draft was just shown, and the reply has asked whether to send it: "send it" is a yes to that.
  const isSent = isDraft && (YES_SEND.test(text) || YES_SEND.test(whole.replaceAll("’", "'").trim()));
  const rest = isSent ? "" : text.replace(YES, "");
  const isYes = isSent || rest !== text;
  if (rest !== "" && !WHICH.test(rest)) return applyNamed(turn, rest, ids);
  if (!isYes && rest === "") return null;
  const chosen = rest === "" ? ids : chosenIds(rest, ids);
  if (!chosen)
    return {
      text: `There ${ids.length === 1 ? "is one proposal" : `are ${ids.length} proposals`}. Which do you mean?`,
    };
  if (!isPerson(turn.ctx)) return { text: "Only a person can confirm that. Sign in to apply it." };
  return applyAll(turn, chosen);
}

const NAMED =
  /^(?:(?<except>(?:all|both|everything)(?: of (?:them|these|those))? (?:except|but|bar|apart from|without)(?: for)?) |(?:only|just|and) ){0,6}(?:the |that )?(?<name>[\p{L}\d][\p{L}\d' -]{1,50}?)(?: ones?)?(?: (?:only|please|too|as well))*[\s.!]*$/iu;
const IS_CHOICE = /^(?:all|both|everything|only|just|and|the|that)\b|\bones?\b/i;

/** "just the passport one", "all except the deposit": the person's own words name one of the proposals. */
async function applyNamed(turn: Turn, words: string, ids: readonly string[]): Promise<Reply | null> {
  const { name, except } = NAMED.exec(words)?.groups ?? {};
  if (!name || ids.length < 2 || !IS_CHOICE.test(words) || errandOf(words) !== "unknown" || !isPerson(turn.ctx))
    return null;
  const byPlace = except && WHICH.test(name) ? chosenIds(name, ids) : null;
  const open = byPlace || tellingWords(name).length === 0 ? [] : await summariesOf(turn.ctx, ids);
  const named = byPlace ?? bestMatches(name, open, ({ summary }) => [summary]).map(({ id }) => id);
  if (named.length !== 1) return null;
  return applyAll(turn, except ? ids.filter((id) => !named.includes(id)) : named);
}

function chosenIds(words: string, ids: readonly string[]): string[] | null {
  const parts = words.split(/(?<!\s)\s*(?:,|\band\b|&)\s*/i).filter((part) => part !== "");
  const chosen = parts.map((part) => {
    const { which } = readReference(part);
    return which === "one" && ids.length === 1
      ? [...ids]
      : referred(which === "both" && ids.length < 2 ? "all" : which, ids);
  });
  return chosen.every((each) => each !== null) ? [...new Set(chosen.flatMap((each) => each ?? []))] : null;
}

async function applyAll(turn: Turn, ids: readonly string[]): Promise<Reply> {
  const done: string[] = [];
  const failed: string[] = [];
  for (const id of ids) {
    try {
      const { proposal, undoable } = await applyUndoably(turn.ctx, id, done.length > 0);
      turn.wasApplied(proposal, undoable?.id ?? null, undoable?.undo !== null && undoable !== undefined);
      done.push(proposal.summary);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.push(error.message);
    }
  }
  const [only] = done;
  const text =
    done.length === 1
      ? `Done: ${only}.`
      : done.length > 1
        ? ["Done:", ...done.map((each) => `- ${each}`)].join("\n")
        : "";
  return { text: [text, ...new Set(failed)].filter((each) => each !== "").join("\n") };
}

async function dismissAll(turn: Turn, ids: readonly string[]): Promise<Reply> {
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
