import { asc, inArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { users } from "../../db/schema/auth.ts";

const recipient = { id: users.id, name: users.name, email: users.email };

/** True of the accounts that own the service; `OWNER_EMAIL` decides while it is set. */
function isOwner({ config: { OWNER_EMAIL } }: Context): SQL {
  return OWNER_EMAIL === undefined ? sql`role = 'owner'` : sql`email = ${OWNER_EMAIL}`;
}

/** Those to be told of what concerns the whole service. */
export function listOwners(ctx: Context) {
  return ctx.db.select(recipient).from(users).where(isOwner(ctx)).orderBy(asc(users.id));
}

/** The number of the owner, to be put into a statement; NULL while there is none. */
export function ownerId(ctx: Context): SQL {
  return sql`(SELECT id FROM users WHERE ${isOwner(ctx)} ORDER BY id LIMIT 1)`;
}

/** Those of these numbers that have an account, and the zone each lives by. */
export function listPeople(ctx: Context, ids: readonly number[]) {
  return ctx.db
    .select({ ...recipient, timeZone: users.timeZone })
    .from(users)
    .where(inArray(users.id, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`));
}
