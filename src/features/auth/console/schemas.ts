import { z } from "@hono/zod-openapi";
import { doc, named } from "../../../http/schemas.ts";
import { Credentials, TwoFactorChallenge } from "../login/schemas.ts";
import { AccessToken, User } from "../sessions/schemas.ts";

/** The device's token is in a cookie. */
export const ConsoleCredentials = Credentials.omit({ deviceToken: true }).openapi("ConsoleCredentials", {
  example: { email: "ada@example.com", password: "correct horse battery staple" },
});

export const ConsoleSession = named("ConsoleSession", () => ({
  token: AccessToken,
  user: doc(User, "The signed-in account."),
}));

export const ConsoleSignIn = z.union([ConsoleSession, TwoFactorChallenge]).openapi("ConsoleSignIn");
