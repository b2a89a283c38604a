import { and, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { compiledSelect } from "../../db/compiled-query.ts";
import { listPage, type PageRequest } from "../../db/page.ts";
import { purge } from "../../db/purge.ts";
import { auditLog, IS_FAILURE, IS_LOGIN } from "../../db/schema/audit.ts";
import type { AuditAction } from "./service.ts";

type AuditRow = typeof auditLog.$inferSelect;

export async function listAuditLog(ctx: Context, request: PageRequest) {
  return pageOf(ctx, "audit-log", undefined, request, toEntry);
}

export async function listLogins(ctx: Context, request: PageRequest) {
  return pageOf(ctx, "logins", IS_LOGIN, request, toLogin);
}

function pageOf<Item>(
  ctx: Context,
  list: string,
  where: SQL | undefined,
  request: PageRequest,
  toItem: (row: AuditRow) => Item,
) {
  const { id } = signedInUser(ctx);
  const own = and(eq(auditLog.userId, id), where);
  const paged = { list: `${list}:${id}`, table: auditLog, by: ["id"], order: "desc", where: own } as const;
  return listPage(ctx, request, paged, toItem);
}

/** Newest first. */
export function selectLogins(ctx: Context, userId: number, limit: number, where?: SQL) {
  return ctx.db
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.userId, userId), IS_LOGIN, where))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

const selectSignIn = compiledSelect(({ db }) =>
  db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.userId, sql.placeholder("userId")),
        IS_LOGIN,
        sql`${auditLog.action} IN ('account.registered', 'login.succeeded')`,
        sql`${auditLog.userAgent} IS ${sql.placeholder("userAgent")}`,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(1),
);

/** The latest successful sign-in of a person from a client. */
export function selectLoginFrom({ db }: Context, userId: number, userAgent: string | null) {
  return selectSignIn(db, { userId, userAgent });
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

/** Whether one of these actions was recorded after a time, as a condition. Reads the whole log: for rare work only. */
export function wasDoneSince(actions: readonly AuditAction[], since: Date): SQL {
  const isOne = and(inArray(auditLog.action, [...actions]), gt(auditLog.at, since));
  return sql`EXISTS (SELECT 1 FROM ${auditLog} WHERE ${isOne})`;
}

/**
 * Entries without an account, and wrong guesses, which anyone can cause. Other entries of an account stay as long as it.
 */
const SHORT_LIVED_MS = 90 * 24 * 60 * 60 * 1000;

export async function purgeAuditLog(ctx: Context): Promise<number> {
  const isOld = lt(auditLog.at, new Date(ctx.now.getTime() - SHORT_LIVED_MS));
  const failures = await purge(ctx.db, auditLog, sql`${IS_FAILURE} AND ${isOld}`, ctx.signal);
  return failures + (await purge(ctx.db, auditLog, sql`${auditLog.userId} IS NULL AND ${isOld}`, ctx.signal));
}
