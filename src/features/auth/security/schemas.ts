import { z } from "@hono/zod-openapi";
import { Id, listOf, Timestamp } from "../../../http/schemas.ts";
import { NewPassword } from "../login/schemas.ts";

const Ip = z.string().openapi({ example: "203.0.113.7" });
const UserAgent = z.string().nullable().openapi({ example: "Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0" });

const Login = z
  .object({
    id: Id,
    result: z.enum(["succeeded", "failed"]).openapi({ example: "succeeded" }),
    method: z.string().openapi({
      example: "password",
      description: "`password`, `totp`, `backup_code`, or `second_factor` when that was what failed.",
    }),
    ip: Ip,
    userAgent: UserAgent,
    at: Timestamp,
  })
  .openapi("LoginRecord");
export const LoginHistory = listOf(Login, "LoginHistory");

export const SecurityOverview = z
  .object({
    email: z.string().openapi({ example: "ada@example.com" }),
    emailVerified: z.boolean().openapi({ example: true }),
    passwordChangedAt: Timestamp,
    twoFactor: z.object({
      enabled: z.boolean().openapi({ example: true }),
      enabledAt: Timestamp.nullable(),
      backupCodesLeft: z.int().openapi({ example: 10 }),
    }),
    sessions: z.int().openapi({ example: 2, description: "How many work now, this one included." }),
    apiKeys: z.int().openapi({ example: 1, description: "How many work now." }),
    provedUntil: Timestamp.openapi({ description: "Until then this session need not prove its person again." }),
    recentLogins: z.array(Login).openapi({ description: "The last five, with those that failed." }),
  })
  .openapi("SecurityOverview");

export const PasswordChange = z
  .object({
    currentPassword: z.string().min(1).max(1024).openapi({ example: "correct horse battery staple" }),
    newPassword: NewPassword.openapi({ example: "a brand new passphrase" }),
    revokeOthers: z
      .boolean()
      .default(true)
      .openapi({ default: true, example: true, description: "Ends every other session of the account." }),
  })
  .openapi("PasswordChange");

export const SessionsEnded = z
  .object({ sessionsEnded: z.int().openapi({ example: 2, description: "How many other sessions were ended." }) })
  .openapi("SessionsEnded");

export const TwoFactorState = z
  .object({
    enabled: z.boolean().openapi({ example: false }),
    enabledAt: Timestamp.nullable(),
    setupStarted: z
      .boolean()
      .openapi({ example: true, description: "A secret was made and waits for its first code." }),
    backupCodesLeft: z.int().openapi({ example: 0 }),
  })
  .openapi("TwoFactorState");

const ONCE = "Shown once; null in a replay.";
export const TwoFactorSetup = z
  .object({
    secret: z.string().nullable().openapi({ example: "JBSWY3DPEHPK3PXP", description: ONCE }),
    otpauthUri: z
      .string()
      .nullable()
      .openapi({ example: "otpauth://totp/Personal%20Operations%20Assistant:ada%40example.com?secret=…" }),
    qr: z
      .string()
      .nullable()
      .openapi({ example: '<svg xmlns="http://www.w3.org/2000/svg" …', description: "The address as an SVG picture." }),
  })
  .openapi("TwoFactorSetup");

export const TwoFactorCode = z
  .object({
    code: z
      .string()
      .regex(/^\d{6}$/, "must be 6 digits")
      .openapi({ example: "287082", description: "The first code the app shows." }),
  })
  .openapi("TwoFactorCode");

const backupCodes = z
  .array(z.string())
  .nullable()
  .openapi({ example: ["J5XW-6YTB-MFRG-GZDF-N5ZG-K2LT"], description: `Each works once. ${ONCE}` });
export const TwoFactorEnabled = z
  .object({ enabled: z.literal(true).openapi({ example: true }), backupCodes })
  .openapi("TwoFactorEnabled");
export const BackupCodes = z.object({ backupCodes }).openapi("BackupCodes");

export const SessionList = listOf(
  z
    .object({
      id: z.string().openapi({ example: "Yk3vJ0m7T1uVq2hN5b8xcQ" }),
      current: z.boolean().openapi({ example: true, description: "Whether it is the one that asks." }),
      ip: Ip,
      userAgent: UserAgent,
      createdAt: Timestamp,
      lastSeenAt: Timestamp,
      expiresAt: Timestamp,
    })
    .openapi("SessionRecord"),
  "SessionList",
);
export const SessionParams = z.object({
  id: z.string().min(1).max(100).openapi({ example: "Yk3vJ0m7T1uVq2hN5b8xcQ" }),
});

export const AuditLog = listOf(
  z
    .object({
      id: Id,
      action: z.string().openapi({ example: "api_key.created" }),
      actor: z.string().openapi({ example: "user:1" }),
      ip: Ip,
      userAgent: UserAgent,
      details: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
        .openapi({ example: { keyId: 3 } }),
      at: Timestamp,
    })
    .openapi("AuditEntry"),
  "AuditLog",
);
