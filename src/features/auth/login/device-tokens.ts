import type { Context } from "../../../context.ts";
import type { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { fromBase64Url, toBase64Url } from "../../../lib/encoding.ts";
import { isSignature, sign } from "../../../lib/secrets.ts";

/** A device that does not sign in for this long is unknown again. */
export const DEVICE_TOKEN_MS = 400 * 24 * 60 * 60 * 1000;

/** A device that has signed in to an account before. */
export interface Device {
  id: string;
  userId: number;
  issuedAt: number;
}

/**
 * `<device id>.<account>.<time>.<signature>`. It signs nobody in: it only shows that the client has signed in to this
 * account before, so that the guesses of others do not keep it out. A known device keeps its id.
 */
export function deviceToken(ctx: Context, userId: number, known: Device | null): string {
  const device = { id: known?.id ?? randomToken(), userId, issuedAt: ctx.now.getTime() };
  return `${device.id}.${device.userId}.${device.issuedAt}.${toBase64Url(sign(ctx.config.secrets("JWT_SECRET"), signedText(device)))}`;
}

/** The device of a token; null when the token is missing, forged or too old. An unusable token is no error. */
export function readDeviceToken(ctx: Context, token: string | undefined): Device | null {
  const parts = /^([\w-]{22})\.([1-9]\d{0,14})\.([1-9]\d{0,14})\.([\w-]{43})$/.exec(token ?? "");
  if (!parts) return null;
  const [, id = "", userId, issuedAt, given = ""] = parts;
  const device = { id, userId: Number(userId), issuedAt: Number(issuedAt) };
  if (device.issuedAt + DEVICE_TOKEN_MS <= ctx.now.getTime()) return null;
  const bytes = fromBase64Url(given);
  return bytes && isSignature(ctx.config.secrets("JWT_SECRET"), signedText(device), bytes) ? device : null;
}

/** The device, if it is one of this account and has signed in since the password was last changed. */
export function deviceOf(
  account: Pick<typeof users.$inferSelect, "id" | "passwordChangedAt"> | undefined,
  device: Device | null,
): Device | null {
  if (!account || device?.userId !== account.id) return null;
  return device.issuedAt >= (account.passwordChangedAt?.getTime() ?? 0) ? device : null;
}

/** Under which its wrong guesses are counted. */
export function countedAs(device: Device | null): string | null {
  return device && `device:${device.id}`;
}

function signedText({ id, userId, issuedAt }: Device): string {
  return `device\n${id}\n${userId}\n${issuedAt}`;
}
