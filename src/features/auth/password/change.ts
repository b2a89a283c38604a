import { and, eq, ne, sql } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInSession } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { loginChallenges, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { alertOf } from "../../notifications/security-alerts.ts";
import { revokeMailTokens } from "../email-tokens.ts";
import { clearFailures, isStillRight } from "../login/lockout.ts";
import { requirePassword, whyNoLonger } from "../proof.ts";
import { hashPassword } from "./hashing.ts";

interface PasswordChange {
  currentPassword: string;
  newPassword: string;
  revokeOthers: boolean;
}

/** Takes the current password however lately it was proved. Sign-ins that are half done start over. */
export async function changePassword(ctx: Context, input: PasswordChange): Promise<{ sessionsEnded: number }> {
  const { user, session } = signedInSession(ctx);
  if (input.newPassword === input.currentPassword) {
    throw new AppError("validation_failed", "The new password is the current one.", {
      errors: [{ path: "newPassword", message: "must differ from the current one" }],
    });
  }
  const row = await requirePassword(ctx, input.currentPassword);
  const passwordHash = await hashPassword(ctx, input.newPassword);
  const ends = sql`${input.revokeOthers ? 1 : 0}`;
  const [, , , ended] = await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", isStillRight(row, ctx.now), () => whyNoLonger(ctx, row.email)),
    audit(ctx, "password.changed", { userId: user.id, details: { revokeOthers: input.revokeOthers } }),
    ctx.db.update(users).set({ passwordHash, passwordChangedAt: ctx.now }).where(eq(users.id, user.id)),
    ctx.db
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), ne(sessions.id, session.id), ends))
      .returning({ id: sessions.id }),
    ctx.db.delete(loginChallenges).where(eq(loginChallenges.userId, user.id)),
    revokeMailTokens(ctx, user.id, "reset_password"),
    clearFailures(ctx, row.email),
  ] as const);
  alertOf(ctx, user, "Your password was changed", "Signing in takes the new one from now on.");
  return { sessionsEnded: ended.length };
}
