import type { AnsweredView } from "../../tools/invitations.ts";
import { tellingWords } from "../../tools/language/name-match.ts";
import type { Turn } from "../../tools/turn.ts";
import { invitationSlots } from "../language/errands/invitation-slots.ts";
import { withConflicts } from "./events.ts";
import { eventLine, type Reply, replyFor } from "./reply-text.ts";

const WORDS: Record<string, string> = { accepted: "Accepted", declined: "Declined", tentative: "Tentatively accepted" };

/** "accept the invitation from Gina", "decline it and say I'm travelling" */
export function answerInvitation(turn: Turn, message: string): Promise<Reply> {
  const { match, from, until, response, comment } = invitationSlots(message, turn.clock);
  return runInvitationTool(turn, {
    response,
    ...(comment !== null && { comment }),
    ...(tellingWords(match).length > 0 && { match }),
    ...(from && { from: from.toISOString() }),
    ...(until && { until: until.toISOString() }),
  });
}

export async function runInvitationTool(turn: Turn, input: Record<string, unknown>): Promise<Reply> {
  return replyFor<AnsweredView>(await turn.call("respond_to_invitation", input), (event) => {
    const done = `${WORDS[event.response] ?? "Answered"}: ${eventLine(turn)(event)}.`;
    const told = event.notified ? "The organizer has been told." : "The organizer was not told.";
    return withConflicts(turn, `${done} ${told}`, event);
  });
}
