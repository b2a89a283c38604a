import { and, count, eq, gt } from "drizzle-orm";
import { type Context, signedInSession } from "../../../context.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { countActiveApiKeys } from "../../api-keys/service.ts";
import { selectLogins, toLogin } from "../../audit/history.ts";
import { reauthenticatedUntil } from "../reauthentication.ts";
import { backupCodesLeft } from "../two-factor/service.ts";

const LOGINS_SHOWN = 5;

export async function securityOverview(ctx: Context) {
  const { user, session } = signedInSession(ctx);
  const [[account], [active], [keys], logins] = await ctx.db.batch([
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
    countActiveApiKeys(ctx, user.id),
    selectLogins(ctx, user.id, LOGINS_SHOWN),
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
    sessions: active?.count ?? 0,
    apiKeys: keys?.count ?? 0,
    provedUntil: reauthenticatedUntil(session).toISOString(),
    recentLogins: logins.map(toLogin),
  };
}
