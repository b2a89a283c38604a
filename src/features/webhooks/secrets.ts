import { and, asc, eq, gt } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { webhookEndpoints } from "../../db/schema/webhooks.ts";
import { openValue, type SealedStore, type SealedValue, sealValue } from "../../db/sealed.ts";

type EndpointRow = typeof webhookEndpoints.$inferSelect;
type SecretColumn = "secret" | "previousSecret";

export function sealSecret(ctx: Context, userId: number, secret: string): Promise<string> {
  return sealValue(ctx, purpose(userId), secret);
}

/** The secrets that sign now: the current one, and the old one after a rotation. Null if it cannot be decrypted. */
export async function openSecrets(ctx: Context, row: EndpointRow, now: Date): Promise<string[] | null> {
  const { secret, previousSecret, previousSecretUntil } = row;
  const isOldValid = previousSecretUntil !== null && previousSecretUntil > now;
  const current = await openValue(ctx, toValue(ctx, row, "secret", secret));
  const old =
    isOldValid && previousSecret !== null
      ? await openValue(ctx, toValue(ctx, row, "previousSecret", previousSecret))
      : null;
  if (current === null) return null;
  return old === null ? [current] : [current, old];
}

export const webhookSecrets: SealedStore = {
  kind: "webhooks",
  async list(ctx, after, limit) {
    const rows = await ctx.db
      .select()
      .from(webhookEndpoints)
      .where(gt(webhookEndpoints.id, after))
      .orderBy(asc(webhookEndpoints.id))
      .limit(limit);
    const values = rows.flatMap((row) => [
      toValue(ctx, row, "secret", row.secret),
      ...(row.previousSecret === null ? [] : [toValue(ctx, row, "previousSecret", row.previousSecret)]),
    ]);
    return { values, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  },
};

function toValue(ctx: Context, { id, userId }: EndpointRow, column: SecretColumn, sealed: string): SealedValue {
  return {
    purpose: purpose(userId),
    sealed,
    async replace(fresh) {
      const isSame = and(eq(webhookEndpoints.id, id), eq(webhookEndpoints[column], sealed));
      const set = ctx.bookkeeping.update(webhookEndpoints).set({ [column]: fresh });
      return (await set.where(isSame).returning({ id: webhookEndpoints.id })).length > 0;
    },
  };
}

const purpose = (userId: number) => `webhook secret of user ${userId}`;
