import { desc, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import type { RuleFacts } from "../../../lib/email-rules.ts";
import { type SummaryRow, summaryColumns } from "../record.ts";

/** A stored email as rules look at it. */
export interface StoredEmail extends SummaryRow {
  body: string | null;
}

/**
 * The statement that reads received emails outside the trash, the newest first, for a batch. Their text only if a
 * condition is about it.
 */
export function selectStored(
  { db }: Context,
  { below, limit, withBody }: { below?: number; limit: number; withBody: boolean },
) {
  const body = withBody ? sql<string | null>`emails.body` : sql<string | null>`NULL`;
  return db
    .select({ ...summaryColumns, body: body.as("rule_body") })
    .from(emails)
    .where(
      sql`emails.direction = 'inbound' AND emails.status <> 'trash' AND emails.id < ${below ?? Number.MAX_SAFE_INTEGER}`,
    )
    .orderBy(desc(emails.id))
    .limit(limit);
}

export function factsOf(row: StoredEmail): RuleFacts {
  const body = row.body ?? "";
  return {
    from: { name: row.fromName, email: row.fromEmail },
    recipients: [...row.to, ...row.cc],
    subject: row.subject,
    body,
    listId: row.list?.id ?? null,
    kind: row.kind,
    authentication: row.authentication,
    hasAttachment: row.attachments.length > 0,
    size: row.attachments.reduce((sum, { size }) => sum + size, body.length),
  };
}
