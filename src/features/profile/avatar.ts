import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { anyOf } from "../../db/bulk.ts";
import { profiles } from "../../db/schema/profile.ts";
import { missedWrite } from "../../db/version.ts";
import { randomToken } from "../../lib/crypto.ts";
import { toHex } from "../../lib/encoding.ts";
import { AppError, validationFailed } from "../../lib/errors.ts";
import { outsideAddressProblem } from "../../lib/outside-address.ts";
import { type Avatar, imageTypeOf } from "../../lib/profile-kinds.ts";
import { errorFields, log } from "../../log.ts";
import { audit } from "../audit/service.ts";
import { abandonFile, announceFile, deleteFilesSoon, keepFile } from "../files/service.ts";
import { changed, selectProfile, toAvatar } from "./service.ts";

/** From `If-Match`: the hash of the image, or the version of the profile. */
type ExpectedTags = readonly string[] | undefined;

type Image = Extract<Avatar, { kind: "image" }>;

export async function uploadAvatar(
  ctx: Context,
  { type, bytes }: { type: string; bytes: Uint8Array },
  expected: ExpectedTags,
) {
  const user = signedInUser(ctx);
  const found = imageTypeOf(bytes);
  if (found === null || found !== type) {
    const detail = `The body is ${found ?? "not a supported image"}, but its Content-Type is ${type}.`;
    throw new AppError("unsupported_media_type", detail);
  }
  const hash = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  const key = newAvatarKey(user.id);
  await announceFile(ctx, key);
  try {
    await storeImage(ctx, key, bytes);
    const avatar = { kind: "image" as const, type: found, bytes: bytes.byteLength, hash, key };
    return { ...(await setAvatar(ctx, avatar, expected)), hash };
  } catch (error) {
    ctx.defer(abandonFile(ctx, key));
    throw error;
  }
}

/** Every upload has its own key, because KV may return a previous value of a key for up to a minute. */
export function newAvatarKey(userId: number): string {
  return `avatar:${userId}:${randomToken()}`;
}

async function storeImage({ config, requestId }: Context, key: string, bytes: Uint8Array): Promise<void> {
  try {
    await config.bindings.KV.put(key, bytes);
  } catch (error) {
    log("error", "avatar_not_stored", { requestId, ...errorFields(error) });
    throw new AppError("unavailable", "The image could not be stored right now. Send it again.", { retryAfter: 5 });
  }
}

/** The service never fetches the URL. */
export function linkAvatar(ctx: Context, url: string, expected: ExpectedTags) {
  const problem = outsideAddressProblem(url, { allowPrivate: ctx.config.ALLOW_PRIVATE_HOSTS });
  if (problem) throw validationFailed({ path: "url", message: problem });
  return setAvatar(ctx, { kind: "url", url: new URL(url).href }, expected);
}

async function setAvatar(ctx: Context, avatar: Avatar, expected: ExpectedTags) {
  return { avatar: toAvatar(avatar), version: await replaceAvatar(ctx, avatar, expected) };
}

export async function removeAvatar(ctx: Context, expected: ExpectedTags): Promise<void> {
  await replaceAvatar(ctx, null, expected);
}

/** Returns the new version of the profile. */
async function replaceAvatar(ctx: Context, avatar: Avatar | null, expected: ExpectedTags): Promise<number> {
  const user = signedInUser(ctx);
  const mine = eq(profiles.userId, user.id);
  const tags = expected && anyOf(expected);
  const isExpected = tags && sql`(CAST(version AS TEXT) IN ${tags} OR json_extract(avatar, '$.hash') IN ${tags})`;
  const allowed = and(mine, isExpected, avatar ? undefined : isNotNull(profiles.avatar));
  const refusal = async () => {
    const [row] = await selectProfile(ctx, user.id);
    return avatar || row?.avatar ? missedWrite(row, "profile") : noAvatar();
  };
  const [, , [row]] = await runBatch(ctx.db, [
    assertExists(ctx.db, profiles, allowed, refusal),
    audit(ctx, avatar ? "profile.avatar_changed" : "profile.avatar_removed", {
      userId: user.id,
      details: avatar && { kind: avatar.kind },
    }),
    ctx.db
      .update(profiles)
      .set({ avatar, ...changed(ctx) })
      .where(mine)
      .returning({ version: profiles.version }),
    ...(avatar?.kind === "image" ? keepFile(ctx, avatar.key) : []),
  ] as const);
  // A trigger has noted the image that is replaced.
  deleteFilesSoon(ctx);
  return row?.version ?? 1;
}

export async function findAvatar(ctx: Context): Promise<Avatar> {
  const [row] = await selectProfile(ctx, signedInUser(ctx).id);
  if (!row?.avatar) throw noAvatar();
  return row.avatar;
}

export async function readImage(ctx: Context, image: Image): Promise<ArrayBuffer> {
  const bytes = await findImage(ctx, image);
  if (!bytes) throw noAvatar();
  return bytes;
}

/** Null if KV does not have the image: a write to KV can take a minute to be visible everywhere. */
export function findImage(ctx: Context, { key }: Image): Promise<ArrayBuffer | null> {
  return ctx.config.bindings.KV.get(key, "arrayBuffer");
}

function noAvatar(): AppError {
  return new AppError("not_found", "You have no avatar.");
}
