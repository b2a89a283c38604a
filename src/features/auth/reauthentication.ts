import { eq, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInSession } from "../../context.ts";
import { assertThat, runBatch } from "../../db/assert.ts";
import { sessions } from "../../db/schema/auth.ts";
import { AppError } from "../../lib/errors.ts";
import { audit } from "../audit/service.ts";
import { clearFailures, isStillRight } from "./login/lockout.ts";
import { refuseProof, requirePassword, whyNoLonger } from "./proof.ts";
import { isSecondFactor } from "./two-factor/service.ts";

const PROOF_MS = 15 * 60 * 1000;

/** Until when the session need not prove its person again. */
export function provedUntil(session: { provedAt: Date }): Date {
  return new Date(session.provedAt.getTime() + PROOF_MS);
}

/** Asks the person behind a session to prove themselves, unless they did within 15 minutes. */
export async function reauthenticate(
  ctx: Context,
  { currentPassword, code }: { currentPassword?: string; code?: string },
): Promise<void> {
  const actor = signedInSession(ctx);
  const { user, session } = actor;
  if (provedUntil(session) > ctx.now) return;
  if (currentPassword === undefined || (user.twoFactorEnabled && code === undefined)) {
    throw proofNeeded(user.twoFactorEnabled);
  }
  const row = await requirePassword(ctx, currentPassword);
  if (row.totpEnabledAt) {
    if (code === undefined) throw proofNeeded(true);
    if (!(await isSecondFactor(ctx, row, { code }))) throw await refuseProof(ctx, row);
  }
  const isCurrent = sql`${isStillRight(row, ctx.now)} AND EXISTS (SELECT 1 FROM sessions WHERE id = ${session.id})`;
  await runBatch(ctx.db, [
    assertThat(ctx.db, "credentials_unchanged", isCurrent, () => whyNoLonger(ctx, row.email)),
    audit(ctx, "session.proved", { userId: user.id }),
    ctx.db.update(sessions).set({ provedAt: ctx.now }).where(eq(sessions.id, session.id)),
    clearFailures(ctx, row.email),
  ]);
  ctx.actor = { ...actor, session: { ...session, provedAt: ctx.now } };
}

function proofNeeded(withCode: boolean): AppError {
  const needs = ["currentPassword", ...(withCode ? ["code"] : [])];
  return new AppError("reauthentication_required", `Send ${needs.join(" and ")} in the body.`, { details: { needs } });
}
