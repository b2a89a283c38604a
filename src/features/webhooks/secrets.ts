import type { Context } from "../../context.ts";
import type { webhookEndpoints } from "../../db/schema/webhooks.ts";
import { seal, unseal } from "../../lib/encryption.ts";

type EndpointRow = typeof webhookEndpoints.$inferSelect;

export function sealSecret(ctx: Context, userId: number, secret: string): Promise<string> {
  return seal(ctx.config.secret("ENCRYPTION_KEY"), purpose(userId), secret);
}

/** The secrets that sign now: the current one, and the old one after a rotation. Null if it cannot be decrypted. */
export async function openSecrets(
  ctx: Context,
  { userId, secret, previousSecret, previousSecretUntil }: EndpointRow,
  now: Date,
): Promise<string[] | null> {
  const open = (sealed: string) => unseal(ctx.config.secret("ENCRYPTION_KEY"), purpose(userId), sealed);
  const isOldValid = previousSecretUntil !== null && previousSecretUntil > now;
  const current = await open(secret);
  const old = isOldValid && previousSecret !== null ? await open(previousSecret) : null;
  if (current === null) return null;
  return old === null ? [current] : [current, old];
}

const purpose = (userId: number) => `webhook secret of user ${userId}`;
