import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../../http/address-schemas.ts";
import { doc, named, Timestamp } from "../../../http/schemas.ts";

export const EmailChange = z
  .object({ email: doc(EmailAddress, "New email address.", "ada@example.org") })
  .openapi("EmailChange", { example: { email: "ada@example.org", currentPassword: "correct horse battery staple" } });

export const PendingEmail = named("PendingEmail", () => ({
  email: doc(z.string(), "Address the token was sent to.", "ada@example.org"),
  expiresAt: doc(Timestamp, "When the token expires."),
}));

export const EmailToken = z
  .object({ token: doc(z.string().min(1).max(200), "Token from the confirmation email.") })
  .openapi("EmailToken", { example: { token: "q8V…1w" } });

export const ConfirmedEmail = named("ConfirmedEmail", () => ({
  email: doc(z.string(), "Email address of the account.", "ada@example.org"),
  emailVerified: doc(z.literal(true), "Always true.", true),
}));
