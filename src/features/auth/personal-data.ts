import { and, eq } from "drizzle-orm";
import { signedInSession, signedInUser } from "../../context.ts";
import { onePage, type PersonalDataSection, tablePages } from "../../db/personal-data.ts";
import { apiKeys } from "../../db/schema/api-keys.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { sessions } from "../../db/schema/auth.ts";
import { toApiKey } from "../api-keys/service.ts";
import { toEntry, toLogin } from "../audit/history.ts";
import { selectLiveToken } from "./email-tokens.ts";
import { toSession } from "./sessions/list.ts";

export const identitySections: readonly PersonalDataSection[] = [
  {
    name: "account",
    pages: onePage(async (ctx) => {
      const { createdAt, ...user } = signedInUser(ctx);
      const [pending] = await selectLiveToken(ctx, user.id, "change_email", ctx.now);
      return [{ ...user, pendingEmail: pending?.email ?? null, createdAt: createdAt.toISOString() }];
    }),
  },
  {
    name: "sessions",
    pages: tablePages(sessions, {
      where: (ctx) => eq(sessions.userId, signedInUser(ctx).id),
      map: (row, ctx) => toSession(row, signedInSession(ctx).session.id),
    }),
  },
  {
    name: "apiKeys",
    pages: tablePages(apiKeys, { where: (ctx) => eq(apiKeys.userId, signedInUser(ctx).id), map: toApiKey }),
  },
  {
    name: "loginHistory",
    pages: tablePages(auditLog, {
      where: (ctx) => and(eq(auditLog.userId, signedInUser(ctx).id), IS_LOGIN),
      map: toLogin,
    }),
  },
  {
    name: "auditLog",
    pages: tablePages(auditLog, { where: (ctx) => eq(auditLog.userId, signedInUser(ctx).id), map: toEntry }),
  },
];
