import { and, desc, eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import type { Given } from "../../db/compiled-query.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { alertOf } from "../notifications/security-alerts.ts";
import type { Recipient } from "../notifications/service.ts";

/** Whether this person has come in with this client before. Read in the batch of the login, ahead of its own row. */
export function earlierLogin(ctx: Pick<Context, "db">, userId: Given, userAgent: Given<string | null>) {
  return ctx.db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.userId, userId),
        IS_LOGIN,
        sql`${auditLog.action} IN ('account.registered', 'login.succeeded')`,
        sql`${auditLog.userAgent} IS ${userAgent}`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1);
}

export function tellOfNewClient(ctx: Context, person: Recipient): void {
  alertOf(ctx, person, "New sign-in to your account", "It came from a browser or app that has not been used before.");
}
