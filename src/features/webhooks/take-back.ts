import { and, eq, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookEndpoints } from "../../db/schema/webhooks.ts";

/** The statement that removes every endpoint of a person, to go into another verb's batch. */
export function deleteEndpointsOf(ctx: Context, userId: number, onlyIf: SQL) {
  return ctx.db.delete(webhookEndpoints).where(and(eq(webhookEndpoints.userId, userId), onlyIf));
}
