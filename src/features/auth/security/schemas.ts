import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";
import { LoginRecord } from "../../audit/schemas.ts";
import { TwoFactorSummary } from "../two-factor/schemas.ts";

export const SecurityOverview = named("SecurityOverview", () => ({
  email: doc(z.string(), "Email address of the account.", "ada@example.com"),
  emailVerified: doc(z.boolean(), "Whether the email address is verified.", true),
  passwordChangedAt: doc(Timestamp, "When the password was last set."),
  twoFactor: doc(TwoFactorSummary, "State of two-factor authentication."),
  sessions: doc(z.int(), "Number of active sessions, including this one.", 2),
  apiKeys: doc(z.int(), "Number of API keys that have not expired.", 1),
  provedUntil: doc(Timestamp, "No reauthentication is needed until then."),
  recentLogins: doc(z.array(LoginRecord), "The last five sign-in attempts, newest first."),
}));
