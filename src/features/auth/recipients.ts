import { sql } from "drizzle-orm";
import type { Account, Context } from "../../context.ts";
import { users } from "../../db/schema/auth.ts";
import { AppError } from "../../lib/errors.ts";
import type { Recipient } from "../notifications/service.ts";
import { signedInUser } from "./account.ts";

/** Whom to tell, by the numbers of their accounts; accounts that are gone are left out. */
export async function recipientsOf(ctx: Context, userIds: readonly number[]): Promise<Recipient[]> {
  return ctx.db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(sql`${users.id} IN (SELECT value FROM json_each(${JSON.stringify(userIds)}))`);
}

/** The owner whose session asks; for what only the owner may decide, and no API key. */
export function signedInOwner(ctx: Context): Account {
  const user = signedInUser(ctx);
  if (user.role !== "owner") throw new AppError("forbidden", "Only the owner may do this.");
  return user;
}
