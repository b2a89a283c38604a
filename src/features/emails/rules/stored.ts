import { desc, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import { wholeContent } from "../content.ts";
import { type SummaryRow, summaryColumns } from "../record.ts";
import { type Conditional, matches, type RuleFacts, withoutSecrets } from "./conditions.ts";

/** A stored email as rules look at it. A long text is not in its row. */
export interface StoredEmail extends SummaryRow {
  body: string | null;
  contentKey: string | null;
  rawSize: number | null;
}

/** The statement that reads received emails outside spam and trash, the newest first. */
export function selectStored({ db }: Context, { below, limit }: { below?: number; limit: number }) {
  return db
    .select({ ...summaryColumns, body: emails.body, contentKey: emails.contentKey, rawSize: emails.rawSize })
    .from(emails)
    .where(
      sql`emails.direction = 'inbound' AND emails.is_aside = 0 AND emails.id < ${below ?? Number.MAX_SAFE_INTEGER}`,
    )
    .orderBy(desc(emails.id))
    .limit(limit);
}

/** The text of a stored email. */
export async function textOf(ctx: Context, row: StoredEmail): Promise<string> {
  return row.body ?? (await wholeContent(ctx, { ...row, html: null })).body;
}

/** What rules look at; without its text if that is in the file store. */
export function factsOf(row: StoredEmail, body = row.body ?? ""): RuleFacts {
  return {
    from: { name: row.fromName, email: row.fromEmail },
    recipients: [...row.to, ...row.cc],
    ...withoutSecrets(row.signIn, { subject: row.subject, body }),
    listId: row.list?.id ?? null,
    kind: row.kind,
    authentication: row.authentication,
    hasAttachment: row.attachments.length > 0,
    size: row.rawSize ?? row.attachments.reduce((sum, { size }) => sum + size, body.length),
  };
}

/** Whether it depends on a text that is in the file store if the email meets the conditions. */
export function needsText(rule: Conditional, row: StoredEmail): boolean {
  if (row.body !== null) return false;
  const others = rule.conditions.filter(({ field }) => field !== "body");
  if (others.length === rule.conditions.length) return false;
  const areMet = matches({ ...rule, conditions: others }, factsOf(row));
  return rule.match === "all" ? areMet : !areMet;
}
