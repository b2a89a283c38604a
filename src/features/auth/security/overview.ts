import { and, count, desc, eq, gt, isNull, or } from "drizzle-orm";
import type { Context } from "../../../context.ts";
import { signedInSession } from "../../../context.ts";
import { apiKeys } from "../../../db/schema/api-keys.ts";
import { auditLog, IS_LOGIN } from "../../../db/schema/audit.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { toLogin } from "../../audit/history.ts";
import { provedUntil } from "../reauthentication.ts";
import { backupCodesLeft } from "../two-factor/service.ts";

const LOGINS_SHOWN = 5;

/** How safe the account is, at a glance. */
export async function securityOverview(ctx: Context) {
  const { user, session } = signedInSession(ctx);
  const [[account], [open], [keys], logins] = await ctx.db.batch([
    ctx.db
      .select({
        passwordChangedAt: users.passwordChangedAt,
        createdAt: users.createdAt,
        enabledAt: users.totpEnabledAt,
        left: backupCodesLeft(user.id).as("codes_left"),
      })
      .from(users)
      .where(eq(users.id, user.id)),
    ctx.db
      .select({ count: count() })
      .from(sessions)
      .where(and(eq(sessions.userId, user.id), gt(sessions.expiresAt, ctx.now))),
    ctx.db
      .select({ count: count() })
      .from(apiKeys)
      .where(and(eq(apiKeys.userId, user.id), or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.now)))),
    ctx.db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.userId, user.id), IS_LOGIN))
      .orderBy(desc(auditLog.id))
      .limit(LOGINS_SHOWN),
  ]);
  return {
    email: user.email,
    emailVerified: user.emailVerified,
    passwordChangedAt: (account?.passwordChangedAt ?? account?.createdAt ?? user.createdAt).toISOString(),
    twoFactor: {
      enabled: account?.enabledAt != null,
      enabledAt: account?.enabledAt?.toISOString() ?? null,
      backupCodesLeft: account?.left ?? 0,
    },
    sessions: open?.count ?? 0,
    apiKeys: keys?.count ?? 0,
    provedUntil: provedUntil(session).toISOString(),
    recentLogins: logins.map(toLogin),
  };
}
