import { and, count, desc, eq, ne, type SQL, sql } from "drizzle-orm";
import { type Condition, type Context, signedInSession, signedInUser } from "../../../../context.ts";
import { assertExists, assertThat, runBatch } from "../../../../db/assert.ts";
import { pushSubscriptions } from "../../../../db/schema/notifications.ts";
import { clientName } from "../../../../lib/client-name.ts";
import { sha256Hex } from "../../../../lib/crypto.ts";
import { AppError, validationFailed } from "../../../../lib/errors.ts";
import { outsideAddressProblem } from "../../../../lib/outside-address.ts";
import { isPushKey } from "../../../../lib/web-push.ts";
import { audit } from "../../../audit/service.ts";
import { sendSecurityAlert } from "../../security-alerts.ts";
import type { NewPushSubscription, PushDevice } from "./schemas.ts";
import { vapidKeyOf } from "./vapid.ts";

const MAX_DEVICES = 20;

type DeviceRow = typeof pushSubscriptions.$inferSelect;

export async function listDevices(ctx: Context) {
  const [key, rows] = await Promise.all([
    vapidKeyOf(ctx),
    ctx.db
      .select()
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, signedInUser(ctx).id))
      .orderBy(desc(pushSubscriptions.id))
      .limit(MAX_DEVICES),
  ]);
  return { publicKey: key?.publicKey ?? null, data: rows.map(toDevice) };
}

/** Never the address or the keys: whoever has them can send to the device. */
export function toDevice({ id, name, endpoint, createdAt, lastSentAt, lastError }: DeviceRow): PushDevice {
  return {
    id,
    name,
    service: new URL(endpoint).host,
    fingerprint: sha256Hex(endpoint),
    createdAt: createdAt.toISOString(),
    lastSentAt: lastSentAt?.toISOString() ?? null,
    lastError,
  };
}

interface Known {
  endpoint: string;
  auth: string;
}

/** The person's device with this address, if the secret is right. The API shows neither: only the browser knows them. */
function isDevice(ctx: Context, { endpoint, auth }: Known): SQL | undefined {
  return and(
    eq(pushSubscriptions.userId, signedInUser(ctx).id),
    eq(pushSubscriptions.endpoint, endpoint),
    eq(pushSubscriptions.auth, auth),
  );
}

/** Whether a request comes from a device that the person has added before, and says so by what only that device knows. */
export async function isKnownDevice(
  ctx: Context,
  body: Readonly<Record<string, unknown>>,
): Promise<boolean | Condition> {
  const { replaces = { endpoint: body.endpoint, ...keysIn(body.keys) } } = body;
  const { endpoint, auth } = keysIn(replaces);
  if (typeof endpoint !== "string" || typeof auth !== "string") return false;
  const [device] = await ctx.db
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(isDevice(ctx, { endpoint, auth }));
  const stored = "EXISTS (SELECT 1 FROM push_subscriptions WHERE id = ? AND endpoint = ?)";
  return device !== undefined && { sql: stored, values: [device.id, endpoint] };
}

const keysIn = (value: unknown): Record<string, unknown> => (typeof value === "object" ? { ...value } : {});

/**
 * Subscribes a device for as long as the session lasts. One that is subscribed already gets new keys; if somebody else
 * used it before, it is now the caller's: the browser has one subscription, whoever is signed in.
 */
export async function subscribeDevice(ctx: Context, input: NewPushSubscription) {
  const { user, session } = signedInSession(ctx);
  const userId = user.id;
  if (!(await vapidKeyOf(ctx))) throw new AppError("push_not_configured");
  const { endpoint, keys, replaces } = input;
  const problem = outsideAddressProblem(endpoint, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) throw validationFailed({ path: "endpoint", message: problem });
  if (!(await isPushKey(keys)))
    throw validationFailed({ path: "keys", message: "are not those of a push subscription" });
  const values = {
    userId,
    sessionId: session.id,
    p256dh: keys.p256dh,
    auth: keys.auth,
    name: input.name ?? clientName(ctx.client.userAgent).slice(0, 100),
    lastError: null,
  };
  const isReplaced = replaces && and(isDevice(ctx, replaces), ne(pushSubscriptions.endpoint, endpoint));
  const isKnown = isDevice(ctx, replaces ?? { endpoint, auth: keys.auth });
  const others = sql`(SELECT count(*) FROM push_subscriptions WHERE user_id = ${userId} AND endpoint <> ${endpoint})`;
  const tooMany = () => new AppError("conflict", `You have ${MAX_DEVICES} devices, the maximum. Delete one first.`);
  const [[known], , , , [row]] = await runBatch(ctx.db, [
    ctx.db.select({ id: pushSubscriptions.id }).from(pushSubscriptions).where(isKnown),
    ctx.db.delete(pushSubscriptions).where(isReplaced ?? sql`0`),
    assertThat(ctx.db, "push_device_room", sql`${others} < ${MAX_DEVICES}`, tooMany),
    audit(ctx, "push.subscribed", { userId, details: { device: values.name } }),
    ctx.db
      .insert(pushSubscriptions)
      .values({ ...values, endpoint, createdAt: ctx.now })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values })
      .returning(),
  ] as const);
  if (!row) throw new Error("the new subscription has no row");
  if (!known) {
    const explanation = `Its name is "${row.name}". Your reminders are shown there until its session ends.`;
    sendSecurityAlert(ctx, user, "A device was added for your reminders", explanation);
  }
  return toDevice(row);
}

export async function deleteDevice(ctx: Context, id: number): Promise<void> {
  const { id: userId } = signedInUser(ctx);
  const mine = and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.userId, userId));
  const unknown = () => new AppError("not_found", `There is no device ${id}.`);
  await runBatch(ctx.db, [
    assertExists(ctx.db, pushSubscriptions, mine, unknown),
    audit(ctx, "push.unsubscribed", { userId, details: { deviceId: id } }),
    ctx.db.delete(pushSubscriptions).where(mine),
  ]);
}

/** The statement that deletes every device of a person, and returns their names. */
export function deleteDevicesOf({ db }: Pick<Context, "db">, userId: number) {
  return db
    .delete(pushSubscriptions)
    .where(eq(pushSubscriptions.userId, userId))
    .returning({ name: pushSubscriptions.name });
}

export function countDevices({ db }: Pick<Context, "db">, userId: number) {
  return db.select({ count: count() }).from(pushSubscriptions).where(eq(pushSubscriptions.userId, userId));
}
