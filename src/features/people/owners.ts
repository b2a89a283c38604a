import { asc, type SQL, sql } from "drizzle-orm";
import type { Context, Role } from "../../context.ts";
import { anyOf } from "../../db/bulk.ts";
import { users } from "../../db/schema/users.ts";
import { mailerOf } from "../../providers/mail.ts";

const recipient = { id: users.id, name: users.name, email: users.email };

/**
 * Anybody can register an address that is not theirs. So where mail really leaves, whoever has that of `OWNER_EMAIL`
 * owns nothing before the address was proved; without mail, or on the developer's own machine, nobody could prove it.
 */
function takesProof({ config }: Context): boolean {
  return mailerOf(config) !== null && !config.ALLOW_PRIVATE_HOSTS;
}

/** `OWNER_EMAIL` decides while it is set, so that setting it later takes effect at once. */
export function roleOf(ctx: Context, row: { email: string; role: Role; emailVerifiedAt: Date | null }): Role {
  const { OWNER_EMAIL } = ctx.config;
  if (OWNER_EMAIL === undefined) return row.role;
  const isProved = row.emailVerifiedAt !== null || !takesProof(ctx);
  return row.email === OWNER_EMAIL && isProved ? "owner" : "member";
}

/** `roleOf`, as a condition on the accounts. */
function isOwner(ctx: Context): SQL {
  const { OWNER_EMAIL } = ctx.config;
  if (OWNER_EMAIL === undefined) return sql`role = 'owner'`;
  const isProved = takesProof(ctx) ? sql`email_verified_at IS NOT NULL` : sql`1`;
  return sql`email = ${OWNER_EMAIL} AND ${isProved}`;
}

/** Those to be told of what concerns the whole service. */
export function listOwners(ctx: Context) {
  return ctx.db.select(recipient).from(users).where(isOwner(ctx)).orderBy(asc(users.id));
}

/** The number of the owner, to be put into a statement; NULL while there is none. */
export function ownerId(ctx: Context): SQL {
  return sql`(SELECT id FROM users WHERE ${isOwner(ctx)} ORDER BY id LIMIT 1)`;
}

/** Those of these numbers that have an account: how to reach them, and the zone each lives by. */
export function listPeople(ctx: Context, ids: readonly number[]) {
  return ctx.db
    .select({ ...recipient, timeZone: users.timeZone })
    .from(users)
    .where(sql`${users.id} IN ${anyOf(ids)}`);
}

/** The zone the owner lives by: that of whatever reaches the service without anybody signing in. */
export async function ownerTimeZone(ctx: Context): Promise<string> {
  const [owner] = await ctx.db
    .select({ timeZone: users.timeZone })
    .from(users)
    .where(sql`id = ${ownerId(ctx)}`);
  return owner?.timeZone ?? "UTC";
}
