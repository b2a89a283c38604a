import { changedLetter } from "../../../../engine/reply/changed-letter.ts";
import { getDraft } from "../../../emails/drafts/service.ts";
import { emailOf } from "../../../emails/sending/recipients.ts";
import { isQuestion } from "../../request/vetoes.ts";
import { mayRead } from "../find.ts";
import type { Call, Sight } from "../plan.ts";

/* The draft that was shown, with its text changed. It takes the place of the draft, and is shown again. */

/** The calls that change the text of the draft in talk as the words say; null if no draft is shown, or nothing is to be changed. */
export async function redrafted(sight: Sight, words: string): Promise<Call[] | null> {
  const [draft] = sight.state.groups[0] ?? [];
  const isShown = draft?.kind === "draft" && sight.state.proposals.length > 0;
  if (!isShown || isQuestion(words) || !mayRead(sight, "emails:read")) return null;
  const { inReplyTo, forwardOf, to, subject, body: before } = await getDraft(sight.ctx, draft.id);
  const body = changedLetter(before, words);
  if (body === null) return null;
  const of = inReplyTo
    ? { replyTo: inReplyTo }
    : forwardOf
      ? { forward: forwardOf, to: to.map(emailOf) }
      : { to: to.map(emailOf), subject };
  return [
    { tool: "delete_draft", input: { id: draft.id }, label: draft.title },
    { tool: "draft_mail", input: { ...of, body }, label: draft.title },
  ];
}
