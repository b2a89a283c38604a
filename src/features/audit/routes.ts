import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { listAuditLog, listLogins } from "./history.ts";
import { AuditLog, LoginHistory } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/security/login-history", {
  operationId: "listLogins",
  summary: "List sign-in attempts",
  description:
    "Returns successful and failed sign-ins to your account, newest first. Failed ones are kept for 90 days.",
  guard: user,
  query: PageQuery,
  returns: { 200: LoginHistory },
  handle: ({ ctx, query }) => listLogins(ctx, query),
});

routes.endpoint("get", "/api/settings/security/audit-log", {
  operationId: "listAuditLog",
  summary: "List audit log entries",
  description: "Returns the security-relevant actions on your account, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: AuditLog },
  handle: ({ ctx, query }) => listAuditLog(ctx, query),
});
