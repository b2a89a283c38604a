import type { Turn } from "../tools/turn.ts";

const DEEDS =
  "sent|cancell?ed|added|created|scheduled|booked|moved|deleted|removed|archived|starred|tagged|snoozed|marked|completed|forwarded|replied|unsubscribed|renamed|rescheduled|changed|updated|undone|saved|set up|invited";
/** Without a change in this turn, other words may be about an earlier one or about a record: these claim one now. */
const CLAIMS_NOW =
  "^(?:all )?(?:done|sent|cancell?ed|added|created|scheduled|booked|moved|deleted|archived|undone)\\b|\\bI(?:'ve| have)? ";
/** A model's words that something was done. */
const CLAIMS = new RegExp(
  `${CLAIMS_NOW}(?:just |now |already |also )*(?:${DEEDS})\\b|\\b(?:has|have|is|are|was|were) (?:now |just |already )*(?:been )?(?:${DEEDS})\\b`,
  "im",
);

/** What has to be added to the words of a model that claims a change which was not made; empty if its words may be true. */
export function correctionOf(turn: Turn, text: string): string {
  const claim = text.replaceAll("’", "'");
  if (turn.hasWritten || /\bnot\b|n't\b|\bproposed\b|\bconfirm\b/i.test(claim) || !CLAIMS.test(claim)) return "";
  if (turn.proposals.length > 0) return "\n\nThis is not done yet: it waits for your confirmation.";
  return new RegExp(CLAIMS_NOW, "im").test(claim) ? "\n\nIn fact, nothing was changed or sent by this reply." : "";
}
