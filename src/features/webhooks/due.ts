import { and, inArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import type { Lane } from "../../lib/queue-messages.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { deliver, IS_FAST, isAwake } from "./delivery.ts";

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

/** How many deliveries may be sent to an endpoint now, as a value of its row. */
function roomNow(now: Date): SQL {
  const queued = sql`(SELECT count(*) FROM webhook_deliveries
    WHERE endpoint_id = webhook_endpoints.id AND status = 'pending' AND attempts = 0 AND next_attempt_at > ${now.getTime()})`;
  return sql`CASE WHEN NOT (${isAwake(now)}) THEN 0 WHEN failing_since IS NOT NULL THEN 1 WHEN ${IS_FAST} THEN ${PAGE}
    ELSE max(0, ${SLOW_PAGE} - ${queued}) END`;
}

/**
 * The lane that serves new deliveries of each endpoint; null for one that is paused, or so slow that as much as it may
 * have waits in the queue: the end of the pause, or of what waits, sends them.
 */
export function selectLanes(ctx: Context) {
  const lane = sql<Lane | null>`CASE WHEN ${IS_FAST} THEN 'jobs' WHEN ${roomNow(new Date())} > 0 THEN 'retries' END`;
  return ctx.db.select({ id: webhookEndpoints.id, lane }).from(webhookEndpoints).where(sql`enabled = 1`);
}

function takeDue(ctx: Context, endpointId: number) {
  const { id, attempts } = webhookDeliveries;
  const now = new Date();
  const room = sql`coalesce((SELECT ${roomNow(now)} FROM webhook_endpoints WHERE id = ${endpointId}), 0)`;
  const due = sql`(SELECT id FROM webhook_deliveries
    WHERE status = 'pending' AND endpoint_id = ${endpointId} AND next_attempt_at <= ${now.getTime()}
    ORDER BY attempts, next_attempt_at LIMIT ${room})`;
  const lane = sql<Lane>`(SELECT iif(${IS_FAST}, 'jobs', 'retries') FROM webhook_endpoints WHERE id = endpoint_id)`;
  return ctx.db
    .update(webhookDeliveries)
    .set({ nextAttemptAt: new Date(now.getTime() + RESEND_MS) })
    .where(inArray(id, due))
    .returning({ id, attempts, lane });
}
