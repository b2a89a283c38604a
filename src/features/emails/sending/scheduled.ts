import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { emails } from "../../../db/schema/emails.ts";
import type { QueueMessageOf } from "../../../lib/queue-messages.ts";
import { DAY_MS, MINUTE_MS } from "../../../lib/time-zone.ts";
import { log } from "../../../log.ts";
import { findMailer } from "../../mailboxes/mailer.ts";
import { MissingContent } from "../content.ts";
import { deliverRow, markFailed, NOTHING_SENT, outgoingOf } from "../delivery.ts";
import { type EmailRow, emailColumns } from "../record.ts";

/*
 * A scheduled email waits in the database. A queue message with a delay, or the cron, brings its time; both may come
 * twice or late, so the email is claimed first, by one statement that succeeds once. Cancelling claims it the same way.
 */

/** Longer than the time between two runs of the cron, so that each email gets a message before its time. */
const AHEAD_MS = 20 * MINUTE_MS;
const EMAILS_A_RUN = 500;
/** Emails that are due within the same half minute share a call of the queue. */
const ROUND_SECONDS = 30;

interface Due {
  id: number;
  sendAt: Date;
}

/** Hands emails to the queue for their time. Those that are further away than a message can wait are left to the cron. */
export async function enqueueScheduled(ctx: Context, due: readonly Due[]): Promise<boolean> {
  const groups = new Map<number, QueueMessageOf<"email.send">[]>();
  for (const { id, sendAt } of due) {
    const wait = sendAt.getTime() - ctx.now.getTime();
    if (wait > DAY_MS) continue;
    const seconds = Math.max(0, Math.ceil(wait / 1000));
    const delay = due.length > 1 ? Math.ceil(seconds / ROUND_SECONDS) * ROUND_SECONDS : seconds;
    groups.set(delay, [...(groups.get(delay) ?? []), { kind: "email.send", id }]);
  }
  const sent = await Promise.all([...groups].map(([delaySeconds, list]) => ctx.enqueue(list, { delaySeconds })));
  return sent.every(Boolean);
}

/** For the queue: sends an email whose time has come, once. */
export async function sendScheduled(ctx: Context, { id }: { id: number }): Promise<void> {
  const isWaiting = and(eq(emails.id, id), eq(emails.delivery, "scheduled"));
  const [row] = await ctx.db.select(emailColumns).from(emails).where(isWaiting);
  if (!row?.sendAt) return;
  if (row.sendAt > ctx.now) {
    await enqueueScheduled(ctx, [{ id, sendAt: row.sendAt }]);
    return;
  }
  await send(ctx, row);
}

async function send(ctx: Context, row: EmailRow): Promise<void> {
  const mailer = await findMailer(ctx, row.fromEmail);
  // Everything that can fail without consequences comes before the claim: after it, a failure may mean that it has left.
  const message = mailer && (await outgoingOf(ctx, row).catch(orMissing));
  const claimed = await ctx.db
    .update(emails)
    .set({ delivery: "sending", version: sql`${emails.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(emails.id, row.id), eq(emails.delivery, "scheduled")))
    .returning({ version: emails.version });
  if (!claimed[0]) return;
  if (!mailer || !message || "missing" in message) {
    const reason = message && "missing" in message ? message.missing : "Outgoing email is not configured.";
    await markFailed(ctx, row.id, `${NOTHING_SENT} ${reason}`);
    log("warn", "scheduled_email_not_sent", { emailId: row.id, requestId: ctx.requestId });
    return;
  }
  // What went wrong is stored with the email, and logged.
  await deliverRow(ctx, mailer, row, message).catch(() => undefined);
}

/** Waiting does not bring back what is lost; everything else may be better the next time. */
function orMissing(error: unknown): { missing: string } {
  if (error instanceof MissingContent) return { missing: error.message };
  throw error;
}

/** For the cron: what is due soon goes to the queue; without one, what is due now is sent here. */
export async function sendDueEmails(ctx: Context): Promise<number> {
  const due = await ctx.db
    .select({ id: emails.id, sendAt: emails.sendAt })
    .from(emails)
    .where(and(sql`${emails.delivery} = 'scheduled'`, lte(emails.sendAt, new Date(ctx.now.getTime() + AHEAD_MS))))
    .orderBy(asc(emails.sendAt))
    .limit(EMAILS_A_RUN);
  const found = due.flatMap(({ id, sendAt }) => (sendAt ? [{ id, sendAt }] : []));
  if (found.length > 0 && !(await enqueueScheduled(ctx, found))) {
    for (const { id, sendAt } of found) {
      if (ctx.signal?.aborted || sendAt > ctx.now) break;
      await sendScheduled(ctx, { id });
    }
  }
  return found.length;
}
