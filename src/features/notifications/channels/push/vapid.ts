import type { Config } from "../../../../config.ts";
import type { Context } from "../../../../context.ts";
import { readVapidKey, type VapidKey } from "../../../../lib/web-push.ts";

const keys = new WeakMap<Config, Promise<VapidKey | null>>();

/** The key of this service; null if it has none. Read once for each isolate. */
export function vapidKeyOf({ config }: Pick<Context, "config">): Promise<VapidKey | null> {
  let key = keys.get(config);
  if (!key) {
    key = config.VAPID_PRIVATE_KEY ? readVapidKey(config.VAPID_PRIVATE_KEY) : Promise.resolve(null);
    keys.set(config, key);
  }
  return key;
}

/** Who push services may contact about our messages: they want a mailto: or https: address. */
export function vapidSubject({ config, baseUrl }: Pick<Context, "config" | "baseUrl">): string {
  const { VAPID_SUBJECT, MAIL_FROM } = config;
  return VAPID_SUBJECT ?? (MAIL_FROM ? `mailto:${MAIL_FROM}` : baseUrl);
}
