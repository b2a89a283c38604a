import type { Context } from "../../context.ts";
import { sendOverdue } from "./due.ts";
import { knowsNoneEnabled } from "./enabled-endpoints.ts";
import { createMessages } from "./outbox.ts";

const OUTBOX = { kind: "webhook.outbox" } as const;

/** Sends the events that a write has just raised. Costs one look, and without webhooks not even that. */
export async function deliverNewEvents(ctx: Context): Promise<void> {
  if (!knowsNoneEnabled()) await sendOutbox(ctx);
}

/** Turns events into messages and hands their deliveries to the queue, which also continues what is left. */
export async function sendOutbox(ctx: Context): Promise<void> {
  while (await createMessages(ctx)) {
    if ((await ctx.enqueue([OUTBOX])) || ctx.signal?.aborted) return;
  }
}

/** For work that is not a request and may have raised events: has the queue send them. */
export function announceEvents(ctx: Context): void {
  if (!knowsNoneEnabled()) ctx.enqueue([OUTBOX]);
}

/** For the cron: sends events that no request was left to send, and deliveries whose message was lost. */
export async function sweepWebhooks(ctx: Context): Promise<void> {
  await sendOutbox(ctx);
  await sendOverdue(ctx);
}
