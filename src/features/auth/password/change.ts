import { and, eq, ne, sql } from "drizzle-orm";
import { type Context, signedInSession } from "../../../context.ts";
import { assertThat, runBatch } from "../../../db/assert.ts";
import { loginChallenges, sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { validationFailed } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { endFeedOf } from "../../calendar/feed/service.ts";
import { deleteConnectionsOf, deleteUnusedCodesOf } from "../../connections/service.ts";
import { sendSecurityAlert } from "../../notifications/security-alerts.ts";
import { deleteEmailTokens } from "../email-tokens.ts";
import { claimantOf, clearFailures, credentialsUnchanged } from "../login/lockout.ts";
import { credentialsChanged, requirePassword } from "../reauthentication.ts";
import { forgetProofs } from "../sessions/proofs.ts";
import { hashPassword } from "./hashing.ts";
import type { PasswordChange } from "./schemas.ts";
import { refuseWeakPassword } from "./weak-passwords.ts";

/**
 * Always needs the current password, even right after a reauthentication. Ends everything between two requests that the
 * old one has begun: sign-ins, permissions for agents, links in emails, confirmations.
 */
export async function changePassword(ctx: Context, input: PasswordChange): Promise<{ sessionsEnded: number }> {
  const { user, session } = signedInSession(ctx);
  if (input.newPassword === input.currentPassword) {
    throw validationFailed({ path: "newPassword", message: "must differ from the current password" });
  }
  refuseWeakPassword(input.newPassword, user, "newPassword");
  const row = await requirePassword(ctx, input.currentPassword);
  const password = await hashPassword(ctx, input.newPassword);
  const ends = sql`${input.revokeOthers ? 1 : 0}`;
  const [, , , ended] = await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", credentialsUnchanged(ctx, row, claimantOf(ctx)), () =>
      credentialsChanged(ctx),
    ),
    audit(ctx, "password.changed", { userId: user.id, details: { revokeOthers: input.revokeOthers } }),
    ctx.db
      .update(users)
      .set({ ...password, passwordChangedAt: ctx.now })
      .where(eq(users.id, user.id)),
    ctx.db
      .delete(sessions)
      .where(and(eq(sessions.userId, user.id), ne(sessions.id, session.id), ends))
      .returning({ id: sessions.id }),
    deleteConnectionsOf(ctx, user.id, ends),
    endFeedOf(ctx, user.id, ends),
    // Ends everything started with the old password, even if the sessions are kept.
    deleteUnusedCodesOf(ctx, user.id),
    forgetProofs(ctx, user.id, session.id),
    ctx.db.delete(loginChallenges).where(eq(loginChallenges.userId, user.id)),
    deleteEmailTokens(ctx, user.id, "reset_password", "change_email"),
    // With two-factor authentication the password is only a part of the proof, and leaves the wrong guesses counted.
    ...(row.totpEnabledAt === null ? [clearFailures(ctx, claimantOf(ctx))] : []),
  ] as const);
  const others = input.revokeOthers
    ? " Your other sessions were signed out, with the devices that they had subscribed, and all connected agents."
    : "";
  sendSecurityAlert(ctx, user, "Your password was changed", `Use the new password to sign in from now on.${others}`);
  return { sessionsEnded: ended.length };
}
