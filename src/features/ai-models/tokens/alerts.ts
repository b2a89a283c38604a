import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../../context.ts";
import { AssertionFailed, assertExists, assertThat, runBatch } from "../../../db/assert.ts";
import { isOneOf } from "../../../db/bulk.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { listPage, type Page, type PageRequest } from "../../../db/page.ts";
import { tokenAlerts } from "../../../db/schema/ai-models-budget.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../../db/version.ts";
import { AppError } from "../../../lib/errors.ts";
import { writerFor } from "../../../lib/spoken-time.ts";
import { audit } from "../../audit/service.ts";
import type { Recipient } from "../../notifications/notice.ts";
import { notify } from "../../notifications/service.ts";
import { listPeople } from "../../people/owners.ts";
import { standingSql } from "./budget.ts";
import { monthOf } from "./month.ts";
import type { AlertChanges, NewAlert } from "./schemas.ts";

type AlertRow = typeof tokenAlerts.$inferSelect;

export const ALERTS_A_PERSON = 20;

function toAlert({ userId, firedMonth, firedAt, firedUsed, firedLimit, ...alert }: AlertRow) {
  return {
    ...alert,
    period: "month" as const,
    lastFired: firedAt && { at: firedAt.toISOString(), used: firedUsed ?? 0, limit: firedLimit },
    createdAt: alert.createdAt.toISOString(),
    updatedAt: alert.updatedAt.toISOString(),
  };
}

type TokenAlert = ReturnType<typeof toAlert>;

const mine = (ctx: Context) => eq(tokenAlerts.userId, signedInUser(ctx).id);

export function listAlerts(ctx: Context, request: PageRequest): Promise<Page<TokenAlert>> {
  return listPage(ctx, request, { list: "token-alerts", table: tokenAlerts, by: ["id"], where: mine(ctx) }, toAlert);
}

export async function createAlert(ctx: Context, { unit, threshold, enabled }: NewAlert): Promise<TokenAlert> {
  checkThreshold(unit, threshold);
  const userId = signedInUser(ctx).id;
  const tooMany = () => new AppError("conflict", `You have ${ALERTS_A_PERSON} alerts. Delete one first.`);
  const hasRoom = sql`(SELECT count(*) FROM token_alerts WHERE user_id = ${userId}) < ${ALERTS_A_PERSON}`;
  const write = runBatch(ctx.db, [
    assertThat(ctx.db, "account_has_room", hasRoom, tooMany),
    audit(ctx, "tokens.alert_created", { userId, details: { unit, threshold } }),
    ctx.db
      .insert(tokenAlerts)
      .values({ userId, unit, threshold, enabled, version: 1, createdAt: ctx.now, updatedAt: ctx.now })
      .returning(),
  ] as const);
  const [, , [row]] = await unlessTaken(unit, threshold, write);
  if (!row) throw new Error("the new alert has no row");
  return toAlert(row);
}

export async function updateAlert(
  ctx: Context,
  id: number,
  changes: AlertChanges,
  expected: ExpectedVersions,
): Promise<TokenAlert> {
  const { unit, threshold, enabled } = changes;
  if (unit === undefined && threshold === undefined && enabled === undefined) throw new AppError("nothing_to_update");
  const isMine = and(eq(tokenAlerts.id, id), mine(ctx));
  const [current] = await ctx.db.select().from(tokenAlerts).where(isMine);
  if (!current) throw missedWrite(undefined, `alert ${id}`);
  const next = { unit: unit ?? current.unit, threshold: threshold ?? current.threshold };
  checkThreshold(next.unit, next.threshold);
  const isMoved = next.unit !== current.unit || next.threshold !== current.threshold;
  // Unit and threshold are checked together, so neither may have changed since they were read.
  const isAsRead = and(isMine, versionIs(tokenAlerts.version, expected), eq(tokenAlerts.version, current.version));
  const details = { alertId: id, ...next, ...(enabled !== undefined && { enabled }) };
  const write = runBatch(ctx.db, [
    assertExists(ctx.db, tokenAlerts, isAsRead),
    audit(ctx, "tokens.alert_changed", { userId: signedInUser(ctx).id, details }),
    ctx.db
      .update(tokenAlerts)
      .set({
        ...next,
        enabled,
        ...(isMoved && { firedMonth: null }),
        version: sql`${tokenAlerts.version} + 1`,
        updatedAt: ctx.now,
      })
      .where(isMine)
      .returning(),
  ] as const);
  try {
    const [, , [row]] = await unlessTaken(next.unit, next.threshold, write);
    if (row) return toAlert(row);
  } catch (error) {
    if (!(error instanceof AssertionFailed)) throw error;
  }
  // Without If-Match the last writer wins.
  if (expected === undefined) return updateAlert(ctx, id, changes, expected);
  throw await whyMissed(ctx, id);
}

export async function deleteAlert(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  const isMine = and(eq(tokenAlerts.id, id), mine(ctx));
  const isAsExpected = and(isMine, versionIs(tokenAlerts.version, expected));
  await runBatch(ctx.db, [
    assertExists(ctx.db, tokenAlerts, isAsExpected, () => whyMissed(ctx, id)),
    audit(ctx, "tokens.alert_deleted", { userId: signedInUser(ctx).id, details: { alertId: id } }),
    ctx.db.delete(tokenAlerts).where(isMine),
  ]);
}

async function whyMissed(ctx: Context, id: number): Promise<AppError> {
  const [current] = await ctx.db
    .select({ version: tokenAlerts.version })
    .from(tokenAlerts)
    .where(and(eq(tokenAlerts.id, id), mine(ctx)));
  return missedWrite(current, `alert ${id}`);
}

function checkThreshold(unit: AlertRow["unit"], threshold: number): void {
  if (unit === "tokens" || threshold <= 100) return;
  const errors = [{ path: "threshold", message: "must be from 1 to 100 when `unit` is percent" }];
  throw new AppError("validation_failed", "A threshold in percent must be from 1 to 100.", { errors });
}

async function unlessTaken<Rows>(unit: string, threshold: number, write: PromiseLike<Rows>): Promise<Rows> {
  try {
    return await write;
  } catch (error) {
    if (!brokeConstraint(error, "token_alerts.")) throw error;
    throw new AppError("conflict", `You already have an alert at ${threshold} ${unit}.`);
  }
}

/** The statement that fires the alerts whose threshold is reached, each once a month. For the batch that records a call. */
export function fireAlerts(ctx: Context) {
  const { used, limit } = standingSql(ctx);
  const isReached = sql`CASE ${tokenAlerts.unit}
    WHEN 'tokens' THEN ${used} >= ${tokenAlerts.threshold}
    ELSE ${used} * 100 >= ${tokenAlerts.threshold} * ${limit} END`;
  const month = monthOf(ctx.now).name;
  return ctx.db
    .update(tokenAlerts)
    .set({ firedMonth: month, firedAt: ctx.now, firedUsed: used, firedLimit: limit })
    .where(and(eq(tokenAlerts.enabled, true), sql`${tokenAlerts.firedMonth} IS NOT ${month}`, isReached))
    .returning(getTableColumns(tokenAlerts));
}

export async function notifyFired(ctx: Context, fired: readonly AlertRow[]): Promise<void> {
  const people = await listPeople(ctx, [...new Set(fired.map(({ userId }) => userId))]);
  for (const alert of fired) {
    const person = people.find(({ id }) => id === alert.userId);
    if (person) notify(ctx, [person], { kind: "token_alert", write: (reader) => wording(ctx, alert, reader) });
  }
}

function wording(ctx: Context, { unit, threshold, firedUsed, firedLimit }: AlertRow, reader: Recipient) {
  const format = (count: number) => count.toLocaleString("en-US");
  const mark = unit === "percent" ? `${threshold}% of the month's AI tokens` : `${format(threshold)} AI tokens`;
  const resets = monthOf(ctx.now).end.toISOString().slice(0, 10);
  return {
    subject: `${mark} used`,
    blocks: [
      "The use of AI tokens has reached your alert.",
      {
        facts: [
          ["Used this month", format(firedUsed ?? 0)],
          ["Limit", firedLimit === null ? "None" : format(firedLimit)],
          ["Your alert", unit === "percent" ? `${threshold}%` : `${format(threshold)} tokens`],
          ["Count starts again", writerFor("UTC", reader).date(resets)],
        ],
      },
      "Once the limit is reached, the built-in engine replaces the AI models until the count starts again.",
    ],
  } as const;
}

export type FiredAlert = TokenAlert & { userId: number };

/** The alerts of outbound events. Deleted ones are left out. */
export async function loadFiredAlerts(ctx: Context, ids: readonly number[]): Promise<FiredAlert[]> {
  const rows = await ctx.db.select().from(tokenAlerts).where(isOneOf(tokenAlerts.id, ids));
  return rows.map((row) => ({ ...toAlert(row), userId: row.userId }));
}
