import { and, desc, eq, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { keyset, type PageRequest } from "../../db/page.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";

type AuditRow = typeof auditLog.$inferSelect;

/** Everything recorded of this person's account, newest first. */
export async function listAuditLog(ctx: Context, request: PageRequest) {
  return pageOf(ctx, "audit-log", undefined, request, toEntry);
}

/** Who came in and who tried to, newest first. */
export async function listLogins(ctx: Context, request: PageRequest) {
  return pageOf(ctx, "logins", IS_LOGIN, request, toLogin);
}

async function pageOf<Item>(
  ctx: Context,
  list: string,
  where: SQL | undefined,
  request: PageRequest,
  toItem: (row: AuditRow) => Item,
) {
  const { id } = signedInUser(ctx);
  const { after, page } = keyset(ctx, `${list}:${id}`, [auditLog.id], "desc");
  const rows = await ctx.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.userId, id), where, after(request.cursor)))
    .orderBy(desc(auditLog.id))
    .limit(request.limit + 1);
  return page(rows, request, (row) => [row.id], toItem);
}

export function toEntry(row: AuditRow) {
  const { id, action, actor, ip, userAgent, details } = row;
  return { id, action, actor, ip, userAgent, details: details ?? {}, at: row.at.toISOString() };
}

export function toLogin(row: AuditRow) {
  const method = row.details?.method;
  return {
    id: row.id,
    result: row.action.endsWith(".failed") ? ("failed" as const) : ("succeeded" as const),
    method: row.action === "two_factor.failed" ? "second_factor" : typeof method === "string" ? method : "password",
    ip: row.ip,
    userAgent: row.userAgent,
    at: row.at.toISOString(),
  };
}
