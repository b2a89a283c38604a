import type { Context } from "../../context.ts";
import { type DeliveryLimits, deliverDue, TIMEOUT_MS } from "./delivery.ts";
import { endpointChanges, knowsNoneEnabled, rememberNoneEnabled } from "./enabled-endpoints.ts";
import { checkForWork, createMessages } from "./outbox.ts";

/** After a request: first attempts only, within the 30 seconds a Worker has after its response. */
const AFTER_WRITE: DeliveryLimits = { retries: false, maxDeliveries: 50, runMs: 15_000, timeoutMs: TIMEOUT_MS };
/** Two statements for each delivery: the rest of the job's budget is for creating messages. */
const BY_CRON: DeliveryLimits = { retries: true, maxDeliveries: 100, runMs: 2 * 60_000, timeoutMs: TIMEOUT_MS };

/** Sends the events that a write has just raised. Costs next to nothing without webhooks. */
export async function deliverNewEvents(ctx: Context, limits: DeliveryLimits = AFTER_WRITE): Promise<void> {
  if (knowsNoneEnabled()) return;
  const changesBefore = endpointChanges();
  const { hasEndpoints, hasWork } = await checkForWork(ctx);
  if (!hasEndpoints) rememberNoneEnabled(changesBefore);
  if (hasWork) await deliverAllEvents(ctx, limits);
}

/** For the cron: includes retries, and events that no request was left to send. */
export async function deliverAllEvents(
  ctx: Context,
  limits: DeliveryLimits = { ...BY_CRON, signal: ctx.signal },
): Promise<void> {
  await createMessages(ctx, limits);
  await deliverDue(ctx, limits);
}

/** For work that is not a request and may have raised events: has the queue send them. */
export function announceEvents(ctx: Context): void {
  if (!knowsNoneEnabled()) ctx.enqueue([{ kind: "webhook.outbox" }]);
}
