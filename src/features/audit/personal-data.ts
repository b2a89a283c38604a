import { and, eq } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { type PersonalData, tablePages } from "../../db/personal-data.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { toEntry, toLogin } from "./history.ts";

const isOwn = (ctx: Context) => eq(auditLog.userId, signedInUser(ctx).id);

export const personalData: readonly PersonalData[] = [
  {
    name: "loginHistory",
    pages: tablePages(auditLog, { where: (ctx) => and(isOwn(ctx), IS_LOGIN), map: toLogin }),
    archive: { within: "auditLog" },
  },
  {
    name: "auditLog",
    pages: tablePages(auditLog, { where: isOwn, map: toEntry }),
    archive: {
      table: auditLog,
      where: isOwn,
      notImported: "It says what happened in the service that it is from. Another service begins its own.",
    },
  },
];
