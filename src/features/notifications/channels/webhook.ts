import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { webhookEndpoints } from "../../../db/schema/webhooks.ts";
import type { OutboundEvent } from "../../../lib/outbound-events.ts";

/** The statement that reads which events go to whose webhooks. */
export function selectListeners({ db }: Pick<Context, "db">) {
  const { userId, eventTypes } = webhookEndpoints;
  return db.select({ userId, eventTypes }).from(webhookEndpoints).where(sql`enabled = 1`);
}

/** Whether an event of this type goes to a webhook of the person. */
export function isHeard(
  listeners: Awaited<ReturnType<typeof selectListeners>>,
  person: number,
  type: OutboundEvent,
): boolean {
  return listeners.some(
    ({ userId, eventTypes }) => userId === person && (eventTypes.length === 0 || eventTypes.includes(type)),
  );
}
