import { and, inArray, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { deliver, IS_FAST, isAwake, laneNow } from "./delivery.ts";

const PAGE = 100;
const MAX_PAGES = 10;
/** So many deliveries of a slow endpoint are in the queue at a time: more would keep those of others waiting. */
const SLOW_PAGE = 20;
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

/** Sends an endpoint what is due: everything, some if it is slow, or a single delivery while all attempts fail. */
export async function sendDue(ctx: Context, endpoint: { id: number }): Promise<void> {
  for (let page = 0; page < MAX_PAGES && !ctx.signal?.aborted; page++) {
    const due = await takeDue(ctx, endpoint.id);
    const messages = due.map(({ id, attempts }) => ({ kind: "webhook.delivery" as const, id, attempt: attempts + 1 }));
    const lane = due[0]?.lane ?? "retries";
    if (!(await ctx.enqueue(messages, { lane }))) {
      for (const message of messages) if (!ctx.signal?.aborted) await deliver(ctx, message, lane);
    }
    if (due.length < PAGE) return;
  }
  ctx.enqueue([{ kind: "webhook.endpoint", id: endpoint.id }], { lane: "retries" });
}

function takeDue(ctx: Context, endpointId: number) {
  const { id, attempts } = webhookDeliveries;
  const now = new Date();
  const isPending = sql`status = 'pending' AND endpoint_id = ${endpointId}`;
  const queued = sql`(SELECT count(*) FROM webhook_deliveries
    WHERE ${isPending} AND next_attempt_at > ${now.getTime()} AND attempts = 0)`;
  const room = sql`coalesce((SELECT CASE WHEN failing_since IS NOT NULL THEN 1 WHEN ${IS_FAST} THEN ${PAGE}
    ELSE max(0, ${SLOW_PAGE} - ${queued}) END
    FROM webhook_endpoints WHERE id = ${endpointId} AND ${isAwake(now)}), 0)`;
  const due = sql`(SELECT id FROM webhook_deliveries WHERE ${isPending} AND next_attempt_at <= ${now.getTime()}
    ORDER BY attempts, next_attempt_at LIMIT ${room})`;
  return ctx.db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: new Date(now.getTime() + RESEND_MS) })
    .where(inArray(id, due))
    .returning({ id, attempts, lane: laneNow() });
}
