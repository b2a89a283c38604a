import { and, eq, type SQL } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { signedInUser } from "../../context.ts";
import { type PersonalData, walk } from "../../db/personal-data.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { toEntry, toLogin } from "./history.ts";

type AuditRow = typeof auditLog.$inferSelect;

function auditPages(ctx: Context, where?: SQL): AsyncGenerator<AuditRow[]> {
  return walk<AuditRow>(
    auditLog.id,
    ({ id }) => id,
    (condition, order, limit) => ctx.db.select().from(auditLog).where(condition).orderBy(order).limit(limit),
    { where: and(eq(auditLog.userId, signedInUser(ctx).id), where) },
  );
}

const logins: PersonalData = {
  name: "loginHistory",
  async *pages(ctx) {
    for await (const rows of auditPages(ctx, IS_LOGIN)) yield rows.map(toLogin);
  },
};

const entries: PersonalData = {
  name: "auditLog",
  async *pages(ctx) {
    for await (const rows of auditPages(ctx)) yield rows.map(toEntry);
  },
};

export const personalData: readonly PersonalData[] = [logins, entries];
