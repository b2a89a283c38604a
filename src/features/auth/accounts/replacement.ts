import { eq, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { idempotencyKeys } from "../../../db/schema/idempotency.ts";
import { users } from "../../../db/schema/users.ts";
import { randomToken } from "../../../lib/crypto.ts";
import { moveEntries } from "../../audit/service.ts";

type UserRow = typeof users.$inferSelect;

/**
 * The statements that put an empty account in the place of one that somebody else may have made: with the same id,
 * address, name, role and time zone, and the credentials of `row`. Everything else goes as when an account is deleted, by
 * the foreign keys of its tables, so that a table cannot be forgotten. Only the audit log stays, for whoever has to find
 * out what happened; meanwhile it belongs to a row of its own.
 */
export function replaceAccount({ db }: Pick<Context, "db">, row: UserRow) {
  const { id, email, name, role, timeZone, passwordHash, pepperId, passwordChangedAt, emailVerifiedAt, createdAt } =
    row;
  const own = { name, role, timeZone, passwordHash, pepperId, createdAt };
  // No address, so that nobody can sign in with it.
  const aside = `replaced ${randomToken()}`;
  const asideId = sql`(SELECT id FROM users WHERE email = ${aside})`;
  return [
    db.insert(users).values({ ...own, email: aside, role: "member" }),
    moveEntries({ db }, id, asideId),
    db.delete(idempotencyKeys).where(eq(idempotencyKeys.actor, `user:${id}`)),
    db.delete(users).where(eq(users.id, id)),
    db.insert(users).values({ ...own, id, email, passwordChangedAt, emailVerifiedAt }),
    moveEntries({ db }, asideId, id),
    db.delete(users).where(eq(users.email, aside)),
  ] as const;
}
