import { and, eq, getTableColumns, inArray, isNotNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertExists, runBatch } from "../../db/assert.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { pagesOf } from "../../lib/pages.ts";
import type { Lane, QueueMessage } from "../../lib/queue-messages.ts";
import { MINUTE_MS } from "../../lib/time-zone.ts";
import { nextAttempt, pauseAfter, RETRY_MS } from "../../lib/webhook-retries.ts";
import { signatureHeaders } from "../../lib/webhook-signature.ts";
import { errorFields, log } from "../../log.ts";
import { type Handover, NOT_SENT, post } from "../../providers/post.ts";
import { audit } from "../audit/service.ts";
import { notify } from "../notifications/service.ts";
import { listPeople } from "../people/owners.ts";
import { cancelPending, type EndpointRow } from "./endpoints.ts";
import { openSecrets } from "./secrets.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take: one without a result by then died with its Worker, and the cron has it repeated. */
export const GIVEN_UP_MS = MINUTE_MS;
/** Attempts that fail at the same time begin one pause. */
const SAME_PAUSE_MS = 10_000;
/** So many responses in a row that took so long make an endpoint slow: others would have to wait for it. */
const SLOW_MS = 1000;
const SLOW_RESPONSES = 5;
/** Holds for endpoints that are served at once, in the lane `jobs`. */
export const IS_FAST = sql.raw(`(slow_responses < ${SLOW_RESPONSES} AND failing_since IS NULL)`);

/** Holds for endpoints that may be sent something now. */
export function isAwake(now: Date): SQL | undefined {
  return and(sql`enabled = 1`, sql`coalesce(paused_until, 0) <= ${now.getTime()}`);
}

type Message = Extract<QueueMessage, { kind: "webhook.delivery" }>;

/**
 * Makes one attempt. The number of the attempt claims it, so a message that comes twice does nothing. What the lane
 * `jobs` has for an endpoint that fails or is slow stays due: `sendDue` sends it when its turn comes.
 */
export async function deliver(ctx: Context, message: Message, lane: Lane, timeoutMs = TIMEOUT_MS) {
  const { id, attempts, endpointId } = webhookDeliveries;
  const now = new Date();
  const isDue = and(eq(id, message.id), eq(attempts, message.attempt - 1), sql`status = 'pending'`);
  const isServed = and(isAwake(now), lane === "jobs" ? IS_FAST : undefined);
  const open = ctx.db.select({ id: webhookEndpoints.id }).from(webhookEndpoints).where(isServed);
  const pause = sql`(SELECT paused_until FROM webhook_endpoints WHERE id = endpoint_id)`;
  const [, [delivery], [endpoint]] = await ctx.db.batch([
    // Deliveries that cannot be made now count no attempt and become due again, after a pause if there is one.
    ctx.db
      .update(webhookDeliveries)
      .set({ nextAttemptAt: sql`max(${now.getTime()}, coalesce(${pause}, 0))` })
      .where(
        and(isDue, notInArray(endpointId, open), sql`max(next_attempt_at, coalesce(${pause}, 0)) > ${now.getTime()}`),
      ),
    claim(ctx, and(isDue, inArray(endpointId, open)), now),
    ctx.db
      .select()
      .from(webhookEndpoints)
      .where(sql`id = (SELECT endpoint_id FROM webhook_deliveries WHERE id = ${message.id})`),
  ]);
  // Without an endpoint, it was deleted meanwhile, and the delivery with it.
  if (endpoint && delivery) await attempt(ctx, { delivery, endpoint }, timeoutMs);
}

/** The statement that counts an attempt before it is made, so that a Worker that dies does not repeat it forever. */
export function claim(ctx: Context, where: SQL | undefined, now: Date) {
  const nextAttemptAt = sql`CASE status WHEN 'pending' THEN ${now.getTime() + GIVEN_UP_MS} END`;
  const payload = sql<string>`(SELECT payload FROM webhook_messages WHERE id = message_id)`;
  return ctx.db
    .update(webhookDeliveries)
    .set({ attempts: sql`attempts + 1`, lastAttemptAt: now, nextAttemptAt, durationMs: null })
    .where(where)
    .returning({ ...getTableColumns(webhookDeliveries), payload });
}

interface Claimed {
  delivery: DeliveryRow & { payload: string };
  endpoint: EndpointRow;
  /** A test neither disables the endpoint nor begins or ends a period of failures. */
  isTest?: true;
}

/** Sends a claimed delivery, stores and returns the outcome, and plans what follows from it. */
export async function attempt(
  ctx: Context,
  claimed: Claimed,
  timeoutMs = TIMEOUT_MS,
): Promise<DeliveryRow | undefined> {
  const { delivery, endpoint } = claimed;
  const handover = await send(ctx, claimed, timeoutMs);
  const { isAccepted, status, retryAfter } = handover;
  const now = new Date();
  const next = nextAttempt(delivery, { now, retryAfter });
  const outcome = storeOutcome(ctx, delivery, handover, next, now);
  if (claimed.isTest) return (await outcome)[0];
  const pausedUntil = isAccepted ? null : pauseAfter(endpoint, delivery, { now, retryAfter });
  const [[row], [health]] = await ctx.db.batch([outcome, storeHealth(ctx, endpoint, handover, pausedUntil, now)]);
  const inSeconds = (time: Date) => (time.getTime() - now.getTime()) / 1000;
  if (isAccepted) {
    // Releases what waited for the end of a period of failures, or for the turn of a slow endpoint.
    const slowResponses = Math.max(endpoint.slowResponses, health?.slowResponses ?? 0);
    if (endpoint.failingSince || slowResponses === SLOW_RESPONSES) resume(ctx, endpoint);
    return row;
  }
  log("warn", "webhook_delivery_failed", { endpointId: endpoint.id, status, attempts: delivery.attempts });
  const isDisabled = await disableIfDead(ctx, claimed, status, now);
  if (row?.nextAttemptAt && !isDisabled) {
    const again = { kind: "webhook.delivery", id: row.id, attempt: row.attempts + 1 } as const;
    ctx.enqueue([again], { lane: "retries", delaySeconds: inSeconds(row.nextAttemptAt) });
  }
  // After the first failure, another delivery shows whether it was the message's fault.
  if (!endpoint.failingSince) resume(ctx, endpoint);
  // A second later, so that the pause is over when the message comes.
  const isPausing = pausedUntil && health?.pausedUntil?.getTime() === pausedUntil.getTime();
  if (isPausing) resume(ctx, endpoint, inSeconds(pausedUntil) + 1);
  return row;
}

/** Has the endpoint sent what is due then. */
function resume(ctx: Context, { id }: EndpointRow, delaySeconds = 0): void {
  ctx.enqueue([{ kind: "webhook.endpoint", id }], { lane: "retries", delaySeconds });
}

async function send(ctx: Context, claimed: Claimed, timeoutMs: number): Promise<Handover> {
  const { delivery, endpoint } = claimed;
  const { messageId: id, payload: body } = delivery;
  const notSent = (error: string) => ({ ...NOT_SENT, error });
  const sentAt = new Date();
  try {
    const secrets = await openSecrets(ctx, endpoint, sentAt);
    if (!secrets) return notSent("its secret was encrypted with another ENCRYPTION_KEY");
    const headers = {
      "content-type": "application/json",
      "user-agent": "Personal-Operations-Assistant-Webhooks",
      ...signatureHeaders({ id, sentAt, body }, secrets),
    };
    const allowPrivate = ctx.config.ALLOW_PRIVATE_HOSTS;
    return await post({ url: endpoint.url, allowPrivate, headers, body, timeoutMs });
  } catch (error) {
    log("error", "webhook_not_signed", { endpointId: endpoint.id, requestId: ctx.requestId, ...errorFields(error) });
    return notSent("it could not be signed; see the service's log");
  }
}

/** Whether the endpoint is disabled now. */
async function disableIfDead(ctx: Context, { endpoint }: Claimed, status: number | null, now: Date): Promise<boolean> {
  if (status === 410) return disable(ctx, endpoint, "It responded 410 Gone.");
  const dayAgo = new Date(now.getTime() - RETRY_MS);
  if (!endpoint.failingSince || endpoint.failingSince > dayAgo) return false;
  // Checked again in the database: a parallel attempt may have had a success meanwhile.
  const isFailing = lte(webhookEndpoints.failingSince, dayAgo);
  return disable(ctx, endpoint, "Every delivery failed for 24 hours.", isFailing);
}

/** The number of attempts identifies the claim: an attempt that was given up changes nothing. */
function storeOutcome(ctx: Context, delivery: DeliveryRow, handover: Handover, next: Date | null, now: Date) {
  const { isAccepted, status: responseStatus, error, durationMs } = handover;
  // A failed attempt does not make a delivery pending again that was delivered or cancelled meanwhile.
  const outcome = isAccepted
    ? { status: "delivered" as const, deliveredAt: now, nextAttemptAt: null }
    : {
        status: sql`CASE status WHEN 'pending' THEN ${next ? "pending" : "failed"} ELSE status END`,
        nextAttemptAt: sql`CASE status WHEN 'pending' THEN ${next?.getTime() ?? null} END`,
      };
  return ctx.db
    .update(webhookDeliveries)
    .set({ ...outcome, responseStatus, error, durationMs })
    .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.attempts, delivery.attempts)))
    .returning();
}

/** An endpoint is failing from its first failure until its next success. A success changes a row only if it ends that. */
function storeHealth(ctx: Context, { id }: EndpointRow, handover: Handover, pausedUntil: Date | null, now: Date) {
  const isThis = eq(webhookEndpoints.id, id);
  const isSlow = handover.durationMs > SLOW_MS;
  const slowResponses = isSlow ? sql`min(slow_responses + 1, ${SLOW_RESPONSES})` : sql`0`;
  const isNews = or(isNotNull(webhookEndpoints.failingSince), sql`slow_responses <> ${slowResponses}`);
  const until = pausedUntil?.getTime() ?? 0;
  const failing = {
    failingSince: sql`coalesce(failing_since, ${now.getTime()})`,
    pausedUntil: sql`CASE WHEN coalesce(paused_until, 0) < ${until - SAME_PAUSE_MS} THEN ${until} ELSE paused_until END`,
  };
  return ctx.db
    .update(webhookEndpoints)
    .set(handover.isAccepted ? { failingSince: null, pausedUntil: null, slowResponses } : failing)
    .where(handover.isAccepted ? and(isThis, isNews) : isThis)
    .returning({ pausedUntil: webhookEndpoints.pausedUntil, slowResponses: webhookEndpoints.slowResponses });
}

/** Disables an endpoint once and notifies its owner. Does nothing if the endpoint has a new address by now. */
async function disable(ctx: Context, endpoint: EndpointRow, reason: string, condition?: SQL): Promise<boolean> {
  const { id, url } = endpoint;
  const isOn = and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.url, url), sql`enabled = 1`, condition);
  try {
    await runBatch(ctx.db, [
      assertExists(ctx.db, webhookEndpoints, isOn),
      audit(ctx, "webhook.disabled", { userId: endpoint.userId, details: { webhookId: endpoint.id, reason } }),
      ctx.db
        .update(webhookEndpoints)
        .set({ enabled: false, disabledReason: reason, version: sql`version + 1`, updatedAt: new Date() })
        .where(isOn),
      cancelPending(ctx, endpoint.id, `The webhook was disabled. ${reason}`),
    ]);
  } catch (error) {
    if (error instanceof AssertionFailed) return false;
    throw error;
  }
  log("warn", "webhook_disabled", { endpointId: endpoint.id, userId: endpoint.userId });
  notify(ctx, await listPeople(ctx, [endpoint.userId]), {
    kind: "security_alert",
    write: () => ({
      subject: "A webhook was disabled",
      blocks: [
        `Your webhook ${endpoint.id} at ${new URL(endpoint.url).host} no longer receives events. ${reason}`,
        "Once the receiver works again, enable the webhook again in your settings.",
        { button: "Open your webhooks", url: pagesOf(ctx.baseUrl).reference("Webhooks", "updateWebhook") },
      ],
    }),
  });
  return true;
}
