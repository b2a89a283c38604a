import { sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { brokeConstraint } from "../../../db/constraint.ts";
import { users } from "../../../db/schema/users.ts";
import { equalBytes, hmacSha256 } from "../../../lib/crypto.ts";
import { AppError } from "../../../lib/errors.ts";
import { getActiveModel } from "../../ai-models/active.ts";
import { audit } from "../../audit/service.ts";
import { deviceToken } from "../login/device-tokens.ts";
import { hashPassword } from "../password/hashing.ts";
import { refuseWeakPassword } from "../password/weak-passwords.ts";
import { insertSession, newSession, signedIn } from "../sessions/service.ts";
import type { Entry, Registration } from "./schemas.ts";

/** Creates an account and signs it in. The first account owns the service, unless `OWNER_EMAIL` names the owner. */
export async function register(ctx: Context, input: Registration) {
  const { email, name } = input;
  const { REGISTRATION, OWNER_EMAIL } = ctx.config;
  const isOpen = REGISTRATION === "open" || email === OWNER_EMAIL;
  const mayOwn = maySetUp(ctx, input.setupToken);
  // Checked before the costly hash, and for every address alike, so that it does not reveal who has an account.
  if (!isOpen || !mayOwn) {
    const hasAccounts = await isAnyoneRegistered(ctx);
    if (!mayOwn && (!hasAccounts || email === OWNER_EMAIL)) throw setupRefused(ctx);
    // With `OWNER_EMAIL` set, the first account is reserved for the owner.
    if (!isOpen && (hasAccounts || OWNER_EMAIL !== undefined)) throw registrationClosed();
  }
  refuseWeakPassword(input.password, { email, name });
  const password = await hashPassword(ctx, input.password);
  const userId = sql`(SELECT id FROM users WHERE email = ${email})`;
  const someone = sql`EXISTS (SELECT 1 FROM users)`;
  const session = newSession(ctx);
  try {
    const [, , [created]] = await runBatch(ctx.db, [
      // Checked in the batch: of two concurrent first accounts only one is created, and the last account may be deleted
      // meanwhile.
      assertThat(ctx.db, "registration_open", isOpen ? sql`1` : sql`NOT ${someone}`, registrationClosed),
      assertThat(ctx.db, "owner_registered", mayOwn ? sql`1` : someone, () => setupRefused(ctx)),
      ctx.db
        .insert(users)
        .values({
          email,
          name,
          ...password,
          role: sql`CASE WHEN ${someone} THEN 'member' ELSE 'owner' END`,
          createdAt: ctx.now,
        })
        .returning({ id: users.id }),
      audit(ctx, "account.registered", { userId }),
      insertSession(ctx, { ...session.row, userId }),
    ]);
    if (!created) throw new Error("the new account has no id");
    const tokens = await signedIn(ctx, session, { id: created.id, email, name });
    return { ...tokens, deviceToken: deviceToken(ctx, created.id, null) };
  } catch (error) {
    if (!brokeConstraint(error, "users.email")) throw error;
    throw new AppError("email_taken", "An account with this email exists. Sign in, or reset the password.");
  }
}

/** The registration settings, for people without an account. */
export async function describeEntry(ctx: Context): Promise<Entry> {
  const { ACCESS_MODE, REGISTRATION, OWNER_EMAIL, SETUP_TOKEN } = ctx.config;
  const firstAccount = !(await isAnyoneRegistered(ctx));
  return {
    accessMode: ACCESS_MODE,
    registrationOpen: REGISTRATION === "open" || (firstAccount && OWNER_EMAIL === undefined),
    firstAccount,
    setupTokenRequired: firstAccount && typeof SETUP_TOKEN === "string",
    aiProvider: firstAccount ? await aiProvider(ctx) : null,
  };
}

async function aiProvider(ctx: Context): Promise<Entry["aiProvider"]> {
  const { provider, available } = await getActiveModel(ctx);
  return available ? provider : null;
}

async function isAnyoneRegistered(ctx: Context): Promise<boolean> {
  const [account] = await ctx.db.select({ id: users.id }).from(users).limit(1);
  return account !== undefined;
}

function registrationClosed(): AppError {
  return new AppError("registration_closed", "Registration is closed. Ask the owner of this service for an account.");
}

/**
 * Whether a registration may make its account the owner. In production that needs the token: otherwise any stranger
 * could take over a service that was just deployed, or whose last account was deleted.
 */
function maySetUp({ config }: Context, given: string | undefined): boolean {
  const { SETUP_TOKEN, ALLOW_PRIVATE_HOSTS } = config;
  if (SETUP_TOKEN === undefined) return ALLOW_PRIVATE_HOSTS;
  if (SETUP_TOKEN === null || given === undefined) return false;
  // Digests of equal length, so that the comparison takes equally long for every wrong token.
  return equalBytes(hmacSha256("setup token", given.trim()), hmacSha256("setup token", SETUP_TOKEN));
}

/** The error for a registration that may not make its account the owner. */
function setupRefused({ config }: Context): AppError {
  if (typeof config.SETUP_TOKEN === "string") {
    const detail = "Send the secret SETUP_TOKEN of this service in `setupToken` to register its owner.";
    return new AppError("setup_token_required", detail);
  }
  const problem = config.SETUP_TOKEN === null ? "SETUP_TOKEN is too weak" : "SETUP_TOKEN is missing";
  const cure = "Set it with `wrangler secret put SETUP_TOKEN --env production`, and send it in `setupToken`.";
  return new AppError("misconfigured", `${problem}: nobody can register as the owner. ${cure}`);
}
