import { and, desc, eq, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { keyset, type Page } from "../../db/page.ts";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { missedWrite } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import { type OutboundEvent, TEST_EVENT } from "../../lib/outbound-events.ts";
import { audit } from "../audit/service.ts";
import { attempt, claim, type DeliveryRow } from "./delivery.ts";
import { findEndpoint, selectEndpoint } from "./endpoints.ts";
import { newDelivery, newMessageId, payloadOf } from "./outbox.ts";
import { type DeliveryQuery, eventExample } from "./schemas.ts";

function toDelivery({ type, endpointId, leaseUntil, ...row }: DeliveryRow) {
  return {
    ...row,
    eventType: type,
    lastAttemptAt: row.lastAttemptAt?.toISOString() ?? null,
    nextAttemptAt: row.status === "pending" ? (row.nextAttemptAt?.toISOString() ?? null) : null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}

type Delivery = ReturnType<typeof toDelivery>;

/** Newest first. Reads the endpoint in the same round trip, to check whose it is. */
export async function listDeliveries(ctx: Context, endpointId: number, query: DeliveryQuery): Promise<Page<Delivery>> {
  const columns = [webhookDeliveries.createdAt, webhookDeliveries.id];
  const hasStatus = query.status && eq(webhookDeliveries.status, query.status);
  const { after, page } = keyset(ctx, `webhook deliveries of ${endpointId}`, columns, "desc");
  const [[endpoint], rows] = await ctx.db.batch([
    selectEndpoint(ctx, endpointId),
    ctx.db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.endpointId, endpointId), hasStatus, after(query.cursor)))
      .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
      .limit(query.limit + 1),
  ]);
  if (!endpoint) throw missedWrite(undefined, `webhook ${endpointId}`);
  return page(rows, query, (row) => [row.createdAt.getTime(), row.id], toDelivery);
}

/** Sends a message again at once, whatever its status, and returns the outcome. */
export async function retryDelivery(ctx: Context, endpointId: number, deliveryId: string): Promise<Delivery> {
  const { userId, enabled } = await findEndpoint(ctx, endpointId);
  const isThis = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpointId));
  if (!enabled) {
    throw new AppError("webhook_disabled", "The webhook is disabled. Enable it first: PATCH it with `enabled: true`.");
  }
  const isFree = and(isThis, or(isNull(webhookDeliveries.leaseUntil), lte(webhookDeliveries.leaseUntil, ctx.now)));
  const [, , [claimed]] = await runBatch(ctx.db, [
    assertExists(ctx.db, webhookDeliveries, isFree, () => whyNotClaimed(ctx, deliveryId, isThis)),
    audit(ctx, "webhook.delivery_retried", { userId, details: { webhookId: endpointId, deliveryId } }),
    claim(ctx, isThis, ctx.now),
  ] as const);
  if (!claimed) throw unknownDelivery(deliveryId);
  return finish(ctx, claimed);
}

async function whyNotClaimed(ctx: Context, deliveryId: string, isThis: SQL | undefined): Promise<AppError> {
  const [current] = await ctx.db.select({ id: webhookDeliveries.id }).from(webhookDeliveries).where(isThis);
  if (!current) return unknownDelivery(deliveryId);
  return new AppError("conflict", "The message is being sent right now. Try again in a minute.");
}

/** Sends an example event once and returns the outcome. */
export async function testEndpoint(ctx: Context, endpointId: number, type?: OutboundEvent): Promise<Delivery> {
  const { userId } = await findEndpoint(ctx, endpointId);
  const name = type ?? TEST_EVENT;
  const data = type === undefined ? { webhookId: endpointId, message: "It works." } : eventExample(type);
  const message = { id: newMessageId(), type: name, payload: payloadOf(name, ctx.now, data), createdAt: ctx.now };
  // Not pending, so that a failed test is not retried.
  const delivery = { ...newDelivery(message, endpointId), status: "failed" as const, nextAttemptAt: null };
  const gone = () => missedWrite(undefined, `webhook ${endpointId}`);
  const [, , , , [claimed]] = await runBatch(ctx.db, [
    assertExists(ctx.db, webhookEndpoints, eq(webhookEndpoints.id, endpointId), gone),
    audit(ctx, "webhook.tested", { userId, details: { webhookId: endpointId, eventType: name } }),
    ctx.db.insert(webhookMessages).values(message),
    ctx.db.insert(webhookDeliveries).values(delivery),
    claim(ctx, eq(webhookDeliveries.id, delivery.id), ctx.now),
  ] as const);
  if (!claimed) throw gone();
  return finish(ctx, claimed, true);
}

async function finish(ctx: Context, claimed: DeliveryRow, isTest = false): Promise<Delivery> {
  await attempt(ctx, [claimed], { isTest });
  const [row] = await ctx.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, claimed.id));
  if (!row) throw unknownDelivery(claimed.id);
  return toDelivery(row);
}

function unknownDelivery(id: string): AppError {
  return new AppError("not_found", `There is no delivery ${id}.`);
}
