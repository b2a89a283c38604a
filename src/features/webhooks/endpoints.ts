import { and, count, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteUpdateSetSource } from "drizzle-orm/sqlite-core";
import { type Condition, type Context, signedInUser } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { listPage, type Page, type PageRequest } from "../../db/page.ts";
import { webhookDeliveries, webhookEndpoints } from "../../db/schema/webhooks.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { newWebhookSecret } from "../../lib/webhook-signature.ts";
import { type AuditAction, audit } from "../audit/service.ts";
import { planRoom } from "../billing/account.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { noneEnabled } from "./enabled-endpoints.ts";
import type { EndpointChanges, NewEndpoint } from "./schemas.ts";
import { sealSecret } from "./secrets.ts";

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

const MAX_ENDPOINTS = 20;
/** Nothing is known against a new address. */
const WELL = { failingSince: null, pausedUntil: null, slowResponses: 0 };
const OLD_SECRET_MS = 24 * 60 * 60 * 1000;

/** Without the secrets. */
function toEndpoint(row: EndpointRow, now: Date) {
  const {
    userId,
    secret,
    previousSecret,
    previousSecretUntil: oldUntil,
    pausedUntil,
    slowResponses,
    ...endpoint
  } = row;
  return {
    ...endpoint,
    failingSince: row.failingSince?.toISOString() ?? null,
    previousSecretUntil: oldUntil && oldUntil > now ? oldUntil.toISOString() : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

type Endpoint = ReturnType<typeof toEndpoint>;

/** Limits a query to the signed-in person's endpoint: to others it does not exist. */
function mine(ctx: Context, id: number): SQL | undefined {
  return and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.userId, signedInUser(ctx).id));
}

export function listEndpoints(ctx: Context, request: PageRequest): Promise<Page<Endpoint>> {
  const where = eq(webhookEndpoints.userId, signedInUser(ctx).id);
  const paged = { list: "webhook endpoints", table: webhookEndpoints, by: ["id"], where } as const;
  return listPage(ctx, request, paged, (row) => toEndpoint(row, ctx.now));
}

/** The statement that reads an endpoint of the signed-in person, for a batch. */
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

/** The person's webhooks without their secrets. */
export async function exportWebhooks(ctx: Context): Promise<Endpoint[]> {
  return (await listEndpoints(ctx, { limit: MAX_ENDPOINTS })).data;
}

/** The only response that contains the secret. */
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
  const hasRoom = plan.limit === null ? sql`1` : sql`(SELECT count(*) FROM webhook_endpoints) < ${plan.limit}`;
  const hasOwnRoom = sql`(SELECT count(*) FROM webhook_endpoints WHERE user_id = ${user.id}) < ${MAX_ENDPOINTS}`;
  const tooMany = () => new AppError("webhook_limit_reached", `You have ${MAX_ENDPOINTS} webhooks. Delete one first.`);
  const [, , , [created]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "plan_has_room", hasRoom, plan.refusal),
    assertThat(ctx.db, "account_has_room", hasOwnRoom, tooMany),
    // Only the host: paths can contain a token.
    audit(ctx, "webhook.created", { userId: user.id, details: { host: new URL(input.url).host } }),
    ctx.db.insert(webhookEndpoints).values(row).returning(),
  ] as const);
  if (!created) throw new Error("the new webhook has no row");
  noneEnabled.forget();
  const { host } = new URL(created.url);
  sendSecurityAlert(ctx, user, "A webhook was added", `Events of your account are now sent to ${host}.`);
  return { ...toEndpoint(created, ctx.now), secret };
}

/** Whether after a change, not validated yet, no events go where none go now. */
export async function keepsAddress(
  ctx: Context,
  { url, enabled }: Readonly<Record<string, unknown>>,
  id = "",
): Promise<boolean | Condition> {
  if (url === undefined && enabled !== true) return true;
  const [row] = /^\d{1,15}$/.test(id) ? await selectEndpoint(ctx, Number(id)) : [];
  // A missing webhook changes nothing.
  const isKept = row === undefined || ((url === undefined || row.url === url) && (enabled !== true || row.enabled));
  const sql = "(SELECT version FROM webhook_endpoints WHERE id = ?) IS ?";
  return isKept && { sql, values: [id, row?.version ?? null] };
}

/** Enabling clears the reason it was disabled for; disabling cancels its pending deliveries. */
export async function updateEndpoint(
  ctx: Context,
  id: number,
  changes: EndpointChanges,
  expected: ExpectedVersions,
): Promise<Endpoint> {
  if (Object.values(changes).every((value) => value === undefined)) throw new AppError("nothing_to_update");
  if (changes.url !== undefined) checkAddress(ctx, changes.url);
  const before = changes.url === undefined ? null : await findEndpoint(ctx, id);
  const isSwitched = changes.enabled !== undefined;
  const isFresh = changes.enabled || changes.url !== undefined;
  const set = { ...changes, ...(isSwitched && { disabledReason: null }), ...(isFresh && WELL) };
  const row = await write(ctx, id, expected, "webhook.updated", {
    set,
    details: { fields: Object.keys(changes).join(" "), ...(isSwitched && { enabled: changes.enabled ?? null }) },
    ...(changes.enabled === false && { also: cancelPending(ctx, id, "The webhook was disabled.") }),
  });
  noneEnabled.forget();
  if (before && before.url !== row.url) {
    const explanation = `Its events are now sent to ${new URL(row.url).host}.`;
    sendSecurityAlert(ctx, signedInUser(ctx), "The address of a webhook was changed", explanation);
  }
  return toEndpoint(row, ctx.now);
}

/** Both secrets sign for a day, so that the receiver need not switch at the same moment. */
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
  also?: ReturnType<typeof cancelPending>;
}

/** The change and its audit entry, or neither if the record is not as expected. */
async function write(
  ctx: Context,
  id: number,
  expected: ExpectedVersions,
  action: AuditAction,
  { set, details, also }: Write,
): Promise<EndpointRow> {
  const [, , [row]] = await runBatch(ctx.db, [
    assertThere(ctx, id, expected),
    audit(ctx, action, { userId: signedInUser(ctx).id, details: { webhookId: id, ...details } }),
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
  await runBatch(ctx.db, [
    assertThere(ctx, id, expected),
    audit(ctx, "webhook.deleted", { userId: signedInUser(ctx).id, details: { webhookId: id } }),
    ctx.db.delete(webhookEndpoints).where(mine(ctx, id)),
  ]);
}

function assertThere(ctx: Context, id: number, expected: ExpectedVersions) {
  const isAsExpected = and(mine(ctx, id), versionIs(webhookEndpoints.version, expected));
  return assertExists(ctx.db, webhookEndpoints, isAsExpected, () => whyMissed(ctx, id));
}

async function whyMissed(ctx: Context, id: number): Promise<AppError> {
  const [current] = await ctx.db
    .select({ version: webhookEndpoints.version })
    .from(webhookEndpoints)
    .where(mine(ctx, id));
  return missedWrite(current, `webhook ${id}`);
}

/** The statement that deletes every endpoint of a person, and returns their addresses. */
export function deleteEndpointsOf({ db }: Pick<Context, "db">, userId: number) {
  return db
    .delete(webhookEndpoints)
    .where(eq(webhookEndpoints.userId, userId))
    .returning({ url: webhookEndpoints.url });
}

export function countEndpoints({ db }: Pick<Context, "db">, userId: number) {
  return db.select({ count: count() }).from(webhookEndpoints).where(eq(webhookEndpoints.userId, userId));
}

/** The statement that cancels an endpoint's pending deliveries. */
export function cancelPending(ctx: Context, endpointId: number, reason: string) {
  return ctx.db
    .update(webhookDeliveries)
    .set({ status: "failed", error: reason, nextAttemptAt: null })
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.status, "pending")));
}

/** Throws if a request names an address that no webhook may have. */
export function checkNamedAddress(ctx: Context, { url }: Readonly<Record<string, unknown>>): void {
  if (typeof url === "string") checkAddress(ctx, url);
}

function checkAddress(ctx: Context, url: string): void {
  const problem = outsideAddressProblem(url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem !== null) throw validationFailed({ path: "url", message: problem });
}
