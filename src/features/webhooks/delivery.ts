import { and, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertExists, runBatch } from "../../db/assert.ts";
import { anyOf } from "../../db/bulk.ts";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { signatureHeaders } from "../../lib/webhook-signature.ts";
import { errorFields, log } from "../../log.ts";
import { type Handover, postMessage } from "../../providers/webhooks.ts";
import { audit } from "../audit/service.ts";
import { notify } from "../notifications/service.ts";
import { listPeople } from "../people/owners.ts";
import { cancelPending, type EndpointRow } from "./endpoints.ts";
import { openSecrets } from "./secrets.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

const HOUR_MS = 60 * 60_000;
export const TIMEOUT_MS = 10_000;
/** Longer than an attempt can take: one that has not ended by then died with its Worker. */
const LEASE_MS = 60_000;
/** How long a message is retried, and how long an endpoint may fail before it is disabled. */
const RETRY_MS = 24 * HOUR_MS;
/** The wait after the first attempt, the second, and so on; the last one repeats. */
const GAPS_MS = [HOUR_MS / 4, HOUR_MS / 2, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS];
const LONGEST_GAP_MS = 8 * HOUR_MS;
/** Waits are shortened by up to this share, so that deliveries that failed together are not retried together. */
const JITTER = 0.15;
/** A Worker may have six open connections, and the database needs one. */
const AT_ONCE = 5;

/** How much one run may do. */
export interface DeliveryLimits {
  /** Includes deliveries that failed before and are due again. */
  retries: boolean;
  maxDeliveries: number;
  /** No attempt starts after this time, or once `signal` asks to stop. */
  runMs: number;
  signal?: AbortSignal | null;
  timeoutMs: number;
}

/** Sends the deliveries that are due, a few at a time. Parallel runs claim different ones. */
export async function deliverDue(ctx: Context, limits: DeliveryLimits): Promise<void> {
  const startedAt = Date.now();
  const failing = new Set<number>();
  const hasTime = () => Date.now() - startedAt <= limits.runMs && !limits.signal?.aborted;
  for (let left = limits.maxDeliveries; left > 0 && hasTime(); left -= AT_ONCE) {
    const wanted = Math.min(AT_ONCE, left);
    const claimed = await claimDue(ctx, limits, wanted, failing);
    if (claimed.length === 0) return;
    // An endpoint that does not respond must not take the time of the others.
    for (const endpointId of await attempt(ctx, claimed, limits)) failing.add(endpointId);
    if (claimed.length < wanted) return;
  }
}

/** Claims deliveries that are due for this run, until the lease ends. */
function claimDue(ctx: Context, { retries }: DeliveryLimits, limit: number, except: Set<number>) {
  const now = new Date();
  // The partial index is used only if the query repeats its condition literally.
  const untried = retries ? undefined : sql`attempts = 0`;
  const isDue = lte(webhookDeliveries.nextAttemptAt, now);
  const due = ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(sql`status = 'pending'`, untried, isDue, sql`endpoint_id NOT IN ${anyOf([...except])}`))
    .orderBy(webhookDeliveries.nextAttemptAt, webhookDeliveries.id)
    .limit(limit);
  return claim(ctx, inArray(webhookDeliveries.id, due), now);
}

/** Counts the attempt before it is made, so that a Worker that dies during it does not repeat it forever. */
export function claim(ctx: Context, where: SQL | undefined, now: Date) {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return ctx.db
    .update(webhookDeliveries)
    .set({ attempts: sql`attempts + 1`, leaseUntil, nextAttemptAt: leaseUntil, lastAttemptAt: now })
    .where(where)
    .returning();
}

interface Result {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  handover: Handover;
}

/**
 * Sends the claimed deliveries, stores the outcomes and returns the endpoints that failed. A test neither disables the
 * endpoint nor ends a period of failures.
 */
export async function attempt(
  ctx: Context,
  claimed: readonly DeliveryRow[],
  { timeoutMs = TIMEOUT_MS, isTest = false }: { timeoutMs?: number; isTest?: boolean },
): Promise<number[]> {
  const [messages, endpoints] = await ctx.db.batch([
    ctx.db
      .select({ id: webhookMessages.id, payload: webhookMessages.payload })
      .from(webhookMessages)
      .where(inArray(webhookMessages.id, anyOf(claimed.map(({ messageId }) => messageId)))),
    ctx.db
      .select()
      .from(webhookEndpoints)
      .where(inArray(webhookEndpoints.id, anyOf(claimed.map(({ endpointId }) => endpointId)))),
  ]);
  const payloads = new Map(messages.map(({ id, payload }) => [id, payload]));
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const tries = claimed.map(async (delivery) => {
    const endpoint = byId.get(delivery.endpointId);
    const body = payloads.get(delivery.messageId);
    // The endpoint was deleted meanwhile, and the delivery with it.
    if (!endpoint || body === undefined) return [];
    return [{ delivery, endpoint, handover: await send(ctx, endpoint, delivery.messageId, body, timeoutMs) }];
  });
  const results = (await Promise.all(tries)).flat();
  const now = new Date();
  const [first, ...rest] = results.map((result) => storeOutcome(ctx, result, now));
  if (first) await ctx.db.batch([first, ...rest, ...(isTest ? [] : storeHealth(ctx, results, now))]);
  const failed = results.filter(({ handover }) => !handover.isAccepted);
  if (!isTest) for (const result of failed) await disableIfDead(ctx, result, now);
  return failed.map(({ endpoint }) => endpoint.id);
}

/** Checks the address again: the rules, or `ALLOW_PRIVATE_HOSTS`, may have changed since it was saved. */
async function send(ctx: Context, endpoint: EndpointRow, id: string, body: string, timeoutMs: number) {
  const problem = outsideAddressProblem(endpoint.url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) return notSent(`its address ${problem}`);
  const signed = await sign(ctx, endpoint, id, body);
  if ("problem" in signed) return notSent(signed.problem);
  return postMessage({ url: endpoint.url, headers: signed.headers, body, timeoutMs });
}

/** A secret that cannot sign fails its own delivery, not the others of the run. */
async function sign(
  ctx: Context,
  endpoint: EndpointRow,
  id: string,
  body: string,
): Promise<{ headers: ReturnType<typeof signatureHeaders> } | { problem: string }> {
  const sentAt = new Date();
  try {
    const secrets = await openSecrets(ctx, endpoint, sentAt);
    if (!secrets) return { problem: "its secret was encrypted with another ENCRYPTION_KEY" };
    return { headers: signatureHeaders({ id, sentAt, body }, secrets) };
  } catch (error) {
    log("error", "webhook_not_signed", { endpointId: endpoint.id, requestId: ctx.requestId, ...errorFields(error) });
    return { problem: "it could not be signed; see the service's log" };
  }
}

function notSent(error: string): Handover {
  return { isAccepted: false, status: null, error, retryAfter: null, durationMs: 0 };
}

async function disableIfDead(ctx: Context, { delivery, endpoint, handover }: Result, now: Date): Promise<void> {
  const { status } = handover;
  log("warn", "webhook_delivery_failed", { endpointId: endpoint.id, status, attempts: delivery.attempts });
  if (status === 410) return disable(ctx, endpoint, "It responded 410 Gone.");
  const dayAgo = new Date(now.getTime() - RETRY_MS);
  if (!endpoint.failingSince || endpoint.failingSince > dayAgo) return;
  // Checked again in the database: a parallel run may have had a success meanwhile.
  const isFailing = lte(webhookEndpoints.failingSince, dayAgo);
  await disable(ctx, endpoint, "Every delivery failed for 24 hours.", isFailing);
}

/** The number of attempts identifies the claim: a run whose lease has ended changes nothing. */
function storeOutcome(ctx: Context, { delivery, handover }: Result, now: Date): BatchItem<"sqlite"> {
  const { isAccepted, status, error, durationMs } = handover;
  const next = nextAttempt(delivery, now, handover.retryAfter);
  // A failed attempt does not make a delivery pending again that was delivered or cancelled meanwhile.
  const outcome = isAccepted
    ? { status: "delivered" as const, deliveredAt: now, nextAttemptAt: null }
    : {
        status: sql`CASE status WHEN 'pending' THEN ${next ? "pending" : "failed"} ELSE status END`,
        nextAttemptAt: sql`CASE status WHEN 'pending' THEN ${next?.getTime() ?? null} END`,
      };
  return ctx.db
    .update(webhookDeliveries)
    .set({ ...outcome, leaseUntil: null, responseStatus: status, error, durationMs })
    .where(and(eq(webhookDeliveries.id, delivery.id), eq(webhookDeliveries.attempts, delivery.attempts)));
}

/** When a failed delivery is retried; null when it is not. */
function nextAttempt({ attempts, createdAt }: DeliveryRow, now: Date, retryAfterSeconds: number | null): Date | null {
  const end = createdAt.getTime() + RETRY_MS;
  if (now.getTime() >= end) return null;
  const gap = (GAPS_MS[attempts - 1] ?? LONGEST_GAP_MS) * (1 - Math.random() * JITTER);
  const asked = Math.min((retryAfterSeconds ?? 0) * 1000, LONGEST_GAP_MS);
  // The last attempt is made at the end of the retry period, not hours before.
  return new Date(Math.min(now.getTime() + Math.max(gap, asked), end));
}

/** An endpoint is failing from its first failure until its next success. */
function storeHealth(ctx: Context, results: readonly Result[], now: Date): BatchItem<"sqlite">[] {
  const { id, failingSince } = webhookEndpoints;
  const of = (isAccepted: boolean) => {
    const own = results.filter(({ handover }) => handover.isAccepted === isAccepted);
    return inArray(id, anyOf(own.map(({ endpoint }) => endpoint.id)));
  };
  return [
    ctx.db
      .update(webhookEndpoints)
      .set({ failingSince: now })
      .where(and(of(false), isNull(failingSince))),
    ctx.db
      .update(webhookEndpoints)
      .set({ failingSince: null })
      .where(and(of(true), isNotNull(failingSince))),
  ];
}

/** Disables an endpoint once and notifies its owner. Does nothing if the endpoint has a new address by now. */
async function disable(ctx: Context, endpoint: EndpointRow, reason: string, condition?: SQL): Promise<void> {
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
    if (error instanceof AssertionFailed) return;
    throw error;
  }
  log("warn", "webhook_disabled", { endpointId: endpoint.id, userId: endpoint.userId });
  const [owner] = await listPeople(ctx, [endpoint.userId]);
  if (!owner) return;
  notify(ctx, [owner], {
    kind: "security_alert",
    subject: "A webhook was disabled",
    text: `Your webhook ${endpoint.id} at ${new URL(endpoint.url).host} no longer receives events. ${reason}\n\nOnce the receiver works again, enable the webhook in your settings (PATCH /api/settings/webhooks/${endpoint.id} with {"enabled": true}).`,
  });
}
