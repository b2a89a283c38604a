import { and, desc, eq, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { pushSubscriptions } from "../../../db/schema/reminders.ts";
import { clientName } from "../../../lib/client-name.ts";
import { sha256Hex } from "../../../lib/crypto.ts";
import { AppError, validationFailed } from "../../../lib/errors.ts";
import { outsideAddressProblem } from "../../../lib/outside-address.ts";
import { isPushKey } from "../../../lib/web-push.ts";
import { audit } from "../../audit/service.ts";
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

/**
 * Subscribes a device. One that is subscribed already gets new keys; if somebody else used it before, it is now the
 * caller's: the browser has one subscription, whoever is signed in.
 */
export async function subscribeDevice(ctx: Context, input: NewPushSubscription) {
  const { id: userId } = signedInUser(ctx);
  if (!(await vapidKeyOf(ctx))) throw new AppError("push_not_configured");
  const { endpoint, keys } = input;
  const problem = outsideAddressProblem(endpoint, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) throw validationFailed({ path: "endpoint", message: problem });
  if (!(await isPushKey(keys)))
    throw validationFailed({ path: "keys", message: "are not those of a push subscription" });
  const values = {
    userId,
    p256dh: keys.p256dh,
    auth: keys.auth,
    name: input.name ?? clientName(ctx.client.userAgent).slice(0, 100),
    lastError: null,
  };
  const count = sql`(SELECT count(*) FROM push_subscriptions WHERE user_id = ${userId} AND endpoint <> ${endpoint})`;
  const tooMany = () =>
    new AppError("conflict", `You have ${MAX_DEVICES} devices, which is the limit. Delete one that you no longer use.`);
  const [, , [row]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "push_device_room", sql`${count} < ${MAX_DEVICES}`, tooMany),
    audit(ctx, "push.subscribed", { userId, details: { device: values.name } }),
    ctx.db
      .insert(pushSubscriptions)
      .values({ ...values, endpoint, createdAt: ctx.now })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: values })
      .returning(),
  ] as const);
  if (!row) throw new Error("the new subscription has no row");
  return toDevice(row);
}

export async function deleteDevice(ctx: Context, id: number): Promise<void> {
  const { id: userId } = signedInUser(ctx);
  const [, deleted] = await ctx.db.batch([
    audit(ctx, "push.unsubscribed", { userId, details: { deviceId: id } }),
    ctx.db
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.userId, userId)))
      .returning({ id: pushSubscriptions.id }),
  ]);
  if (deleted.length === 0) throw new AppError("not_found", `There is no device ${id}.`);
}
