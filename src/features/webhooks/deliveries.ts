import { and, desc, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { keyset, type Page } from "../../db/page.ts";
import { webhookDeliveries, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { missedWrite } from "../../db/version.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { type OutboundEvent, TEST_EVENT } from "../../lib/outbound-events.ts";
import { audit } from "../audit/service.ts";
import { attempt, claim, type DeliveryRow, GIVEN_UP_MS } from "./delivery.ts";
import { findEndpoint, selectEndpoint } from "./endpoints.ts";
import { newMessageId, payloadOf } from "./outbox.ts";
import { type DeliveryQuery, eventExample } from "./schemas.ts";

function toDelivery({ type, endpointId, ...row }: DeliveryRow) {
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
  const endpoint = await findEndpoint(ctx, endpointId);
  const { userId, enabled } = endpoint;
  const isThis = and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, endpointId));
  if (!enabled) {
    throw new AppError("webhook_disabled", "The webhook is disabled. Enable it first: PATCH it with `enabled: true`.");
  }
  const givenUp = ctx.now.getTime() - GIVEN_UP_MS;
  const isBusy = sql`EXISTS (SELECT 1 FROM ${webhookDeliveries}
    WHERE ${isThis} AND duration_ms IS NULL AND last_attempt_at > ${givenUp})`;
  const busy = () => new AppError("conflict", "The message is being sent right now. Try again in a minute.");
  const [, , , [delivery]] = await runBatch(ctx.db, [
    assertExists(ctx.db, webhookDeliveries, isThis, () => unknownDelivery(deliveryId)),
    assertThat(ctx.db, "delivery_is_free", sql`NOT ${isBusy}`, busy),
    audit(ctx, "webhook.delivery_retried", { userId, details: { webhookId: endpointId, deliveryId } }),
    claim(ctx, isThis, ctx.now),
  ] as const);
  const row = delivery && (await attempt(ctx, { delivery, endpoint }));
  if (!row) throw unknownDelivery(deliveryId);
  return toDelivery(row);
}

/** Sends an example event once and returns the outcome. */
export async function testEndpoint(ctx: Context, endpointId: number, type?: OutboundEvent): Promise<Delivery> {
  const endpoint = await findEndpoint(ctx, endpointId);
  const name = type ?? TEST_EVENT;
  const data = type === undefined ? { webhookId: endpointId, message: "It works." } : eventExample(type);
  const message = { id: newMessageId(), type: name, payload: payloadOf(name, ctx.now, data), createdAt: ctx.now };
  const { id: messageId, createdAt } = message;
  // Not pending, so that a failed test is not retried.
  const status = "failed" as const;
  const delivery = { id: randomToken(), messageId, endpointId, type: name, status, attempts: 0, createdAt };
  const gone = () => missedWrite(undefined, `webhook ${endpointId}`);
  const [, , , , [claimed]] = await runBatch(ctx.db, [
    assertExists(ctx.db, webhookEndpoints, eq(webhookEndpoints.id, endpointId), gone),
    audit(ctx, "webhook.tested", { userId: endpoint.userId, details: { webhookId: endpointId, eventType: name } }),
    ctx.db.insert(webhookMessages).values(message),
    ctx.db.insert(webhookDeliveries).values(delivery),
    claim(ctx, eq(webhookDeliveries.id, delivery.id), ctx.now),
  ] as const);
  const row = claimed && (await attempt(ctx, { delivery: claimed, endpoint, isTest: true }));
  if (!row) throw gone();
  return toDelivery(row);
}

function unknownDelivery(id: string): AppError {
  return new AppError("not_found", `There is no delivery ${id}.`);
}
