import { and, eq, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookEndpoints } from "../../db/schema/webhooks.ts";

/** The statement that removes every endpoint of a person, to go into another verb's batch. */
export function removeEndpointsOf(ctx: Context, userId: number, condition: SQL) {
  return ctx.db.delete(webhookEndpoints).where(and(eq(webhookEndpoints.userId, userId), condition));
}
