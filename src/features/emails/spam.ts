import { type SQL, sql } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { selectColumns } from "../../db/bulk.ts";
import { emails } from "../../db/schema/emails.ts";
import { senderVerdicts } from "../../db/schema/emails-sorting.ts";
import type { SenderProof } from "../../lib/authentication-results.ts";
import type { EmailStatus } from "../../lib/email-kinds.ts";
import { HAS_FAILED, IS_VERIFIED } from "./proof.ts";

/**
 * Statements that remember what a person says about the senders of emails by moving them into spam or out of it, for the
 * batch that moves them, before that. An automation teaches nothing. Nor does an email that may be forged count against
 * the sender that it names.
 */
export function learnFromMove(ctx: Context, isOneOfThem: SQL, status: EmailStatus | undefined) {
  if (!isPerson(ctx) || status === undefined || status === "trash") return [];
  const isSpam = status === "spam";
  const isMoved = isSpam ? sql`status <> 'spam' AND NOT ${HAS_FAILED}` : sql`status = 'spam'`;
  const rows = selectColumns(senderVerdicts, {
    sender: sql`lower(from_email)`,
    isSpam: sql.raw(isSpam ? "1" : "0"),
    mayFail: isSpam ? sql.raw("0") : sql`max(${HAS_FAILED})`,
    isVerified: isSpam ? sql`max(${IS_VERIFIED})` : sql`min(${IS_VERIFIED})`,
    at: sql`${ctx.now.getTime()}`,
  });
  const learn = ctx.db
    .insert(senderVerdicts)
    .select(
      sql`${rows} FROM ${emails} WHERE ${isOneOfThem} AND ${isMoved} AND direction = 'inbound' GROUP BY lower(from_email)`,
    )
    .onConflictDoUpdate({
      target: senderVerdicts.sender,
      set: { isSpam, mayFail: sql`excluded.may_fail`, isVerified: stillVerified(isSpam), at: ctx.now },
    });
  return [learn];
}

/** What was said once of the sender's own emails is not unsaid by a judgment of others. */
function stillVerified(isSpam: boolean): SQL {
  const both = sql.raw(`${isSpam ? "max" : "min"}(sender_verdicts.is_verified, excluded.is_verified)`);
  return sql`iif(sender_verdicts.is_spam = excluded.is_spam, ${both}, excluded.is_verified)`;
}

type Verdict = Pick<typeof senderVerdicts.$inferSelect, "isSpam" | "mayFail" | "isVerified">;

/**
 * What the person said of the sender, as far as it counts for an email with this proof: anybody can write an address
 * that nobody checks. So praise of emails that are proved to be the sender's is not for those that are not, and a report
 * of one that is not is no report of those that are. Undefined: the person said nothing of such emails.
 */
export function verdictOn(proof: SenderProof, verdict: Verdict | undefined): "spam" | "not_spam" | undefined {
  if (!verdict) return undefined;
  if (proof === "failed") return verdict.mayFail ? "not_spam" : undefined;
  if (verdict.isSpam) return proof === "unverified" || verdict.isVerified ? "spam" : undefined;
  return proof === "verified" || !verdict.isVerified ? "not_spam" : undefined;
}
