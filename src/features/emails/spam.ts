import { desc, type SQL, sql } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { anyOf, selectColumns } from "../../db/bulk.ts";
import { emails } from "../../db/schema/emails.ts";
import { senderVerdicts } from "../../db/schema/emails-sorting.ts";
import type { SenderProof } from "../../lib/authentication-results.ts";
import { SENDER_PROOFS } from "../../lib/authentication-results.ts";
import type { EmailStatus } from "../../lib/email-kinds.ts";
import { SENDER_PROOF } from "./proof.ts";

/**
 * Statements that remember what a person says about the senders of emails by moving them into spam or out of it, for the
 * batch that moves them, before that. Who moves an email back takes back what they said by moving it, and says nothing
 * new. An automation teaches nothing.
 */
export function learnFromMove(ctx: Context, isOneOfThem: SQL, status: EmailStatus | undefined) {
  if (!isPerson(ctx) || status === undefined || status === "trash") return [];
  const isSpam = status === "spam";
  // Emails come back from the trash to where they were.
  const isMoved = isSpam ? sql`status NOT IN ('spam', 'trash')` : sql`status = 'spam'`;
  const saidOtherwise = sql`sender_verdicts.is_spam = ${isSpam ? 0 : 1}`;
  const rows = selectColumns(senderVerdicts, {
    emailId: sql`id`,
    sender: sql`lower(from_email)`,
    isSpam: sql.raw(isSpam ? "1" : "0"),
    proof: SENDER_PROOF,
    at: sql`${ctx.now.getTime()}`,
  });
  const learn = ctx.db
    .insert(senderVerdicts)
    .select(
      sql`${rows} FROM ${emails} WHERE ${isOneOfThem} AND ${isMoved} AND direction = 'inbound'
        AND NOT EXISTS (SELECT 1 FROM sender_verdicts WHERE email_id = emails.id AND ${saidOtherwise})`,
    )
    .onConflictDoUpdate({ target: senderVerdicts.emailId, set: { at: ctx.now } });
  const takeBack = ctx.db
    .delete(senderVerdicts)
    .where(sql`${saidOtherwise} AND email_id IN (SELECT id FROM ${emails} WHERE ${isOneOfThem})`);
  return [learn, takeBack];
}

/**
 * What the person last said of the sender, as far as it counts for an email with this proof: anybody can write an address
 * that nobody checks. So a report counts against emails that are proved as well as the reported one or less, and praise
 * for those that are proved as well or better. No row: the person said nothing of such emails.
 */
export function selectVerdict(ctx: Context, sender: string, proof: SenderProof) {
  // The strongest is the first.
  const strength = SENDER_PROOFS.indexOf(proof);
  const [asStrong, asWeak] = [SENDER_PROOFS.slice(0, strength + 1), SENDER_PROOFS.slice(strength)];
  return ctx.db
    .select({ isSpam: senderVerdicts.isSpam })
    .from(senderVerdicts)
    .where(sql`sender = ${sender} AND iif(is_spam, proof IN ${anyOf(asStrong)}, proof IN ${anyOf(asWeak)})`)
    .orderBy(desc(senderVerdicts.at), desc(senderVerdicts.emailId))
    .limit(1);
}
