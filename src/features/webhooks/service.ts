import type { Context } from "../../context.ts";
import { type DrainLimits, deliverDue, TIMEOUT_MS } from "./delivery.ts";
import { fanOut, lookAround } from "./outbox.ts";
import { isQuiet, noteQuiet, quietMark } from "./quiet.ts";

/** After a request: first tries only, within what a Worker may still do then. */
const AFTER_WRITE: DrainLimits = { retries: false, maxDeliveries: 50, runMs: 15_000, timeoutMs: TIMEOUT_MS };
/** By cron: everything that is due, in two statements a delivery, of which an invocation has a thousand. */
const BY_CRON: DrainLimits = { retries: true, maxDeliveries: 200, runMs: 5 * 60_000, timeoutMs: TIMEOUT_MS };

/** Tells the endpoints what has just happened. Costs a service without webhooks next to nothing. */
export async function deliverNews(ctx: Context, limits: DrainLimits = AFTER_WRITE): Promise<void> {
  if (isQuiet()) return;
  const mark = quietMark();
  const { hasEndpoints, hasWork } = await lookAround(ctx);
  if (!hasEndpoints) noteQuiet(mark);
  if (hasWork) await deliverAll(ctx, limits);
}

/** For the cron: also what has to be tried again, and what no request was there to send. */
export async function deliverAll(ctx: Context, limits: DrainLimits = BY_CRON): Promise<void> {
  await fanOut(ctx);
  await deliverDue(ctx, limits);
}
