import { and, eq, sql } from "drizzle-orm";
import type { Account, Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { assertExists, runBatch } from "../../db/assert.ts";
import { compiledBatch, type Given } from "../../db/compiled-query.ts";
import { profiles } from "../../db/schema/profile.ts";
import { type ExpectedVersions, missedWrite, versionIs } from "../../db/version.ts";
import { AppError } from "../../lib/errors.ts";
import type { TIME_FORMATS, WEEK_STARTS } from "../../lib/profile-kinds.ts";
import { audit } from "../audit/service.ts";
import { selectPendingEmail } from "../auth/email/service.ts";
import { changeAccount } from "../people/account.ts";

export type ProfileRow = typeof profiles.$inferSelect;

export interface ProfileChanges {
  name?: string;
  timeZone?: string;
  company?: string | null;
  phone?: string | null;
  bio?: string | null;
  locale?: string;
  weekStart?: (typeof WEEK_STARTS)[number];
  timeFormat?: (typeof TIME_FORMATS)[number];
}

export function toProfile(
  user: Account,
  row: ProfileRow,
  pending: { email: string; createdAt: Date; expiresAt: Date } | undefined,
) {
  const { company, phone, bio, locale, weekStart, timeFormat, avatar, version, updatedAt } = row;
  return {
    id: user.id,
    name: user.name,
    email: {
      address: user.email,
      verified: user.emailVerified,
      pending: pending
        ? {
            address: pending.email,
            requestedAt: pending.createdAt.toISOString(),
            expiresAt: pending.expiresAt.toISOString(),
          }
        : null,
    },
    role: user.role,
    company,
    phone,
    bio,
    timeZone: user.timeZone,
    locale,
    weekStart,
    timeFormat,
    avatar: avatar && (avatar.kind === "url" ? { kind: avatar.kind, url: avatar.url } : shownImage(avatar)),
    version,
    createdAt: user.createdAt.toISOString(),
    updatedAt: updatedAt?.toISOString() ?? null,
  };
}

function shownImage({ kind, type, bytes }: Extract<NonNullable<ProfileRow["avatar"]>, { kind: "image" }>) {
  return { kind, type, bytes };
}

export function selectProfile(ctx: Pick<Context, "db">, userId: Given) {
  return ctx.db.select().from(profiles).where(eq(profiles.userId, userId));
}

/** The account itself was read by the session check. */
export async function readProfile(ctx: Context) {
  const user = signedInUser(ctx);
  const {
    profiles: [row],
    pending,
  } = await selectWhole(ctx.db, { userId: user.id, now: ctx.now.getTime() });
  if (!row) throw missedWrite(undefined, "profile");
  return toProfile(user, row, pending[0]);
}

const selectWhole = compiledBatch((ctx) => ({
  profiles: selectProfile(ctx, sql.placeholder("userId")),
  pending: selectPendingEmail(ctx, sql.placeholder("userId"), sql.placeholder("now")),
}));

/** What every change of the profile sets beside its own. */
export function changed(ctx: Context) {
  return { version: sql`${profiles.version} + 1`, updatedAt: ctx.now };
}

/** Name and time zone stand in the account, the rest in the profile; both change or neither. */
export async function updateProfile(ctx: Context, changes: ProfileChanges, expected: ExpectedVersions) {
  const user = signedInUser(ctx);
  const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (names.length === 0) throw new AppError("nothing_to_update");
  const { name, timeZone, ...own } = changes;
  const isAsExpected = and(eq(profiles.userId, user.id), versionIs(profiles.version, expected));
  const [, , [row], [account], [pending]] = await runBatch(ctx.db, [
    assertExists(ctx.db, profiles, isAsExpected, () => whyUnchanged(ctx, user.id)),
    audit(ctx, "profile.changed", { userId: user.id, details: { changed: names.join(" ") } }),
    ctx.db
      .update(profiles)
      .set({ ...own, ...changed(ctx) })
      .where(eq(profiles.userId, user.id))
      .returning(),
    changeAccount(ctx, user.id, { name, timeZone }),
    selectPendingEmail(ctx, user.id, ctx.now),
  ] as const);
  if (!row) throw missedWrite(undefined, "profile");
  return toProfile({ ...user, ...account }, row, pending);
}

export async function whyUnchanged(ctx: Context, userId: number): Promise<AppError> {
  const [row] = await selectProfile(ctx, userId);
  return missedWrite(row, "profile");
}
