import { and, eq, gt, isNull, or, sql } from "drizzle-orm";
import type { Actor, Context } from "../../context.ts";
import { apiKeys, users } from "../../db/schema/auth.ts";
import { isApiKey, makeApiKey } from "../../lib/api-key.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import type { Scope } from "../../lib/scopes.ts";
import { accountColumns, signedInUser, toAccount } from "./account.ts";
import { audit, batchOnlyIf } from "./audit.ts";

const USED_EVERY_MS = 5 * 60 * 1000;

interface NewApiKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/** The key's value is in the answer and nowhere else: the database has only its hash. */
export async function createApiKey(ctx: Context, input: NewApiKey): Promise<{ id: number; key: string }> {
  const user = signedInUser(ctx);
  const key = makeApiKey();
  const [[created]] = await ctx.db.batch([
    ctx.db
      .insert(apiKeys)
      .values({ ...input, scopes: [...input.scopes], userId: user.id, keyHash: sha256Hex(key), createdAt: ctx.now })
      .returning({ id: apiKeys.id }),
    audit(ctx, "api_key.created", { userId: user.id, details: { name: input.name, scopes: input.scopes.join(" ") } }),
  ]);
  if (!created) throw new Error("the new API key has no id");
  return { id: created.id, key };
}

export async function revokeApiKey(ctx: Context, id: number): Promise<void> {
  const user = signedInUser(ctx);
  const mine = and(eq(apiKeys.id, id), eq(apiKeys.userId, user.id));
  const act = audit(ctx, "api_key.revoked", {
    userId: user.id,
    details: { keyId: id },
    onlyIf: sql`EXISTS (SELECT 1 FROM api_keys WHERE ${mine})`,
  });
  const unknown = () => new AppError("not_found", `There is no API key ${id}.`);
  await batchOnlyIf(ctx, unknown, [act, ctx.db.delete(apiKeys).where(mine)]);
}

export async function authenticateApiKey(ctx: Context, key: string): Promise<Actor> {
  const unknown = new AppError("unauthenticated", "The API key is wrong, expired or revoked.");
  if (!isApiKey(key)) throw unknown;
  const [row] = await ctx.db
    .select({ account: accountColumns, keyId: apiKeys.id, scopes: apiKeys.scopes, lastUsedAt: apiKeys.lastUsedAt })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.keyHash, sha256Hex(key)), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.now))));
  if (!row) throw unknown;
  if (ctx.now.getTime() - (row.lastUsedAt?.getTime() ?? 0) > USED_EVERY_MS) ctx.defer(noteUsed(ctx, row.keyId));
  return { kind: "api_key", user: toAccount(ctx, row.account), key: { id: row.keyId, scopes: row.scopes } };
}

async function noteUsed(ctx: Context, keyId: number): Promise<void> {
  await ctx.db.update(apiKeys).set({ lastUsedAt: ctx.now }).where(eq(apiKeys.id, keyId));
}
