import { z } from "@hono/zod-openapi";
import { EmailAddress } from "../../../http/address-schemas.ts";
import { doc, named } from "../../../http/schemas.ts";
import { PROVIDERS } from "../../../lib/ai-kinds.ts";
import { NewPassword } from "../password/schemas.ts";

/** One line, because it is used in email headers. */
export const PersonName = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), "must not contain line breaks or control characters")
  .openapi({ description: "Full name." });

export const Registration = named(
  "Registration",
  () => ({
    email: doc(EmailAddress, "Email address, used to sign in."),
    password: NewPassword,
    name: PersonName,
    setupToken: doc(
      z.string().max(1024).optional(),
      "The secret `SETUP_TOKEN` of the service. Needed in production to register the first account, or the address in " +
        "`OWNER_EMAIL`.",
    ),
  }),
  { example: { email: "mary@example.com", password: "correct horse battery staple", name: "Mary Somerville" } },
);
export type Registration = z.infer<typeof Registration>;

export const Entry = named("Entry", () => ({
  accessMode: doc(
    z.enum(["open", "private"]),
    "`open`: anyone who reaches the service may read and change its data. `private`: only people who sign in.",
    "private",
  ),
  registrationOpen: doc(
    z.boolean(),
    "Whether a new account can be created now. The address in `OWNER_EMAIL` can register in any case.",
    true,
  ),
  firstAccount: doc(z.boolean(), "Whether no account exists yet. The first account owns the service.", false),
  setupTokenRequired: doc(z.boolean(), "Whether the next registration needs `setupToken`.", false),
  aiProvider: doc(
    z.enum(PROVIDERS).nullable(),
    "The provider that AI sends texts to, so that the first account can switch it off; null if there is none, or if an " +
      "account exists.",
    null,
  ),
}));
export type Entry = z.infer<typeof Entry>;
