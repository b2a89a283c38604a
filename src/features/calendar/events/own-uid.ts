import type { Context } from "../../../context.ts";
import { hmacSha256 } from "../../../lib/crypto.ts";
import { toHex } from "../../../lib/encoding.ts";

/**
 * The UIDs that this service gives out. The feed shows them, so anyone may learn one: an emailed invitation must not
 * be able to take it, neither before our event exists nor after it was deleted.
 */
const DOMAIN = "personal-operations-assistant.invalid";

/** A UID for something that has only one event, such as a booking. */
export function namedUid(name: string): string {
  return `${name}@${DOMAIN}`;
}

/** A new UID. Signed, so that an invitation from another installation of this service is not mistaken for our own. */
export function newUid(ctx: Context): string {
  const id = crypto.randomUUID();
  return `${id}@${signature(ctx, id)}.${DOMAIN}`;
}

/** Whether the UID is one that only this service gives out. */
export function isOwnUid(ctx: Context, uid: string): boolean {
  const [, id, host] = /^(.*)@([^@]*)$/.exec(uid.trim().toLowerCase()) ?? [];
  if (id === undefined || host === undefined) return false;
  return host === DOMAIN || (host.endsWith(`.${DOMAIN}`) && host === `${signature(ctx, id)}.${DOMAIN}`);
}

function signature({ config }: Context, id: string): string {
  return toHex(hmacSha256(config.secret("JWT_SECRET"), `calendar uid\n${id}`).slice(0, 8));
}
