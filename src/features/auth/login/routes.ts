import { anyone } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { SignedIn } from "../sessions/schemas.ts";
import { Credentials, LoginAnswer, SecondFactor } from "./schemas.ts";
import { completeLogin, login } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/auth/login", {
  operationId: "login",
  summary: "Sign in",
  description:
    "Returns tokens. With two-factor authentication on, returns a challenge for `/api/auth/login/2fa` instead. " +
    "Ten failed attempts in 15 minutes from one network lock the account for that network for 15 minutes. After 100 " +
    "from all networks, unknown devices have to wait between attempts: see `Retry-After`. Send `deviceToken` so that " +
    "a device that has signed in before is not affected.",
  guard: anyone,
  rateLimit: "auth",
  body: Credentials,
  returns: { 200: LoginAnswer },
  errors: ["invalid_credentials", "account_locked", "misconfigured"],
  handle: ({ ctx, body }) => login(ctx, body),
});

routes.endpoint("post", "/api/auth/login/2fa", {
  operationId: "completeLogin",
  summary: "Complete a two-factor sign-in",
  description:
    "Needs the challenge of the sign-in and either a code from the authenticator app or a backup code. A challenge " +
    "allows five attempts.",
  guard: anyone,
  rateLimit: "auth",
  body: SecondFactor,
  returns: { 200: SignedIn },
  errors: ["challenge_expired", "invalid_code", "account_locked", "misconfigured"],
  handle: ({ ctx, body }) => completeLogin(ctx, body),
});
