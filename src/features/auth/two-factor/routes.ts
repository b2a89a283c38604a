import { user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { BackupCodes, TwoFactorCode, TwoFactorEnabled, TwoFactorSetup, TwoFactorState } from "./schemas.ts";
import { disableTwoFactor, enableTwoFactor, replaceBackupCodes, setUpTwoFactor, twoFactorState } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/security/2fa", {
  operationId: "getTwoFactor",
  summary: "Get two-factor status",
  description: "Returns whether two-factor authentication is on and how many backup codes are left.",
  guard: user,
  returns: { 200: TwoFactorState },
  handle: ({ ctx }) => twoFactorState(ctx),
});

routes.endpoint("post", "/api/settings/security/2fa/setup", {
  operationId: "setUpTwoFactor",
  summary: "Set up two-factor authentication",
  description:
    "Returns a new secret for an authenticator app. Two-factor authentication stays off until you send a code of " +
    "the app to `/api/settings/security/2fa/verify`.",
  guard: user,
  reauth: "recent",
  returns: { 200: TwoFactorSetup },
  errors: ["two_factor_already_enabled"],
  idempotent: { secrets: ["secret", "otpauthUri", "qr"] },
  handle: ({ ctx }) => setUpTwoFactor(ctx),
});

routes.endpoint("post", "/api/settings/security/2fa/verify", {
  operationId: "enableTwoFactor",
  summary: "Turn on two-factor authentication",
  description:
    "Needs a code of the authenticator app. Returns ten backup codes, which are shown only once. Wrong codes count " +
    "towards the lock, as at sign-in.",
  guard: user,
  rateLimit: "auth",
  body: TwoFactorCode,
  returns: { 200: TwoFactorEnabled },
  errors: ["wrong_code", "account_locked", "two_factor_already_enabled", "two_factor_not_enabled"],
  idempotent: { secrets: ["backupCodes"] },
  handle: async ({ ctx, body }) => ({ enabled: true as const, ...(await enableTwoFactor(ctx, body.code)) }),
});

routes.endpoint("post", "/api/settings/security/2fa/disable", {
  operationId: "disableTwoFactor",
  summary: "Turn off two-factor authentication",
  description: "Deletes the secret and the backup codes. Signing in then needs only the password.",
  guard: user,
  reauth: "recent",
  returns: { 204: null },
  errors: ["two_factor_not_enabled"],
  handle: ({ ctx }) => disableTwoFactor(ctx),
});

routes.endpoint("post", "/api/settings/security/2fa/backup-codes", {
  operationId: "replaceBackupCodes",
  summary: "Replace backup codes",
  description: "Returns ten new backup codes. The previous codes stop working.",
  guard: user,
  reauth: "recent",
  returns: { 200: BackupCodes },
  errors: ["two_factor_not_enabled"],
  idempotent: { secrets: ["backupCodes"] },
  handle: ({ ctx }) => replaceBackupCodes(ctx),
});
