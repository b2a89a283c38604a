import { type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertThat } from "../../db/assert.ts";
import { emails } from "../../db/schema/emails.ts";
import type { EmailKind } from "../../lib/email-kinds.ts";
import { validationFailed } from "../../lib/errors.ts";
import { DAY_MS } from "../../lib/time-zone.ts";

/*
 * A sent email that waits for a reply is snoozed in the inbox: it comes back by itself, at the top of the inbox, unless
 * somebody replies before. `follow_up_at` says that this is why.
 */

/** The columns of an email that leaves at this time. */
export function followUpFrom(leavesAt: Date, days: number | null | undefined) {
  if (!days) return {};
  const at = new Date(leavesAt.getTime() + days * DAY_MS);
  return { followUpAt: at, snoozedUntil: at, status: "inbox" } as const;
}

/** After how many days it was to come back, for a draft in its place. */
export function followUpDaysOf({
  followUpAt,
  sendAt,
  receivedAt,
}: Record<"followUpAt" | "sendAt", Date | null> & { receivedAt: Date }): number | null {
  if (!followUpAt) return null;
  return Math.max(1, Math.round((followUpAt.getTime() - (sendAt ?? receivedAt).getTime()) / DAY_MS));
}

const ENDED = {
  // What the person has snoozed or moved since stays so.
  status: sql`iif(snoozed_until IS follow_up_at AND status = 'inbox', 'archived', status)`,
  snoozedUntil: sql`iif(snoozed_until IS follow_up_at, NULL, snoozed_until)`,
  followUpAt: null,
} as const;

/** The columns that a person changes of a sent email, and the check that it is one. */
export function followUpChanges(ctx: Context, id: number, days: number | null | undefined) {
  if (days === undefined) return { set: {}, checks: [] };
  const isReceived = sql`${emails.id} = ${id} AND ${emails.direction} = 'inbound'`;
  const message = "can only be set for an email that you sent";
  const refusal = () => validationFailed({ path: "followUpDays", message });
  const isSent = sql`NOT EXISTS (SELECT 1 FROM ${emails} WHERE ${isReceived})`;
  return {
    set: days === null ? ENDED : followUpFrom(ctx.now, days),
    checks: [assertThat(ctx.db, "is_sent", isSent, refusal)],
  };
}

/** No reply of a person. */
const NO_REPLY: readonly EmailKind[] = ["auto_reply", "bounce", "newsletter", "notification"];

/** The statement that ends the waiting of a thread that gets this email, for the batch that stores it. */
export function endFollowUps(ctx: Context, replyId: SQL, { direction, kind }: { direction: string; kind: EmailKind }) {
  if (direction !== "inbound" || NO_REPLY.includes(kind)) return [];
  const thread = sql`(SELECT thread_id FROM emails AS reply WHERE reply.id = ${replyId})`;
  return [
    ctx.db
      .update(emails)
      .set({ ...ENDED, version: sql`${emails.version} + 1`, updatedAt: ctx.now })
      .where(sql`follow_up_at IS NOT NULL AND ${emails.threadId} = ${thread} AND ${emails.direction} = 'outbound'`),
  ];
}
