import { and, eq } from "drizzle-orm";
import { type Context, signedInUser } from "../../context.ts";
import { type PersonalData, tablePages } from "../../db/personal-data.ts";
import { auditLog, IS_LOGIN } from "../../db/schema/audit.ts";
import { toEntry, toLogin } from "./history.ts";

const isOwn = (ctx: Context) => eq(auditLog.userId, signedInUser(ctx).id);

export const personalData: readonly PersonalData[] = [
  { name: "loginHistory", pages: tablePages(auditLog, { where: (ctx) => and(isOwn(ctx), IS_LOGIN), map: toLogin }) },
  { name: "auditLog", pages: tablePages(auditLog, { where: isOwn, map: toEntry }) },
];
