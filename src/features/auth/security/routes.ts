import { contextOf } from "../../../http/app-env.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { listAuditLog, listLogins } from "../../audit/history.ts";
import { changePassword } from "../password/change.ts";
import { endOtherSessions, endSession, listSessions } from "../sessions/list.ts";
import {
  disableTwoFactor,
  enableTwoFactor,
  replaceBackupCodes,
  setUpTwoFactor,
  twoFactorState,
} from "../two-factor/service.ts";
import { securityOverview } from "./overview.ts";
import {
  AuditLog,
  BackupCodes,
  LoginHistory,
  PasswordChange,
  SecurityOverview,
  SessionList,
  SessionParams,
  SessionsEnded,
  TwoFactorCode,
  TwoFactorEnabled,
  TwoFactorSetup,
  TwoFactorState,
} from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/security", {
    operationId: "getSecurity",
    summary: "How safe the account is",
    description: "Password, two-factor, sessions and keys at a glance.",
    guard: user,
    returns: { 200: SecurityOverview },
  }),
  async (c) => c.json(await securityOverview(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/settings/security/password", {
    operationId: "changePassword",
    summary: "Change the password",
    description: "Takes the current one, however lately it was proved; wrong guesses count towards the lock.",
    guard: user,
    rateLimit: "auth",
    body: PasswordChange,
    returns: { 200: SessionsEnded },
    errors: ["reauthentication_required", "account_locked"],
  }),
  async (c) => c.json(await changePassword(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("get", "/api/settings/security/2fa", {
    operationId: "getTwoFactor",
    summary: "Whether two-factor authentication is on",
    guard: user,
    returns: { 200: TwoFactorState },
  }),
  async (c) => c.json(await twoFactorState(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/settings/security/2fa/setup", {
    operationId: "setUpTwoFactor",
    summary: "Begin to set up two-factor authentication",
    description: "A new secret for an authenticator app. Nothing is asked at sign-in until a code of it was verified.",
    guard: user,
    reauth: true,
    returns: { 200: TwoFactorSetup },
    errors: ["two_factor_already_enabled"],
    idempotent: { secrets: ["secret", "otpauthUri", "qr"] },
  }),
  async (c) => c.json(await setUpTwoFactor(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/settings/security/2fa/verify", {
    operationId: "enableTwoFactor",
    summary: "Turn two-factor authentication on",
    description: "Takes a code of the app, and gives ten backup codes, this once.",
    guard: user,
    rateLimit: "auth",
    body: TwoFactorCode,
    returns: { 200: TwoFactorEnabled },
    errors: ["invalid_code", "two_factor_already_enabled", "two_factor_not_enabled"],
    idempotent: { secrets: ["backupCodes"] },
  }),
  async (c) =>
    c.json({ enabled: true as const, ...(await enableTwoFactor(contextOf(c), c.req.valid("json").code)) }, 200),
);

routes.openapi(
  route("post", "/api/settings/security/2fa/disable", {
    operationId: "disableTwoFactor",
    summary: "Turn two-factor authentication off",
    guard: user,
    reauth: true,
    returns: { 204: null },
    errors: ["two_factor_not_enabled"],
  }),
  async (c) => noContent(c, await disableTwoFactor(contextOf(c))),
);

routes.openapi(
  route("post", "/api/settings/security/2fa/backup-codes", {
    operationId: "replaceBackupCodes",
    summary: "Make new backup codes",
    description: "The old ones stop working.",
    guard: user,
    reauth: true,
    returns: { 200: BackupCodes },
    errors: ["two_factor_not_enabled"],
    idempotent: { secrets: ["backupCodes"] },
  }),
  async (c) => c.json(await replaceBackupCodes(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/security/sessions", {
    operationId: "listSessions",
    summary: "Where you are signed in",
    guard: user,
    query: PageQuery,
    returns: { 200: SessionList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listSessions(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("delete", "/api/settings/security/sessions", {
    operationId: "endOtherSessions",
    summary: "Sign out everywhere else",
    guard: user,
    returns: { 200: SessionsEnded },
  }),
  async (c) => c.json(await endOtherSessions(contextOf(c)), 200),
);

routes.openapi(
  route("delete", "/api/settings/security/sessions/{id}", {
    operationId: "endSession",
    summary: "End a session",
    description: "Its tokens stop working at once.",
    guard: user,
    params: SessionParams,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await endSession(contextOf(c), c.req.valid("param").id)),
);

routes.openapi(
  route("get", "/api/settings/security/login-history", {
    operationId: "listLogins",
    summary: "Who came in, and who tried to",
    guard: user,
    query: PageQuery,
    returns: { 200: LoginHistory },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listLogins(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/settings/security/audit-log", {
    operationId: "listAuditLog",
    summary: "What was done with the account",
    guard: user,
    query: PageQuery,
    returns: { 200: AuditLog },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listAuditLog(contextOf(c), c.req.valid("query")), 200),
);
