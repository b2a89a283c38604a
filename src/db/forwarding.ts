import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../context.ts";
import { type AppError, validationFailed } from "../lib/errors.ts";
import { assertExists } from "./assert.ts";
import { anyOf, selectColumns } from "./bulk.ts";
import { outbox, webhookEndpoints } from "./schema/webhooks.ts";

/** For the batch that stores who is to be forwarded to: fails unless the webhook exists and is the person's own. */
export function assertOwnEndpoint(ctx: Context, id: number, path: string) {
  const { actor } = ctx;
  const isOwn = "user" in actor ? eq(webhookEndpoints.userId, actor.user.id) : sql`1`;
  return assertExists(
    ctx.db,
    webhookEndpoints,
    and(eq(webhookEndpoints.id, id), isOwn),
    (): AppError => validationFailed({ path, message: "must be the id of one of your webhooks" }),
  );
}

/**
 * The statement that sends emails to these webhooks and to no others, for the batch that stores them. `emailIds` is a
 * SELECT in brackets. A webhook that is disabled, or was deleted, gets nothing.
 */
export function forwardEmails(ctx: Context, emailIds: SQL, endpointIds: readonly number[]) {
  const row = selectColumns(outbox, {
    type: sql`'email.matched'`,
    recordId: sql`email.id || ':' || e.id`,
    at: sql`${ctx.now.getTime()}`,
  });
  return ctx.db.insert(outbox).select(
    sql`${row} FROM emails AS email JOIN webhook_endpoints e ON e.enabled = 1 AND e.id IN ${anyOf(endpointIds)}
      WHERE email.id IN ${emailIds}`,
  );
}
