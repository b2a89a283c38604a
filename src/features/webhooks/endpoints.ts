import { and, asc, eq, gt, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { compiledBatch } from "../../db/compiled-query.ts";
import { keyset, type Page, type PageRequest } from "../../db/page.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import type { OutboundEvent } from "../../lib/outbound-events.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { newWebhookSecret } from "../../lib/webhook-signature.ts";
import { type AuditAction, audit, batchOnlyIf } from "../audit/service.ts";
import { planRoom } from "../billing/account.ts";
import { expectEvents } from "./quiet.ts";
import { sealSecret } from "./secrets.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

export const MAX_ENDPOINTS = 20;
const OLD_SECRET_MS = 24 * 60 * 60 * 1000;

export interface NewEndpoint {
  url: string;
  description: string | null;
  eventTypes: OutboundEvent[];
  enabled: boolean;
}

export type EndpointChanges = Partial<NewEndpoint>;

/** The endpoint as its owner sees it; its secrets are never shown again. */
export function toEndpoint(row: EndpointRow, now: Date) {
  const oldUntil = row.previousSecretUntil;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.eventTypes,
    enabled: row.enabled,
    disabledReason: row.disabledReason,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretUntil: oldUntil && oldUntil > now ? oldUntil.toISOString() : null,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export type Endpoint = ReturnType<typeof toEndpoint>;

/** The condition that picks an endpoint of the person who asks: to anyone else it is not there. */
function mine(ctx: Context, id: number): SQL | undefined {
  return and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.userId, signedInUser(ctx).id));
}

export async function listEndpoints(ctx: Context, request: PageRequest): Promise<Page<Endpoint>> {
  const { key, page } = keyset(ctx, "webhook endpoints", [webhookEndpoints.id], "asc");
  const [after = 0] = key(request.cursor) ?? [];
  const values = { userId: signedInUser(ctx).id, after, rows: request.limit + 1 };
  const { rows } = await selectEndpoints(ctx.db, values);
  return page(
    rows,
    request,
    (row) => [row.id],
    (row) => toEndpoint(row, ctx.now),
  );
}

const selectEndpoints = compiledBatch(({ db }) => ({
  rows: db
    .select()
    .from(webhookEndpoints)
    .where(
      and(eq(webhookEndpoints.userId, sql.placeholder("userId")), gt(webhookEndpoints.id, sql.placeholder("after"))),
    )
    .orderBy(asc(webhookEndpoints.id))
    .limit(sql.placeholder("rows")),
}));

/** The statement that reads an endpoint of the person who asks, to ride in another verb's batch. */
export function selectEndpoint(ctx: Context, id: number) {
  return ctx.db.select().from(webhookEndpoints).where(mine(ctx, id));
}

export async function findEndpoint(ctx: Context, id: number): Promise<EndpointRow> {
  const [row] = await selectEndpoint(ctx, id);
  if (!row) throw missedWrite(undefined, `webhook ${id}`);
  return row;
}

export async function getEndpoint(ctx: Context, id: number): Promise<Endpoint> {
  return toEndpoint(await findEndpoint(ctx, id), ctx.now);
}

/** Everything this person's webhooks are, without their secrets, for a copy of one's data. */
export async function exportWebhooks(ctx: Context): Promise<Endpoint[]> {
  return (await listEndpoints(ctx, { limit: MAX_ENDPOINTS })).data;
}

/** The secret is in this answer and in no other. */
export async function createEndpoint(ctx: Context, input: NewEndpoint): Promise<Endpoint & { secret: string }> {
  const user = signedInUser(ctx);
  checkAddress(ctx, input.url);
  const secret = newWebhookSecret();
  const row = {
    ...input,
    userId: user.id,
    secret: await sealSecret(ctx, user.id, secret),
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  const plan = await planRoom(ctx, "webhooks");
  const most = plan.limit ?? Number.MAX_SAFE_INTEGER;
  const hasRoom = sql`(SELECT count(*) FROM webhook_endpoints WHERE user_id = ${user.id}) < ${MAX_ENDPOINTS}
    AND (SELECT count(*) FROM webhook_endpoints) < ${most}`;
  // The plan's room is shared by all, so that it may be full for a person who has none.
  const tooMany = async () =>
    (await ctx.db.$count(webhookEndpoints)) >= most
      ? plan.refusal()
      : new AppError("webhook_limit_reached", `You have ${MAX_ENDPOINTS} webhooks. Delete one first.`);
  const [, [created]] = await batchOnlyIf(ctx, tooMany, [
    audit(ctx, "webhook.created", { userId: user.id, details: { host: hostOf(input.url) }, onlyIf: hasRoom }),
    ctx.db.insert(webhookEndpoints).values(row).returning(),
  ] as const);
  if (!created) throw new Error("the new webhook has no row");
  expectEvents();
  return { ...toEndpoint(created, ctx.now), secret };
}

/** Switching it on again forgets why it was off; switching it off gives up what is still on its way. */
export async function updateEndpoint(
  ctx: Context,
  id: number,
  changes: EndpointChanges,
  expected: ExpectedVersions,
): Promise<Endpoint> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  if (changes.url !== undefined) checkAddress(ctx, changes.url);
  const isSwitched = changes.enabled !== undefined;
  const isFresh = changes.enabled || changes.url !== undefined;
  const set = { ...changes, ...(isSwitched && { disabledReason: null }), ...(isFresh && { failingSince: null }) };
  const row = await write(ctx, id, expected, "webhook.updated", {
    set,
    details: { fields: Object.keys(changes).join(" "), ...(isSwitched && { enabled: changes.enabled ?? null }) },
    ...(changes.enabled === false && { also: giveUpPending(ctx, id, "The endpoint was switched off.") }),
  });
  expectEvents();
  return toEndpoint(row, ctx.now);
}

/** For a day both secrets sign, so that a receiver can change over in its own time. */
export async function rotateSecret(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
): Promise<Endpoint & { secret: string }> {
  const secret = newWebhookSecret();
  const set = {
    previousSecret: sql`secret`,
    previousSecretUntil: new Date(ctx.now.getTime() + OLD_SECRET_MS),
    secret: await sealSecret(ctx, signedInUser(ctx).id, secret),
  };
  const row = await write(ctx, id, expected, "webhook.secret_rotated", { set });
  return { ...toEndpoint(row, ctx.now), secret };
}

interface Write {
  set: SQLiteUpdateSetSource<typeof webhookEndpoints>;
  details?: Record<string, string | number | boolean | null>;
  also?: ReturnType<typeof giveUpPending>;
}

/** The change, its trace in the audit log and what goes with it; or nothing, when the record is not as expected. */
async function write(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  action: AuditAction,
  { set, details, also }: Write,
): Promise<EndpointRow> {
  const [, [row]] = await batchOnlyIf(ctx, () => whyMissed(ctx, id), [
    auditIfThere(ctx, id, expected, action, details),
    ctx.db
      .update(webhookEndpoints)
      .set({ ...set, version: sql`version + 1`, updatedAt: ctx.now })
      .where(mine(ctx, id))
      .returning(),
    ...(also ? [also] : []),
  ] as const);
  if (!row) throw missedWrite(undefined, `webhook ${id}`);
  return row;
}

export async function deleteEndpoint(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  await batchOnlyIf(ctx, () => whyMissed(ctx, id), [
    auditIfThere(ctx, id, expected, "webhook.deleted"),
    ctx.db.delete(webhookEndpoints).where(mine(ctx, id)),
  ]);
}

function auditIfThere(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  action: AuditAction,
  details: Write["details"] = {},
) {
  const isAsExpected = and(mine(ctx, id), versionIs(webhookEndpoints.version, expected));
  return audit(ctx, action, {
    userId: signedInUser(ctx).id,
    details: { webhookId: id, ...details },
    onlyIf: sql`EXISTS (SELECT 1 FROM webhook_endpoints WHERE ${isAsExpected})`,
  });
}

async function whyMissed(ctx: Context, id: number): Promise<AppError> {
  const [current] = await ctx.db
    .select({ version: webhookEndpoints.version })
    .from(webhookEndpoints)
    .where(mine(ctx, id));
  return missedWrite(current, `webhook ${id}`);
}

/** The statement that deletes every endpoint of a person. */
export function deleteEndpointsOf(ctx: Context, userId: number, onlyIf: SQL) {
  return ctx.db.delete(webhookEndpoints).where(and(eq(webhookEndpoints.userId, userId), onlyIf));
}

/** The statement that stops what is still to be sent to an endpoint. */
export function giveUpPending(ctx: Context, endpointId: number, reason: string) {
  return ctx.db
    .update(webhookDeliveries)
    .set({ status: "failed", error: reason, nextAttemptAt: null })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, "pending")));
}

function checkAddress(ctx: Context, url: string): void {
  const problem = outsideAddressProblem(url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem === null) return;
  throw new AppError("validation_failed", `The address ${problem}.`, { errors: [{ path: "url", message: problem }] });
}

/** Paths may hold a token, so the audit log has only the host. */
function hostOf(url: string): string {
  return new URL(url).host;
}
