import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { users } from "../../../db/schema/users.ts";
import { openValue, type SealedStore, type SealedValue, sealValue } from "../../../db/sealed.ts";
import { AppError } from "../../../lib/errors.ts";

type UserRow = Pick<typeof users.$inferSelect, "id" | "totpSecret" | "totpEnabledAt">;

export function sealTotpSecret(ctx: Context, userId: number, secret: string): Promise<string> {
  return sealValue(ctx, purpose(userId), secret);
}

export async function openTotpSecret(ctx: Context, user: UserRow): Promise<string | null> {
  if (user.totpSecret === null) return null;
  const secret = await openValue(ctx, toValue(ctx, user, user.totpSecret));
  if (secret !== null) return secret;
  if (user.totpEnabledAt === null) {
    throw new AppError(
      "two_factor_not_enabled",
      "This set-up is outdated. Start with POST /api/settings/security/2fa/setup.",
    );
  }
  throw new AppError("misconfigured", "ENCRYPTION_KEY cannot decrypt the stored secrets.");
}

/** Without set-ups that are not finished: they recognise their secret by its sealed text, and are soon over. */
export const totpSecrets: SealedStore = {
  kind: "two_factor",
  async list(ctx, after, limit) {
    const { id, totpSecret, totpEnabledAt } = users;
    const rows = await ctx.db
      .select({ id, totpSecret, totpEnabledAt })
      .from(users)
      .where(and(gt(id, after), isNotNull(totpSecret), isNotNull(totpEnabledAt)))
      .orderBy(asc(id))
      .limit(limit);
    const values = rows.flatMap((row) => (row.totpSecret === null ? [] : [toValue(ctx, row, row.totpSecret)]));
    return { values, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
  },
};

function toValue(ctx: Context, { id }: UserRow, sealed: string): SealedValue {
  return {
    purpose: purpose(id),
    sealed,
    async replace(fresh) {
      const isSame = and(eq(users.id, id), eq(users.totpSecret, sealed), isNotNull(users.totpEnabledAt));
      const set = ctx.bookkeeping.update(users).set({ totpSecret: fresh });
      return (await set.where(isSame).returning({ id: users.id })).length > 0;
    },
  };
}

function purpose(userId: number): string {
  return `totp:${userId}`;
}
