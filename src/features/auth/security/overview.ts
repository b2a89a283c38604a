import { and, count, eq, gt } from "drizzle-orm";
import { type Context, signedInSession } from "../../../context.ts";
import { sessions } from "../../../db/schema/auth.ts";
import { users } from "../../../db/schema/users.ts";
import { countActiveApiKeys } from "../../api-keys/service.ts";
import { selectLogins, toLogin } from "../../audit/history.ts";
import { selectFeed } from "../../calendar/feed/service.ts";
import { countConnections } from "../../connections/service.ts";
import { countDevices } from "../../notifications/channels/push/devices.ts";
import { countEndpoints } from "../../webhooks/endpoints.ts";
import { reauthenticatedUntil } from "../sessions/proofs.ts";
import { backupCodesLeft } from "../two-factor/service.ts";

const LOGINS_SHOWN = 5;

export function provedUntil(ctx: Context): string | null {
  return reauthenticatedUntil(signedInSession(ctx).session)?.toISOString() ?? null;
}

export async function securityOverview(ctx: Context) {
  const { user } = signedInSession(ctx);
  const [[account], [active], [keys], [agents], [webhooks], [devices], logins, [feed]] = await ctx.db.batch([
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
    countConnections(ctx, user.id),
    countEndpoints(ctx, user.id),
    countDevices(ctx, user.id),
    selectLogins(ctx, user.id, LOGINS_SHOWN),
    selectFeed(ctx),
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
    connections: agents?.count ?? 0,
    webhooks: webhooks?.count ?? 0,
    pushDevices: devices?.count ?? 0,
    calendarLink: feed?.createdAt
      ? { createdAt: feed.createdAt.toISOString(), isYours: feed.userId === user.id }
      : null,
    provedUntil: provedUntil(ctx),
    recentLogins: logins.map(toLogin),
  };
}
