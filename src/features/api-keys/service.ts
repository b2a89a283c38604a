import { and, count, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Context, type Credential, hasScope, signedInUser } from "../../context.ts";
import { assertExists, assertThat, runBatch } from "../../db/assert.ts";
import { type Database, openDatabase } from "../../db/client.ts";
import { compiledStatement, type Given } from "../../db/compiled-query.ts";
import { listPage, type PageRequest } from "../../db/page.ts";
import { apiKeys } from "../../db/schema/api-keys.ts";
import { users } from "../../db/schema/users.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { isApiKey, makeApiKey } from "../../lib/api-key.ts";
import { sha256Hex } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import { remembered } from "../../lib/remembered.ts";
import { audit } from "../audit/service.ts";
import type { PlanRoom } from "../billing/account.ts";
import { sendSecurityAlert } from "../notifications/security-alerts.ts";
import { type AccountRow, accountColumns, accountFacts, HAS_FACTS, toAccount } from "../people/account.ts";
import type { KeyChanges } from "./schemas.ts";

/** `lastUsedAt` is not written more often than this, so that most requests only read. */
const LAST_USED_PRECISION_MS = 5 * 60 * 1000;
const MAX_KEYS = 100;

type KeyRow = typeof apiKeys.$inferSelect;

/** Without the hash of the value. */
export function toApiKey({ userId, keyHash, outsideAt, ...row }: KeyRow) {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    rotatedAt: row.rotatedAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  };
}

export function listApiKeys(ctx: Context, request: PageRequest) {
  const user = signedInUser(ctx);
  const where = eq(apiKeys.userId, user.id);
  const paged = { list: `api-keys:${user.id}`, table: apiKeys, by: ["id"], order: "desc", where } as const;
  return listPage(ctx, request, paged, toApiKey);
}

/** The value is only in the response; the database stores its hash. */
export async function createApiKey(
  ctx: Context,
  { name, scopes, expiresAt }: Pick<KeyRow, "name" | "scopes" | "expiresAt">,
  room?: PlanRoom,
) {
  const user = signedInUser(ctx);
  const key = makeApiKey();
  const hasOwnRoom = sql`(SELECT count(*) FROM api_keys WHERE user_id = ${user.id}) < ${MAX_KEYS}`;
  const tooMany = () => new AppError("conflict", `You have ${MAX_KEYS} API keys, the maximum. Revoke one first.`);
  const hasRoom = room?.limit == null ? sql`1` : sql`(SELECT count(*) FROM api_keys) < ${room.limit}`;
  const [, , , [created]] = await runBatch(ctx.db, [
    assertThat(ctx.db, "plan_has_room", hasRoom, room?.refusal),
    assertThat(ctx.db, "account_has_room", hasOwnRoom, tooMany),
    audit(ctx, "api_key.created", { userId: user.id, details: { name, scopes: scopes.join(" ") } }),
    ctx.db
      .insert(apiKeys)
      .values({ name, scopes, expiresAt, userId: user.id, keyHash: sha256Hex(key), createdAt: ctx.now })
      .returning(),
  ] as const);
  if (!created) throw new Error("the new API key has no row");
  const explanation = `Its name is "${name}". Its scopes are ${scopes.join(", ")}.`;
  sendSecurityAlert(ctx, user, "An API key was created", explanation);
  return { ...toApiKey(created), key };
}

/** Scopes can only be removed: more of them need a new key, and with it a reauthentication. */
export async function changeApiKey(ctx: Context, id: number, { name, scopes }: KeyChanges, expected: ExpectedVersions) {
  if (name === undefined && scopes === undefined) throw new AppError("nothing_to_update");
  const mine = isMine(ctx, id);
  const addsNoScope =
    scopes &&
    sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(scopes)}) AS wanted
    WHERE wanted.value NOT IN (SELECT value FROM json_each(${apiKeys.scopes})))`;
  const allowed = and(mine, versionIs(apiKeys.version, expected), addsNoScope);
  const [, , [updated]] = await runBatch(ctx.db, [
    assertExists(ctx.db, apiKeys, allowed, () => whyUnchanged(ctx, id, scopes, expected)),
    audit(ctx, "api_key.changed", {
      userId: signedInUser(ctx).id,
      details: { keyId: id, ...(name !== undefined && { name }), ...(scopes && { scopes: scopes.join(" ") }) },
    }),
    ctx.db
      .update(apiKeys)
      .set({ name, scopes, version: sql`${apiKeys.version} + 1` })
      .where(mine)
      .returning(),
  ] as const);
  if (!updated) throw unknownKey(id);
  return toApiKey(updated);
}

async function whyUnchanged(
  ctx: Context,
  id: number,
  scopes: KeyChanges["scopes"],
  expected: ExpectedVersions,
): Promise<AppError> {
  const [row] = await ctx.db.select().from(apiKeys).where(isMine(ctx, id));
  if (!row) return unknownKey(id);
  if (expected && !expected.includes(row.version)) return missedWrite(row, `API key ${id}`);
  const more = (scopes ?? []).filter((scope) => !row.scopes.includes(scope));
  const detail = `The key does not have ${more.join(", ")}. Create a new key with more scopes.`;
  return new AppError("validation_failed", detail, { errors: [{ path: "scopes", message: "can only be removed" }] });
}

export async function rotateApiKey(ctx: Context, id: number, expected: ExpectedVersions) {
  const user = signedInUser(ctx);
  const key = makeApiKey();
  const mine = isMine(ctx, id);
  const [, , [rotated]] = await runBatch(ctx.db, [
    assertExpected(ctx, id, expected),
    audit(ctx, "api_key.rotated", { userId: user.id, details: { keyId: id } }),
    ctx.db
      .update(apiKeys)
      .set({
        keyHash: sha256Hex(key),
        rotatedAt: ctx.now,
        lastUsedAt: null,
        expiresAt: sql`${ctx.now.getTime()} + (${apiKeys.expiresAt} - coalesce(${apiKeys.rotatedAt}, ${apiKeys.createdAt}))`,
        version: sql`${apiKeys.version} + 1`,
      })
      .where(mine)
      .returning(),
  ] as const);
  if (!rotated) throw unknownKey(id);
  const explanation = `Its name is "${rotated.name}". The old value no longer works.`;
  sendSecurityAlert(ctx, user, "An API key was rotated", explanation);
  return { ...toApiKey(rotated), key };
}

export async function revokeApiKey(ctx: Context, id: number, expected: ExpectedVersions): Promise<void> {
  await runBatch(ctx.db, [
    assertExpected(ctx, id, expected),
    audit(ctx, "api_key.revoked", { userId: signedInUser(ctx).id, details: { keyId: id } }),
    ctx.db.delete(apiKeys).where(isMine(ctx, id)),
  ]);
}

function isMine(ctx: Context, id: number): SQL | undefined {
  return and(eq(apiKeys.id, id), eq(apiKeys.userId, signedInUser(ctx).id));
}

function assertExpected(ctx: Context, id: number, expected: ExpectedVersions) {
  const isAsExpected = and(isMine(ctx, id), versionIs(apiKeys.version, expected));
  return assertExists(ctx.db, apiKeys, isAsExpected, () => whyMissed(ctx, id));
}

async function whyMissed(ctx: Context, id: number): Promise<AppError> {
  const [row] = await ctx.db.select({ version: apiKeys.version }).from(apiKeys).where(isMine(ctx, id));
  return missedWrite(row, `API key ${id}`);
}

function unknownKey(id: number): AppError {
  return new AppError("not_found", `There is no API key ${id}.`);
}

const holderColumns = {
  ...accountColumns,
  // Renamed: the account has a column of this name, too.
  keyId: sql<number>`${apiKeys.id}`.as("key_id"),
  keyName: sql<string>`${apiKeys.name}`.as("key_name"),
  scopes: apiKeys.scopes,
  lastUsedAt: apiKeys.lastUsedAt,
  outsideAt: apiKeys.outsideAt,
};

type KeyInUse = Pick<KeyRow, "scopes" | "lastUsedAt" | "outsideAt"> & { keyId: number; keyName: string };

const selectHolder = compiledStatement<AccountRow & KeyInUse>(({ db }) =>
  db
    .select(holderColumns)
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(and(eq(apiKeys.keyHash, sql.placeholder("hash")), isActive(sql.placeholder("now")))),
);

function isActive(now: Given<Date>): SQL | undefined {
  return or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now));
}

const unknownCredential = () =>
  new AppError("unauthenticated", "The API key is wrong, expired or revoked. Send a valid one.");

/** Programs send the same key with every request. */
const hashOf = remembered(sha256Hex);

/** `isAgent`: the actor also knows what an agent with this key has read, and a write is refused once that has changed. */
export function apiKeyCredential(ctx: Context, key: string, { isAgent = false } = {}): Credential {
  if (!isApiKey(key)) throw unknownCredential();
  // Not the handle of the request, which carries this check and wakes live clients.
  const db = openDatabase(ctx);
  const hash = hashOf(key);
  const now = ctx.now.getTime();
  return {
    kind: "api_key",
    id: isAgent ? `agent ${hash}` : hash,
    select: (db, at = ctx.now) => selectHolder.bind(db, { hash, now: at.getTime() }),
    isValid(scopes, identity) {
      // The scopes are among the facts: what a known identity allows need not be read in SQL, too.
      const asked = identity && hasScope(identity.actor, scopes) ? null : scopes;
      const isAllowed =
        asked &&
        `AND EXISTS (SELECT 1 FROM json_each(k.scopes) WHERE value IN (${asked.map(() => "?, ").join("")}'admin'))`;
      return {
        sql: `EXISTS (SELECT 1 FROM api_keys k JOIN users u ON u.id = k.user_id
        WHERE k.key_hash = ? AND (k.expires_at IS NULL OR k.expires_at > ?) ${isAllowed ?? ""}
        ${identity ? `AND ${HAS_FACTS} AND k.scopes IS ?${isAgent ? " AND k.outside_at IS ?" : ""}` : ""})`,
        values: [hash, now, ...(asked ?? []), ...(identity?.facts ?? [])],
      };
    },
    identify(cells) {
      if (!cells) throw unknownCredential();
      const row = selectHolder.toRow(cells);
      if (now - (row.lastUsedAt?.getTime() ?? 0) > LAST_USED_PRECISION_MS) ctx.defer(noteUsed(db, row.keyId, ctx.now));
      const { keyId: id, keyName: name, scopes, outsideAt } = row;
      const connection = { name, rule: "every_write" as const, outsideAt };
      return {
        actor: { kind: "api_key", user: toAccount(ctx, row), key: { id, scopes, ...(isAgent && { connection }) } },
        facts: [...accountFacts(cells), cells.scopes, ...(isAgent ? [cells.outside_at] : [])],
      };
    },
  };
}

/** Remembers that an agent with this key was handed text by other people. */
export async function noteOutsideOfKey(db: Database, keyId: number, now: Date): Promise<void> {
  await db.update(apiKeys).set({ outsideAt: now }).where(eq(apiKeys.id, keyId));
}

async function noteUsed(db: Database, keyId: number, now: Date): Promise<void> {
  await db.update(apiKeys).set({ lastUsedAt: now }).where(eq(apiKeys.id, keyId));
}

export function countActiveApiKeys(ctx: Context, userId: number) {
  return ctx.db
    .select({ count: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, userId), isActive(ctx.now)));
}
