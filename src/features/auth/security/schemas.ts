import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";
import { LoginRecord } from "../../audit/schemas.ts";
import { TwoFactorSummary } from "../two-factor/schemas.ts";

const ProvedUntil = doc(
  Timestamp.nullable(),
  "Requests of this session need no password until then. Null if the password was not confirmed in this session.",
);

export const Confirmation = named("Confirmation", () => ({}), {
  example: { currentPassword: "correct horse battery staple" },
});
export const Confirmed = named("Confirmed", () => ({ provedUntil: ProvedUntil }));

export const SecurityOverview = named("SecurityOverview", () => ({
  email: doc(z.string(), "Email address of the account.", "ada@example.com"),
  emailVerified: doc(z.boolean(), "Whether the email address is verified.", true),
  passwordChangedAt: doc(Timestamp, "When the password was last set."),
  twoFactor: doc(TwoFactorSummary, "State of two-factor authentication."),
  sessions: doc(z.int(), "Number of active sessions, including this one.", 2),
  apiKeys: doc(z.int(), "Number of API keys that have not expired.", 1),
  connections: doc(z.int(), "Number of connected agents.", 1),
  webhooks: doc(z.int(), "Number of webhooks.", 0),
  pushDevices: doc(z.int(), "Number of devices that get your reminders.", 1),
  calendarLink: doc(
    z
      .object({
        createdAt: doc(Timestamp, "When it was created."),
        isYours: doc(z.boolean(), "Whether you created it. If not, someone else with an account here has.", true),
      })
      .nullable(),
    "The link with which calendar programs read the calendar without signing in. Null if there is none.",
  ),
  provedUntil: ProvedUntil,
  recentLogins: doc(z.array(LoginRecord), "The last five sign-in attempts, newest first."),
}));
