import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { anyOf } from "../../db/bulk.ts";
import { profiles } from "../../db/schema/profile.ts";
import { missedWrite } from "../../db/version.ts";
import { randomToken } from "../../lib/crypto.ts";
import { toHex } from "../../lib/encoding.ts";
import { AppError } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { type Avatar, imageTypeOf } from "../../lib/profile-kinds.ts";
import { audit } from "../audit/service.ts";
import { changed, selectProfile, whyUnchanged } from "./service.ts";

/** What the writer has read: the tag of the picture, or the version of the profile. */
type ExpectedTags = readonly string[] | undefined;

type Image = Extract<Avatar, { kind: "image" }>;

/** The picture as uploaded: its bytes must be what its sender calls it. */
export async function uploadAvatar(
  ctx: Context,
  { type, bytes }: { type: string; bytes: Uint8Array },
  expected: ExpectedTags,
) {
  const user = signedInUser(ctx);
  const found = imageTypeOf(bytes);
  if (found === null || found !== type) {
    throw new AppError("unsupported_media_type", `The bytes are ${found ?? "no picture we know"}, not ${type}.`);
  }
  const hash = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  // A key of its own for each upload: KV may show an old value for a minute, and removing one must not meet another.
  const key = `${keyPrefix(user.id)}${randomToken()}`;
  await ctx.config.bindings.KV.put(key, bytes);
  try {
    const avatar = { kind: "image" as const, type: found, bytes: bytes.byteLength, hash, key };
    return { ...(await setAvatar(ctx, avatar, expected)), hash };
  } catch (error) {
    ctx.defer(ctx.config.bindings.KV.delete(key));
    throw error;
  }
}

/** A picture that stands elsewhere. It is only pointed at, never fetched by the service. */
export function linkAvatar(ctx: Context, url: string, expected: ExpectedTags) {
  const problem = outsideAddressProblem(url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem)
    throw new AppError("validation_failed", `url: ${problem}`, { errors: [{ path: "url", message: problem }] });
  return setAvatar(ctx, { kind: "url", url: new URL(url).href }, expected);
}

async function setAvatar(ctx: Context, avatar: Avatar, expected: ExpectedTags) {
  const user = signedInUser(ctx);
  const [[before], , , [row]] = await runBatch(ctx.db, [
    selectProfile(ctx, user.id),
    assertExists(ctx.db, profiles, isAsExpected(user.id, expected), () => whyUnchanged(ctx, user.id)),
    audit(ctx, "profile.avatar_changed", { userId: user.id, details: { kind: avatar.kind } }),
    ctx.db
      .update(profiles)
      .set({ avatar, ...changed(ctx) })
      .where(eq(profiles.userId, user.id))
      .returning({ version: profiles.version }),
  ] as const);
  forget(ctx, before?.avatar ?? null);
  const shown =
    avatar.kind === "url"
      ? { kind: avatar.kind, url: avatar.url }
      : { kind: avatar.kind, type: avatar.type, bytes: avatar.bytes };
  return { avatar: shown, version: row?.version ?? 1 };
}

/** True while picture or profile are what the writer has read. */
function isAsExpected(userId: number, expected: ExpectedTags): SQL | undefined {
  const tags = expected && anyOf(expected);
  const isTagged = tags && sql`(CAST(version AS TEXT) IN ${tags} OR json_extract(avatar, '$.hash') IN ${tags})`;
  return and(eq(profiles.userId, userId), isTagged);
}

export async function removeAvatar(ctx: Context, expected: ExpectedTags): Promise<void> {
  const user = signedInUser(ctx);
  const mine = eq(profiles.userId, user.id);
  const refusal = async () => {
    const [row] = await selectProfile(ctx, user.id);
    return row?.avatar ? missedWrite(row, "profile") : noAvatar();
  };
  const [[before]] = await runBatch(ctx.db, [
    selectProfile(ctx, user.id),
    assertExists(ctx.db, profiles, and(isAsExpected(user.id, expected), isNotNull(profiles.avatar)), refusal),
    audit(ctx, "profile.avatar_removed", { userId: user.id }),
    ctx.db
      .update(profiles)
      .set({ avatar: null, ...changed(ctx) })
      .where(mine),
  ] as const);
  forget(ctx, before?.avatar ?? null);
}

export async function findAvatar(ctx: Context): Promise<Avatar> {
  const [row] = await selectProfile(ctx, signedInUser(ctx).id);
  if (!row?.avatar) throw noAvatar();
  return row.avatar;
}

export async function readPicture(ctx: Context, image: Image): Promise<ArrayBuffer> {
  const bytes = await findPicture(ctx, image);
  if (!bytes) throw noAvatar();
  return bytes;
}

/** Null where the store does not have it: it is older, or younger, than the row that names it. */
export function findPicture(ctx: Context, { key }: Image): Promise<ArrayBuffer | null> {
  return ctx.config.bindings.KV.get(key, "arrayBuffer");
}

/** Every picture a person ever uploaded, also those that a broken request left behind. */
export async function erasePictures(ctx: Context, userId: number): Promise<void> {
  const { KV } = ctx.config.bindings;
  let cursor: string | undefined;
  do {
    const list = await KV.list({ prefix: keyPrefix(userId), cursor });
    for (const { name } of list.keys) await KV.delete(name);
    cursor = list.list_complete ? undefined : list.cursor;
  } while (cursor !== undefined);
}

function forget(ctx: Context, avatar: Avatar | null): void {
  if (avatar?.kind === "image") ctx.defer(ctx.config.bindings.KV.delete(avatar.key));
}

function keyPrefix(userId: number): string {
  return `avatar:${userId}:`;
}

function noAvatar(): AppError {
  return new AppError("not_found", "There is no picture.");
}
