import { senderProof } from "../../lib/authentication-results.ts";
import type { EmailAnalysis, EmailKind } from "../../lib/email-kinds.ts";
import { wordSet } from "../../lib/words.ts";
import type { EmailInput } from "./email.ts";
import { kindByText } from "./kind.ts";

const FORGED = "Warning: the sender could not be verified. This email may be forged.";

/** Nobody waits for a reply to these. */
const WITHOUT_REPLY = wordSet("newsletter notification receipt bounce auto_reply spam_like");
/** Nothing in these is urgent, whatever they say. */
const NEVER_URGENT = wordSet("newsletter bounce auto_reply spam_like");
const HIGHEST_NORMAL = 54;

type Judged = Pick<EmailAnalysis, "urgency" | "insights" | "replyNeeded">;

/**
 * Adds to an analysis what the headers say about the sender, which no text of the email can change. Where nobody knows
 * them, such as for a text that was pasted, the sender and the text say what kind of email it is.
 */
export function withSender<Analysis extends Judged>(analysis: Analysis, input: EmailInput): Analysis {
  const { urgency, insights, replyNeeded } = analysis;
  const { authentication, kind = kindByText(input) } = input;
  const isForged = senderProof(authentication ?? null) === "failed";
  return {
    ...analysis,
    urgency: NEVER_URGENT.has(kind) ? capped(urgency, kind) : urgency,
    insights: isForged ? [FORGED, ...insights] : insights,
    replyNeeded: replyNeeded && !WITHOUT_REPLY.has(kind),
  };
}

function capped(urgency: EmailAnalysis["urgency"], kind: EmailKind): EmailAnalysis["urgency"] {
  const { level, score, reasons } = urgency;
  if (level !== "high" && level !== "critical") return urgency;
  return { level: "normal", score: Math.min(score, HIGHEST_NORMAL), reasons: [...reasons, REASONS[kind] ?? ""] };
}

const REASONS: { [Kind in EmailKind]?: string } = {
  newsletter: "is a newsletter",
  bounce: "is a report about an email that was not delivered",
  auto_reply: "is an automatic reply",
  spam_like: "looks like spam or fraud",
};
