import { z } from "@hono/zod-openapi";
import { EmailAddress, Id, Timestamp } from "../../../http/schemas.ts";
import { countCharacters } from "../../../lib/text.ts";

export const NewPassword = z
  .string()
  .refine((text) => countCharacters(text) >= 8, "must have at least 8 characters")
  .refine((text) => countCharacters(text) <= 256, "must have at most 256 characters")
  .openapi({
    minLength: 8,
    maxLength: 256,
    example: "correct horse battery staple",
    description: "8 to 256 characters of any kind.",
  });

/** What a login is checked against may be anything short enough to hash. */
const GivenPassword = z.string().min(1).max(1024).openapi({ example: "correct horse battery staple" });

/** On one line, since it goes into mail. */
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), "must not hold line breaks or control characters")
  .openapi({ example: "Ada Lovelace" });

export const Registration = z
  .object({
    email: EmailAddress,
    password: NewPassword,
    name: PersonName,
  })
  .openapi("Registration");

export const Credentials = z.object({ email: EmailAddress, password: GivenPassword }).openapi("Credentials");

export const User = z
  .object({
    id: Id,
    email: z.string().openapi({ example: "ada@example.com" }),
    name: z.string().openapi({ example: "Ada Lovelace" }),
  })
  .openapi("User");

const AccessToken = z.string().openapi({
  description: "Send as `Authorization: Bearer <token>`. Lives 15 minutes, and ends at once with its session.",
  example: "eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.…",
});
const RefreshToken = z.string().openapi({
  description: "Exchange at `/api/auth/refresh`. Changes with every exchange; the old one is then worthless.",
  example: "Yk3v…cQ.0.wX9…zA",
});

export const SignedIn = z.object({ token: AccessToken, refreshToken: RefreshToken, user: User }).openapi("SignedIn");

export const TwoFactorChallenge = z
  .object({
    twoFactorRequired: z.literal(true),
    challengeToken: z
      .string()
      .openapi({ description: "For `/api/auth/login/2fa` only; opens nothing else.", example: "b0n…Zk" }),
    expiresIn: z.int().openapi({ description: "Seconds.", example: 300 }),
  })
  .openapi("TwoFactorChallenge");

export const LoginAnswer = z.union([SignedIn, TwoFactorChallenge]).openapi("LoginAnswer");

export const SecondFactor = z
  .object({
    challengeToken: z.string().min(1).max(200).openapi({ example: "b0n…Zk" }),
    code: z
      .string()
      .regex(/^\d{6}$/, "must be 6 digits")
      .optional()
      .openapi({ example: "287082", description: "From the authenticator app." }),
    backupCode: z.string().min(1).max(100).optional().openapi({ example: "J5XW-6YTB-MFRG-GZDF-N5ZG-K2LT" }),
  })
  .refine(({ code, backupCode }) => (code === undefined) !== (backupCode === undefined), {
    message: "give either code or backupCode",
    path: ["code"],
  })
  .openapi("SecondFactor");

export const Refresh = z
  .object({ refreshToken: z.string().min(1).max(2000).openapi({ example: "Yk3v…cQ.0.wX9…zA" }) })
  .openapi("Refresh");

export const RefreshedTokens = z.object({ token: AccessToken, refreshToken: RefreshToken }).openapi("RefreshedTokens");

export const Me = z
  .object({
    user: z.object({
      ...User.shape,
      role: z.enum(["owner", "member"]).openapi({ example: "owner" }),
      emailVerified: z.boolean().openapi({ example: false }),
      twoFactorEnabled: z.boolean().openapi({ example: false }),
      createdAt: Timestamp,
    }),
    session: z.object({
      id: z.string().openapi({ example: "Yk3vJ0m7T1uVq2hN5b8xcQ" }),
      createdAt: Timestamp,
      expiresAt: Timestamp,
    }),
  })
  .openapi("Me");

export const PasswordForgotten = z.object({ email: EmailAddress }).openapi("PasswordForgotten");

export const Accepted = z
  .object({ message: z.string().openapi({ example: "If an account has this email, a message is on its way." }) })
  .openapi("Accepted");

export const PasswordReset = z
  .object({ token: z.string().min(1).max(200).openapi({ example: "q8V…1w" }), password: NewPassword })
  .openapi("PasswordReset");
