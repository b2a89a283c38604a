import { and, eq } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInSession, signedInUser } from "../../context.ts";
import { type KeptData, onePage, walk } from "../../db/personal-data.ts";
import { apiKeys } from "../../db/schema/api-keys.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { sessions } from "../../db/schema/auth.ts";
import { toApiKey } from "../api-keys/service.ts";
import { toEntry, toLogin } from "../audit/history.ts";
import { selectLiveToken } from "./email-tokens.ts";
import { toSession } from "./sessions/list.ts";

const account: KeptData = {
  name: "account",
  pages(ctx) {
    const { createdAt, ...user } = signedInUser(ctx);
    const pending = selectLiveToken(ctx, user.id, "change_email", ctx.now);
    return onePage(
      pending.then(([found]) => [{ ...user, pendingEmail: found?.email ?? null, createdAt: createdAt.toISOString() }]),
    );
  },
};

const openSessions: KeptData = {
  name: "sessions",
  async *pages(ctx) {
    const { user, session } = signedInSession(ctx);
    const pages = walk<typeof sessions.$inferSelect>(
      sessions.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(sessions).where(where).orderBy(order).limit(limit),
      { where: eq(sessions.userId, user.id) },
    );
    for await (const rows of pages) yield rows.map((row) => toSession(row, session.id));
  },
};

const keys: KeptData = {
  name: "apiKeys",
  async *pages(ctx) {
    const pages = walk<typeof apiKeys.$inferSelect>(
      apiKeys.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(apiKeys).where(where).orderBy(order).limit(limit),
      { where: eq(apiKeys.userId, signedInUser(ctx).id) },
    );
    for await (const rows of pages) yield rows.map(toApiKey);
  },
};

type AuditRow = typeof auditLog.$inferSelect;

function auditPages(ctx: Context, isLogin: boolean): AsyncGenerator<AuditRow[]> {
  return walk<AuditRow>(
    auditLog.id,
    ({ id }) => id,
    (where, order, limit) => ctx.db.select().from(auditLog).where(where).orderBy(order).limit(limit),
    { where: and(eq(auditLog.userId, signedInUser(ctx).id), isLogin ? IS_LOGIN : undefined) },
  );
}

const logins: KeptData = {
  name: "loginHistory",
  async *pages(ctx) {
    for await (const rows of auditPages(ctx, true)) yield rows.map(toLogin);
  },
};

const acts: KeptData = {
  name: "auditLog",
  async *pages(ctx) {
    for await (const rows of auditPages(ctx, false)) yield rows.map(toEntry);
  },
};

export const keptIdentity: readonly KeptData[] = [account, openSessions, keys, logins, acts];
