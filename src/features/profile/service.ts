import { and, eq, sql } from "drizzle-orm";
import { type Account, type Context, signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { profiles } from "../../db/schema/profile.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import type { Avatar } from "../../lib/profile-kinds.ts";
import { audit } from "../audit/service.ts";
import { selectPendingEmail } from "../auth/email-tokens.ts";
import { changeAccount } from "../people/account.ts";
import type { ProfileChanges } from "./schemas.ts";

type ProfileRow = typeof profiles.$inferSelect;

type PendingEmail = Awaited<ReturnType<typeof selectPendingEmail>>[number];

function toProfile(user: Account, { userId, ...row }: ProfileRow, pending: PendingEmail | undefined) {
  const { id, name, role, timeZone } = user;
  return {
    id,
    name,
    role,
    timeZone,
    ...row,
    email: { address: user.email, verified: user.emailVerified, pending: pending ? toPending(pending) : null },
    avatar: row.avatar && toAvatar(row.avatar),
    createdAt: user.createdAt.toISOString(),
    updatedAt: row.updatedAt?.toISOString() ?? null,
  };
}

function toPending({ email, createdAt, expiresAt }: PendingEmail) {
  return { address: email, requestedAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** Without the storage key and hash of an uploaded image. */
export function toAvatar(avatar: Avatar) {
  if (avatar.kind === "url") return avatar;
  const { kind, type, bytes } = avatar;
  return { kind, type, bytes };
}

export function selectProfile(ctx: Context, userId: number) {
  return ctx.db.select().from(profiles).where(eq(profiles.userId, userId));
}

/** The session check has already read the account. */
export async function readProfile(ctx: Context) {
  const user = signedInUser(ctx);
  const [[row], [pending]] = await ctx.db.batch([
    selectProfile(ctx, user.id),
    selectPendingEmail(ctx, user.id, ctx.now),
  ]);
  if (!row) throw missedWrite(undefined, "profile");
  return toProfile(user, row, pending);
}

/** How times are shown to the person who makes the request. */
export async function timeFormatOf(ctx: Context): Promise<ProfileRow["timeFormat"]> {
  const [row] = "user" in ctx.actor ? await selectProfile(ctx, ctx.actor.user.id) : [];
  return row?.timeFormat ?? "24h";
}

/** Columns that every change of a profile sets. */
export function changed(ctx: Context) {
  return { version: sql`${profiles.version} + 1`, updatedAt: ctx.now };
}

/**
 * Name and time zone belong to the account, the rest to the profile. Both change in one batch. The tasks that are
 * due on a day move with the owner, but not with a member, since everyone shares them.
 */
export async function updateProfile(ctx: Context, changes: ProfileChanges, expected: ExpectedVersions) {
  const user = signedInUser(ctx);
  const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) throw new AppError("nothing_to_update");
  const { name, timeZone, ...own } = changes;
  const refusal = async () => missedWrite((await selectProfile(ctx, user.id))[0], "profile");
  const isExpected = and(eq(profiles.userId, user.id), versionIs(profiles.version, expected));
  const isMoved = timeZone !== undefined && timeZone !== user.timeZone && user.role === "owner";
  const days = isMoved ? await (await import("../tasks/zone.ts")).daysMoved(ctx, user.timeZone, timeZone) : [];
  const [, , [row], [account], [pending]] = await runBatch(ctx.db, [
    assertExists(ctx.db, profiles, isExpected, refusal),
    audit(ctx, "profile.changed", { userId: user.id, details: { changed: names.join(" ") } }),
    ctx.db
      .update(profiles)
      .set({ ...own, ...changed(ctx) })
      .where(eq(profiles.userId, user.id))
      .returning(),
    changeAccount(ctx, user.id, { name, timeZone }),
    selectPendingEmail(ctx, user.id, ctx.now),
    ...days,
  ] as const);
  if (!row) throw missedWrite(undefined, "profile");
  return toProfile({ ...user, ...account }, row, pending);
}
