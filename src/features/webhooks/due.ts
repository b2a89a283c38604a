import { and, eq, inArray, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { deliver, isAwake } from "./delivery.ts";

const PAGE = 100;
const MAX_PAGES = 10;
/** The message of a delivery that is due may be on its way for that long. */
const ON_ITS_WAY_MS = MINUTE_MS;
/** A message that was sent again and not handled by then was lost again. */
const RESEND_MS = 15 * MINUTE_MS;

/** Sends every endpoint what is overdue. One that is paused waits for the end of its pause. */
export async function sendOverdue(ctx: Context): Promise<void> {
  const isOverdue = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries} WHERE status = 'pending'
    AND endpoint_id = ${webhookEndpoints.id} AND next_attempt_at <= ${Date.now() - ON_ITS_WAY_MS})`;
  const { id } = webhookEndpoints;
  const endpoints = await ctx.db
    .select({ id })
    .from(webhookEndpoints)
    .where(and(isAwake(new Date()), isOverdue));
  for (const endpoint of endpoints) if (!ctx.signal?.aborted) await sendDue(ctx, endpoint);
}

/** Sends an endpoint what is due: everything, or a single delivery while all attempts fail. */
export async function sendDue(ctx: Context, endpoint: { id: number }): Promise<void> {
  for (let page = 0; page < MAX_PAGES && !ctx.signal?.aborted; page++) {
    const due = await takeDue(ctx, endpoint.id);
    const messages = due.map(({ id, attempts }) => ({ kind: "webhook.delivery" as const, id, attempt: attempts + 1 }));
    if (!(await ctx.enqueue(messages, { lane: "retries" }))) {
      for (const message of messages) if (!ctx.signal?.aborted) await deliver(ctx, message, "retries");
    }
    if (due.length < PAGE) return;
  }
  ctx.enqueue([{ kind: "webhook.endpoint", id: endpoint.id }], { lane: "retries" });
}

function takeDue(ctx: Context, endpointId: number) {
  const { id, attempts } = webhookDeliveries;
  const now = new Date();
  const isThis = and(eq(webhookEndpoints.id, endpointId), isAwake(now));
  const room = sql`coalesce((SELECT iif(failing_since, 1, ${PAGE}) FROM ${webhookEndpoints} WHERE ${isThis}), 0)`;
  const due = sql`(SELECT id FROM ${webhookDeliveries} WHERE status = 'pending'
    AND endpoint_id = ${endpointId} AND next_attempt_at <= ${now.getTime()} ORDER BY next_attempt_at LIMIT ${room})`;
  return ctx.db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: new Date(now.getTime() + RESEND_MS) })
    .where(inArray(id, due))
    .returning({ id, attempts });
}
