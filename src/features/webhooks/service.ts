import type { Context } from "../../context.ts";
import { oneAtATime } from "../../lib/one-at-a-time.ts";
import { sendOverdue } from "./due.ts";
import { noneEnabled } from "./enabled-endpoints.ts";
import { createMessages } from "./outbox.ts";

const OUTBOX = { kind: "webhook.outbox" } as const;

/** Requests that look at the same time would render the same events. */
const drain = oneAtATime();

/** Sends the events that a write has just raised. Without webhooks it does nothing. */
export async function deliverNewEvents(ctx: Context): Promise<void> {
  if (noneEnabled.isKnown) return;
  if (!(await drain(() => sendOutbox(ctx)))) ctx.enqueue([OUTBOX]);
}

/** Turns events into messages and hands their deliveries to the queue, which also continues what is left. */
export async function sendOutbox(ctx: Context): Promise<void> {
  while (await createMessages(ctx)) {
    if ((await ctx.enqueue([OUTBOX])) || ctx.signal?.aborted) return;
  }
}

/** For work that is not a request and may have raised events: has the queue send them. */
export function announceEvents(ctx: Context): void {
  if (!noneEnabled.isKnown) ctx.enqueue([OUTBOX]);
}

/** For the cron: sends events that no request was left to send, and deliveries whose message was lost. */
export async function sweepWebhooks(ctx: Context): Promise<void> {
  await sendOutbox(ctx);
  await sendOverdue(ctx);
}
