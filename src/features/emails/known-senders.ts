import { type SQL, sql } from "drizzle-orm";
import { type Context, isPerson } from "../../context.ts";
import { selectColumns } from "../../db/bulk.ts";
import { emails, knownSenders } from "../../db/schema/emails.ts";
import { senderProof } from "../../lib/authentication-results.ts";

/**
 * Statements that remember whom the person wrote to or accepted an invitation from, for the batch that stores it. What
 * an API key does is not remembered: an automation that answers every email must not make every stranger known.
 */
export function rememberSenders(ctx: Context, addresses: readonly string[]) {
  if (!isPerson(ctx) || addresses.length === 0) return [];
  const json = JSON.stringify([...new Set(addresses.map((address) => address.trim().toLowerCase()))]);
  const rows = selectColumns(knownSenders, { email: sql`value`, since: sql`${ctx.now.getTime()}` });
  const remember = ctx.db
    .insert(knownSenders)
    .select(sql`${rows} FROM json_each(${json}) WHERE value LIKE '%@%'`)
    .onConflictDoNothing();
  return [remember];
}

/** Whether the person has written to the address, or accepted an invitation from it. */
export function isKnownSender(address: string): SQL<number> {
  return sql`EXISTS (SELECT 1 FROM ${knownSenders} WHERE ${knownSenders.email} = ${address.trim().toLowerCase()})`;
}

/** Whether an email certainly is not from the sender it names. False if no mail server checked it. */
export async function hasFailedAuthentication(ctx: Context, emailId: number): Promise<boolean> {
  const [row] = await ctx.db
    .select({ authentication: emails.authentication })
    .from(emails)
    .where(sql`${emails.id} = ${emailId}`);
  return senderProof(row?.authentication ?? null) === "failed";
}
