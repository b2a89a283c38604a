import { and, gt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { deletedEmails } from "../../db/schema/emails.ts";
import { messageKey } from "../../lib/message-id.ts";

/** Emails that were deleted for good within the last month, by the key of their Message-ID. */
export type DeletedEmails = ReadonlyMap<string, typeof deletedEmails.$inferSelect>;

/** Which of these Message-IDs belong to emails that a person has deleted for good. */
export async function findDeleted(ctx: Context, messageIds: readonly string[]): Promise<DeletedEmails> {
  const rows = await ctx.db
    .select()
    .from(deletedEmails)
    .where(and(isOneOf(deletedEmails.messageKey, messageIds.map(messageKey)), gt(deletedEmails.expiresAt, ctx.now)));
  return new Map(rows.map((row) => [row.messageKey, row]));
}
