import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../../http/address-schemas.ts";
import { doc, named, TotpCode } from "../../../http/schemas.ts";
import { CurrentPassword } from "../password/schemas.ts";
import { SignedIn } from "../sessions/schemas.ts";

/** An unusable one is ignored: the device then counts as unknown. */
const deviceToken = doc(
  z.string().max(200).optional(),
  "The device token of an earlier sign-in on this device, if there is one.",
);

export const Credentials = z
  .object({ email: doc(EmailAddress, "Email address of the account."), password: CurrentPassword, deviceToken })
  .openapi("Credentials", { example: { email: "ada@example.com", password: "correct horse battery staple" } });

export const TwoFactorChallenge = named("TwoFactorChallenge", () => ({
  twoFactorRequired: doc(z.literal(true), "Always true: the password was right, a second factor is needed.", true),
  challengeToken: doc(z.string(), "Token to send to `/api/auth/login/2fa` with the second factor.", "b0n…Zk"),
  expiresIn: doc(z.int(), "Lifetime of the challenge, in seconds.", 300),
}));

export const LoginAnswer = z.union([SignedIn, TwoFactorChallenge]).openapi("LoginAnswer");

export const SecondFactor = z
  .object({
    challengeToken: doc(z.string().min(1).max(200), "Token from the response of the sign-in."),
    code: TotpCode.optional(),
    backupCode: doc(z.string().min(1).max(100).optional(), "An unused backup code, instead of `code`."),
    deviceToken,
  })
  .refine(({ code, backupCode }) => (code === undefined) !== (backupCode === undefined), {
    message: "send either code or backupCode",
    path: ["code"],
  })
  .openapi("SecondFactor", { example: { challengeToken: "b0n…Zk", code: "287082" } });
