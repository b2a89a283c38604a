import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { webhookEndpoints } from "../../../db/schema/webhooks.ts";
import type { OutboundEvent } from "../../../lib/outbound-events.ts";

type Listener = Pick<typeof webhookEndpoints.$inferSelect, "userId" | "eventTypes">;

/** The statement that reads which events go to whose webhooks. */
export function selectListeners({ db }: Pick<Context, "db">) {
  const { userId, eventTypes } = webhookEndpoints;
  return db.select({ userId, eventTypes }).from(webhookEndpoints).where(sql`enabled = 1`);
}

/** Whether an event of this type goes to a webhook of the person. */
export function isHeard(listeners: readonly Listener[], person: number, type: OutboundEvent): boolean {
  const own = listeners.filter(({ userId }) => userId === person);
  return own.some(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(type));
}
