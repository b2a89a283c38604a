import { and, eq, inArray, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertExists, runBatch } from "../../db/assert.ts";
import { anyOf } from "../../db/bulk.ts";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { signatureHeaders } from "../../lib/webhook-signature.ts";
import { log } from "../../log.ts";
import { type Handover, postMessage } from "../../providers/webhooks.ts";
import { audit } from "../audit/service.ts";
import { notify } from "../notifications/service.ts";
import { listPeople } from "../people/owners.ts";
import { type EndpointRow, giveUpPending } from "./endpoints.ts";
import { nextAttempt, RETRY_MS } from "./retries.ts";
import { openSecrets } from "./secrets.ts";

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

export const TIMEOUT_MS = 10_000;
/** Longer than a try can take: one that has not ended by then died with its Worker. */
const LEASE_MS = 60_000;
/** A Worker has six connections at once, and the database needs one. */
const AT_ONCE = 5;

/** How much one drain may do. */
export interface DrainLimits {
  /** Also what was tried before and is due again. */
  retries: boolean;
  maxDeliveries: number;
  /** No new tries are begun after this; a Worker may go on for 30 seconds after its answer. */
  runMs: number;
  timeoutMs: number;
}

/** Tries what is due, a few at a time. Of parallel drains each takes what no other has. */
export async function deliverDue(ctx: Context, limits: DrainLimits): Promise<void> {
  const startedAt = Date.now();
  const failing = new Set<number>();
  for (let left = limits.maxDeliveries; left > 0 && Date.now() - startedAt <= limits.runMs; left -= AT_ONCE) {
    const wanted = Math.min(AT_ONCE, left);
    const claimed = await claimDue(ctx, limits, wanted, failing);
    if (claimed.length === 0) return;
    // One that does not answer must not take the time of the others.
    for (const endpointId of await attempt(ctx, claimed, limits)) failing.add(endpointId);
    if (claimed.length < wanted) return;
  }
}

/** Takes deliveries that are due: from then on, until the lease is over, they are this drain's. */
function claimDue(ctx: Context, { retries }: DrainLimits, limit: number, except: Set<number>) {
  const now = new Date();
  // In these very words, since the index holds only those.
  const untried = retries ? undefined : sql`attempts = 0`;
  const due = ctx.db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(
        sql`status = 'pending'`,
        untried,
        lte(webhookDeliveries.nextAttemptAt, now),
        sql`endpoint_id NOT IN ${anyOf([...except])}`,
      ),
    )
    .orderBy(webhookDeliveries.nextAttemptAt, webhookDeliveries.id)
    .limit(limit);
  return claim(ctx, inArray(webhookDeliveries.id, due), now);
}

/** Counts the try before it is made, so that a Worker that dies on it does not try for ever. */
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

interface AttemptOptions {
  timeoutMs?: number;
  /** Says nothing of the endpoint: a test neither switches it off nor ends a time of failures. */
  isTest?: boolean;
}

/** Makes the tries that were claimed, writes down what came of them, and says which endpoints they failed at. */
export async function attempt(
  ctx: Context,
  claimed: readonly DeliveryRow[],
  { timeoutMs = TIMEOUT_MS, isTest = false }: AttemptOptions = {},
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
    // Its endpoint was deleted meanwhile, and the delivery with it.
    if (!endpoint || body === undefined) return [];
    return [{ delivery, endpoint, handover: await send(ctx, endpoint, delivery.messageId, body, timeoutMs) }];
  });
  const results = (await Promise.all(tries)).flat();
  const now = new Date();
  const [first, ...rest] = results.map((result) => settle(ctx, result, now));
  if (first) await ctx.db.batch([first, ...rest, ...(isTest ? [] : noteHealth(ctx, results, now))]);
  const failed = results.filter(({ handover }) => !handover.isAccepted);
  if (!isTest) for (const result of failed) await judge(ctx, result, now);
  return failed.map(({ endpoint }) => endpoint.id);
}

/** The address is checked here again: the rules, or the setting that loosens them, may have changed since. */
async function send(
  ctx: Context,
  endpoint: EndpointRow,
  id: string,
  body: string,
  timeoutMs: number,
): Promise<Handover> {
  const problem = outsideAddressProblem(endpoint.url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) return notSent(`its address ${problem}`);
  const sentAt = new Date();
  const secrets = await openSecrets(ctx, endpoint, sentAt);
  if (!secrets) return notSent("its secret was sealed with another ENCRYPTION_KEY");
  const headers = signatureHeaders({ id, sentAt, body }, secrets);
  return postMessage({ url: endpoint.url, headers, body, timeoutMs });
}

function notSent(error: string): Handover {
  return { isAccepted: false, status: null, error, retryAfter: null, durationMs: 0 };
}

/** Whether the failure was one too many. */
async function judge(ctx: Context, { delivery, endpoint, handover: { status } }: Result, now: Date): Promise<void> {
  log("warn", "webhook_delivery_failed", { endpointId: endpoint.id, status, attempts: delivery.attempts });
  if (status === 410) return disable(ctx, endpoint, "The receiver said that it is gone (410).");
  const dayAgo = new Date(now.getTime() - RETRY_MS);
  if (!endpoint.failingSince || endpoint.failingSince > dayAgo) return;
  // Asked of the database again: another drain may have had a success meanwhile.
  const isFailing = lte(webhookEndpoints.failingSince, dayAgo);
  await disable(ctx, endpoint, "Nothing could be delivered for 24 hours.", isFailing);
}

/** Only this try's own claim is settled: one that came too late finds another number of attempts. */
function settle(ctx: Context, { delivery, handover }: Result, now: Date): BatchItem<"sqlite"> {
  const { isAccepted, status, error, durationMs } = handover;
  const next = nextAttempt(delivery, now, handover.retryAfter);
  // What is over already, or was given up meanwhile, is not put back on its way by a try that failed.
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

/** Since when an endpoint fails: from its first failure until its next success. */
function noteHealth(ctx: Context, results: readonly Result[], now: Date): BatchItem<"sqlite">[] {
  const of = (isAccepted: boolean) =>
    inArray(
      webhookEndpoints.id,
      anyOf(results.flatMap(({ endpoint, handover }) => (handover.isAccepted === isAccepted ? [endpoint.id] : []))),
    );
  const { failingSince } = webhookEndpoints;
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

/** Switches an endpoint off, once, and tells its owner; not when it has a new address, of which nothing is known. */
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
      giveUpPending(ctx, endpoint.id, `The endpoint was switched off. ${reason}`),
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
    subject: "A webhook was switched off",
    text: `Your webhook ${endpoint.id} at ${new URL(endpoint.url).host} no longer gets events. ${reason}\n\nOnce it works again, switch it on with PATCH /api/settings/webhooks/${endpoint.id} and {"enabled": true}.`,
  });
}
