import { and, asc, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { anyOf, isOneOf, selectRows } from "../../db/bulk.ts";
import { purge } from "../../db/purge.ts";
import { serviceAlerts } from "../../db/schema/alerts.ts";
import { docsOf, type Problem } from "../../lib/service-problems.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/time-zone.ts";
import { log } from "../../log.ts";
import { canAlert, sendNotification } from "../notifications/service.ts";
import { listOwners, ownerId } from "../people/owners.ts";
import type { ServiceAlert, ServiceProblem } from "./schemas.ts";
import { alertEmail, overText } from "./wording.ts";

type AlertRow = typeof serviceAlerts.$inferSelect;

/** A problem that comes and goes is told at most once in this time. */
const AGAIN_MS = 6 * HOUR_MS;
/** The wait after the first try to send the email. It doubles with every try, up to a day. Shorter than a cron's. */
const RETRY_MS = 10 * MINUTE_MS;
const KEPT_MS = 90 * DAY_MS;

/** The statement that reads the problems that have begun and are not over, for a batch. */
export function selectOpenAlerts({ db }: Pick<Context, "db">) {
  return db.select().from(serviceAlerts).where(isOpen()).orderBy(asc(serviceAlerts.id));
}

// The partial index is used only if the query repeats its condition.
function isOpen(): SQL {
  return isNull(serviceAlerts.resolvedAt);
}

/** Whether a problem has begun that is not over, as an SQL expression. */
export function anyOpenAlert(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${serviceAlerts} WHERE ${isOpen()})`;
}

function keyOf({ code, subject }: { code: string; subject: string | null }): string {
  return `${code} ${subject ?? ""}`;
}

/** When a problem began, by what it says itself or else by its alert. */
function sinceOf(problem: Problem, open: readonly AlertRow[], now: Date): Date {
  return problem.since ?? open.find((alert) => keyOf(alert) === keyOf(problem))?.since ?? now;
}

export function toProblem(problem: Problem, open: readonly AlertRow[], now: Date): ServiceProblem {
  const { code, subject, detail } = problem;
  return { code, subject, detail, since: sinceOf(problem, open, now).toISOString(), docs: docsOf(code) };
}

/**
 * Opens an alert for each problem that has none, and resolves those whose problem is gone. The conditions are part of
 * the statements, so that of two crons at the same time one does it; triggers raise the outbound events with it. While
 * there is no owner to be told, nothing is opened.
 */
export async function recordProblems(
  ctx: Context,
  problems: readonly Problem[],
  open: readonly AlertRow[],
): Promise<{ opened: number; resolved: number }> {
  if (problems.length === 0 && open.length === 0) return { opened: 0, resolved: 0 };
  const now = new Date();
  const rows = problems.map((problem) => ({
    ...problem,
    subject: problem.subject ?? "",
    since: sinceOf(problem, open, now),
    openedAt: now,
    tellAt: now,
    tries: 0,
  }));
  const isTold = sql`EXISTS (SELECT 1 FROM service_alerts a
    WHERE a.code = json_extract(value, '$.code') AND a.subject = json_extract(value, '$.subject')
      AND (a.resolved_at IS NULL OR a.opened_at > ${now.getTime() - AGAIN_MS}))`;
  const canTell = await canAlert(ctx);
  const key = sql`${serviceAlerts.code} || ' ' || ${serviceAlerts.subject}`;
  const [opened, resolved] = await ctx.db.batch([
    ctx.db
      .insert(serviceAlerts)
      .select(sql`${selectRows(serviceAlerts, rows)} AND NOT ${isTold} AND ${ownerId(ctx)} IS NOT NULL`)
      .onConflictDoNothing()
      .returning(),
    ctx.db
      .update(serviceAlerts)
      // Where nobody could be told, it is old news later.
      .set({ resolvedAt: now, tellAt: canTell ? now : null, tries: 0 })
      .where(and(isOpen(), sql`${key} NOT IN ${anyOf(problems.map(keyOf))}`))
      .returning(),
  ]);
  for (const row of [...opened, ...resolved]) logAlert(ctx, row);
  return { opened: opened.length, resolved: resolved.length };
}

function logAlert({ requestId }: Context, { id, code, subject, resolvedAt }: AlertRow): void {
  const status = resolvedAt ? "resolved" : "open";
  log(resolvedAt ? "info" : "warn", "service_alert", { alertId: id, code, subject, status, requestId });
}

/**
 * Emails the owner about alerts whose state they were not told yet, all of them in one email, until the email service
 * has taken it. Each try is claimed first, so that two crons at the same time do not send it twice. If it is not known
 * whether the email left, it is sent again: rather twice than never.
 */
export async function tellAlerts(ctx: Context): Promise<{ told: number }> {
  if (!(await canAlert(ctx))) return { told: 0 };
  const now = Date.now();
  const wait = sql`min(${RETRY_MS} << min(${serviceAlerts.tries}, 10), ${DAY_MS})`;
  const claimed = await ctx.db
    .update(serviceAlerts)
    .set({ tries: sql`${serviceAlerts.tries} + 1`, tellAt: sql`${now} + ${wait}` })
    .where(and(lte(serviceAlerts.tellAt, new Date(now)), sql`${ownerId(ctx)} IS NOT NULL`))
    .returning();
  if (claimed.length === 0) return { told: 0 };
  const outcome = await sendNotification(ctx, await listOwners(ctx), {
    kind: "service_alert",
    write: (owner) => alertEmail(claimed, owner, ctx.baseUrl),
  });
  if (outcome !== "sent") return { told: 0 };
  // An alert that was resolved meanwhile has another time, and is told again.
  const claims = claimed.map(({ id, tellAt }) => `${id} ${tellAt?.getTime()}`);
  const claim = sql`${serviceAlerts.id} || ' ' || ${serviceAlerts.tellAt}`;
  await ctx.db
    .update(serviceAlerts)
    .set({ tellAt: null })
    .where(and(sql`${serviceAlerts.tellAt} IS NOT NULL`, isOneOf(claim, claims)));
  return { told: claimed.length };
}

/**
 * Alerts as outbound events tell of them, by what the triggers write: the id and the state. None while there is no owner
 * to get them.
 */
export async function loadServiceAlerts(ctx: Context, ids: readonly string[]): Promise<Map<string, ServiceAlert>> {
  const wanted = ids.map((id) => ({ id, alertId: Number.parseInt(id, 10), isOver: id.endsWith(":resolved") }));
  const [rows, [owner]] = await ctx.db.batch([
    ctx.db
      .select()
      .from(serviceAlerts)
      .where(
        isOneOf(
          serviceAlerts.id,
          wanted.map(({ alertId }) => alertId),
        ),
      ),
    listOwners(ctx),
  ]);
  if (!owner) return new Map();
  const alerts = wanted.flatMap(({ id, alertId, isOver }) => {
    const row = rows.find((each) => each.id === alertId);
    return row ? [[id, toAlert(row, isOver, owner.id)] as const] : [];
  });
  return new Map(alerts);
}

function toAlert(row: AlertRow, isOver: boolean, userId: number): ServiceAlert {
  const { id, code, subject, since } = row;
  return {
    id,
    code,
    subject: subject || null,
    status: isOver ? "resolved" : "open",
    detail: isOver ? overText(row) : row.detail,
    since: since.toISOString(),
    docs: docsOf(code),
    userId,
  };
}

/** Deletes alerts that have been over for long. */
export function purgeAlerts(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - KEPT_MS);
  return purge(ctx.db, serviceAlerts, lt(serviceAlerts.resolvedAt, oldest), ctx.signal);
}
