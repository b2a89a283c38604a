import { eq, type SQL, sql } from "drizzle-orm";
import type { Account, Context } from "../../context.ts";
import { users } from "../../db/schema/users.ts";
import { roleOf } from "./owners.ts";

/** The columns of an `Account`. */
export const accountColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  role: users.role,
  emailVerifiedAt: users.emailVerifiedAt,
  totpEnabledAt: users.totpEnabledAt,
  timeZone: users.timeZone,
  habits: users.habits,
  createdAt: users.createdAt,
};

export type AccountRow = Pick<typeof users.$inferSelect, keyof typeof accountColumns>;

export function toAccount(ctx: Context, row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: roleOf(ctx, row),
    emailVerified: row.emailVerifiedAt !== null,
    twoFactorEnabled: row.totpEnabledAt !== null,
    timeZone: row.timeZone,
    habits: row.habits,
    createdAt: row.createdAt,
  };
}

export async function findAccount(ctx: Context, id: number): Promise<Account | undefined> {
  const [row] = await ctx.db.select(accountColumns).from(users).where(eq(users.id, id));
  return row && toAccount(ctx, row);
}

/** The columns that can change of what an `Account` is made from. */
const FACTS = ["email", "name", "role", "time_zone", "habits", "email_verified_at", "totp_enabled_at"];

/** As one text, which is one value to compare, and to send. */
export function accountFacts(cells: Record<string, unknown>): unknown[] {
  return [JSON.stringify(FACTS.map((name) => cells[name]))];
}

/** Holds for the row `u` of an account that still has these facts. */
export const HAS_FACTS = `EXISTS (SELECT 1 FROM (SELECT ? AS facts) WHERE ${FACTS.map(
  (name, index) => `u.${name} IS facts ->> ${index}`,
).join(" AND ")})`;

/** Whether the service has an account at all, or one from before a time. */
export function anyAccount({ before }: { before?: Date } = {}): SQL {
  return before
    ? sql`EXISTS (SELECT 1 FROM users WHERE created_at < ${before.getTime()})`
    : sql`EXISTS (SELECT 1 FROM users)`;
}

/** False once the account is deleted, also by a request that runs at the same time. */
export function accountExists(userId: number): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE id = ${userId})`;
}

/** Whether an address is that of an account other than this one. */
export function isAddressOfOther(address: string, userId: number): SQL {
  return sql`EXISTS (SELECT 1 FROM users WHERE email = ${address.toLowerCase()} AND id <> ${userId})`;
}

const MOST_ADDRESSES = 1000;

/** The address of an account, or of every one. For a batch. */
export function selectAddresses(ctx: Context, userId?: number) {
  return ctx.db
    .select({ email: users.email })
    .from(users)
    .where(userId === undefined ? undefined : eq(users.id, userId))
    .limit(MOST_ADDRESSES);
}

export function changeAccount(ctx: Context, userId: number, { name, timeZone }: { name?: string; timeZone?: string }) {
  const set = { name: name ?? sql`${users.name}`, timeZone: timeZone ?? sql`${users.timeZone}` };
  return ctx.db
    .update(users)
    .set(set)
    .where(eq(users.id, userId))
    .returning({ name: users.name, timeZone: users.timeZone });
}
