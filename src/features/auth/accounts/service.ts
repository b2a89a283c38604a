import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { hashPassword } from "../password/hashing.ts";
import { insertSession, newSession, signedIn } from "../sessions/service.ts";

/** Creates an account and signs it in. The first account owns the service, unless `OWNER_EMAIL` names the owner. */
export async function register(ctx: Context, input: { email: string; password: string; name: string }) {
  const { email, name } = input;
  const { REGISTRATION, OWNER_EMAIL } = ctx.config;
  const isOpen = REGISTRATION === "open" || email === OWNER_EMAIL;
  // Checked before the costly hash, and for every address alike, so that it does not reveal who has an account.
  if (!isOpen && (await isFirstAccountTaken(ctx))) throw registrationClosed();
  const password = await hashPassword(ctx, input.password);
  const userId = sql`(SELECT id FROM users WHERE email = ${email})`;
  const mayRegister = isOpen ? sql`1` : sql`NOT EXISTS (SELECT 1 FROM users)`;
  const role = sql`CASE WHEN EXISTS (SELECT 1 FROM users) THEN 'member' ELSE 'owner' END`;
  const session = newSession(ctx);
  try {
    const [, [created]] = await runBatch(ctx.db, [
      // Checked in the batch, so that of two concurrent first accounts only one is created.
      assertThat(ctx.db, "registration_open", mayRegister, registrationClosed),
      ctx.db
        .insert(users)
        .values({ email, name, ...password, role, createdAt: ctx.now })
        .returning({ id: users.id }),
      audit(ctx, "account.registered", { userId }),
      insertSession(ctx, { ...session.row, userId }),
    ]);
    if (!created) throw new Error("the new account has no id");
    return await signedIn(ctx, session, { id: created.id, email, name });
  } catch (error) {
    if (!brokeConstraint(error, "users.email")) throw error;
    throw new AppError("email_taken", "An account with this email exists. Sign in, or reset the password.");
  }
}

/** With `OWNER_EMAIL` set, the first account is reserved for the owner. */
async function isFirstAccountTaken(ctx: Context): Promise<boolean> {
  if (ctx.config.OWNER_EMAIL !== undefined) return true;
  const [account] = await ctx.db.select({ id: users.id }).from(users).limit(1);
  return account !== undefined;
}

function registrationClosed(): AppError {
  return new AppError("registration_closed", "Registration is closed. Ask the owner of this service for an account.");
}
