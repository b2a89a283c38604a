import { asc, eq, type SQL, sql } from "drizzle-orm";
import type { Context, Role } from "../../context.ts";
import { isOneOf } from "../../db/bulk.ts";
import { profiles } from "../../db/schema/profile.ts";
import { users } from "../../db/schema/users.ts";
import { habitsFrom, type TimeReading } from "../../lib/date-habits.ts";
import { mailerOf } from "../../providers/mail.ts";

/** An address, and how its person reads times. */
const recipient = {
  id: users.id,
  name: users.name,
  email: users.email,
  timeZone: users.timeZone,
  timeFormat: profiles.timeFormat,
  locale: profiles.locale,
};

function selectRecipients({ db }: Context) {
  return db.select(recipient).from(users).innerJoin(profiles, eq(profiles.userId, users.id));
}

/**
 * Anyone can register an address that is not theirs, so the address of `OWNER_EMAIL` must be verified before it gives
 * ownership. Without outgoing email, or in local development, it could not be verified.
 */
function mustVerifyOwner({ config }: Context): boolean {
  return mailerOf(config) !== null && !config.ALLOW_PRIVATE_HOSTS;
}

/** While `OWNER_EMAIL` is set it decides, so that setting it later takes effect immediately. */
export function roleOf(ctx: Context, row: { email: string; role: Role; emailVerifiedAt: Date | null }): Role {
  const { OWNER_EMAIL } = ctx.config;
  if (OWNER_EMAIL === undefined) return row.role;
  const isVerified = row.emailVerifiedAt !== null || !mustVerifyOwner(ctx);
  return row.email === OWNER_EMAIL && isVerified ? "owner" : "member";
}

/** `roleOf`, as a condition on the accounts. */
function isOwner(ctx: Context): SQL {
  const { OWNER_EMAIL } = ctx.config;
  if (OWNER_EMAIL === undefined) return sql`role = 'owner'`;
  const isVerified = mustVerifyOwner(ctx) ? sql`email_verified_at IS NOT NULL` : sql`1`;
  return sql`email = ${OWNER_EMAIL} AND ${isVerified}`;
}

/** Recipients of notifications about the whole service. */
export function listOwners(ctx: Context) {
  return selectRecipients(ctx).where(isOwner(ctx)).orderBy(asc(users.id));
}

/** The id of the owner as an SQL expression; NULL if there is none. */
export function ownerId(ctx: Context): SQL {
  return sql`(SELECT id FROM users WHERE ${isOwner(ctx)} ORDER BY id LIMIT 1)`;
}

/** Ids without an account are left out. */
export function listPeople(ctx: Context, ids: readonly number[]) {
  return selectRecipients(ctx).where(isOneOf(users.id, ids));
}

/** More accounts than a service that people share has. */
const MOST_PEOPLE = 1000;

/** The statement that reads everyone with an account. */
export function listEveryone(ctx: Context) {
  return selectRecipients(ctx).orderBy(asc(users.id)).limit(MOST_PEOPLE);
}

/** The statement that reads the owner's time zone and habits: for what arrives without a signed-in person. */
export function selectOwnerReading(ctx: Context) {
  return ctx.db
    .select({ timeZone: users.timeZone, habits: users.habits })
    .from(users)
    .where(sql`id = ${ownerId(ctx)}`);
}

/** How the owner's words about time are read. */
export function ownerReading(owner: { timeZone: string; habits: string | null } | undefined): TimeReading {
  return { timeZone: owner?.timeZone ?? "UTC", habits: habitsFrom(owner?.habits ?? null) };
}

/** Used where nothing else is read together with it. */
export async function readOwnerReading(ctx: Context): Promise<TimeReading> {
  const [owner] = await selectOwnerReading(ctx);
  return ownerReading(owner);
}

export async function hasOwner(ctx: Context): Promise<boolean> {
  const [owner] = await ctx.db.select({ id: users.id }).from(users).where(isOwner(ctx)).limit(1);
  return owner !== undefined;
}

/** Those of these addresses that belong to an account. */
export function selectAccountAddresses(ctx: Context, addresses: readonly string[]) {
  return ctx.db.select({ email: users.email }).from(users).where(isOneOf(users.email, addresses));
}
