import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../../http/address-schemas.ts";
import { doc, named } from "../../../http/schemas.ts";
import { countCharacters } from "../../../lib/text.ts";

export const NewPassword = z
  .string()
  .refine((text) => countCharacters(text) >= 8, "must have at least 8 characters")
  .refine((text) => countCharacters(text) <= 256, "must have at most 256 characters")
  .openapi({
    minLength: 8,
    maxLength: 256,
    description: "New password: 8 to 256 characters of any kind. Common passwords are refused.",
  });

/** Any text that is short enough to hash: rules for new passwords may be stricter than they once were. */
export const CurrentPassword = doc(z.string().min(1).max(1024), "Current password of the account.");

export const PasswordChange = named(
  "PasswordChange",
  () => ({
    currentPassword: CurrentPassword,
    newPassword: NewPassword,
    revokeOthers: doc(z.boolean().default(true), "Whether to end all other sessions. Default: true."),
  }),
  {
    example: {
      currentPassword: "correct horse battery staple",
      newPassword: "a brand new passphrase",
      revokeOthers: true,
    },
  },
);
export type PasswordChange = z.output<typeof PasswordChange>;

export const PasswordForgotten = z
  .object({ email: doc(EmailAddress, "Email address of the account.") })
  .openapi("PasswordForgotten", { example: { email: "ada@example.com" } });

export const RESET_REQUESTED = "If an account with this email exists, we sent it a link to reset the password.";
export const Accepted = named("Accepted", () => ({
  message: doc(z.string(), "Message for the user.", RESET_REQUESTED),
}));

export const PasswordReset = z
  .object({ token: doc(z.string().min(1).max(200), "Token from the reset email."), password: NewPassword })
  .openapi("PasswordReset", { example: { token: "q8V…1w", password: "a brand new passphrase" } });
