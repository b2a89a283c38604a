import { contextOf } from "../../../http/app-env.ts";
import { anyone, user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { requestPasswordReset } from "../password/reset.ts";
import { logout, refreshSession } from "../sessions/service.ts";
import {
  Accepted,
  Credentials,
  LoginAnswer,
  Me,
  PasswordForgotten,
  Refresh,
  RefreshedTokens,
  Registration,
  SecondFactor,
  SignedIn,
} from "./schemas.ts";
import { completeLogin, login, me, register } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/auth/register", {
    operationId: "register",
    summary: "Create an account",
    description:
      "Creates the account and signs it in. The first account is the owner (or only the address in `OWNER_EMAIL`); later ones are members.",
    guard: anyone,
    rateLimit: "auth",
    body: Registration,
    returns: { 201: SignedIn },
    errors: ["email_taken", "registration_closed", "misconfigured"],
  }),
  async (c) => c.json(await register(contextOf(c), c.req.valid("json")), 201),
);

routes.openapi(
  route("post", "/api/auth/login", {
    operationId: "login",
    summary: "Sign in",
    description:
      "Answers with tokens, or with a challenge for `/api/auth/login/2fa` when two-factor authentication is on. " +
      "Ten wrong guesses in 15 minutes lock the account for 15 minutes.",
    guard: anyone,
    rateLimit: "auth",
    body: Credentials,
    returns: { 200: LoginAnswer },
    errors: ["invalid_credentials", "account_locked", "misconfigured"],
  }),
  async (c) => c.json(await login(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/auth/login/2fa", {
    operationId: "completeLogin",
    summary: "Give the second factor",
    description:
      "Takes the challenge of a login with a code of the authenticator app or a backup code. Five attempts a challenge.",
    guard: anyone,
    rateLimit: "auth",
    body: SecondFactor,
    returns: { 200: SignedIn },
    errors: ["challenge_expired", "invalid_code", "account_locked", "misconfigured"],
  }),
  async (c) => c.json(await completeLogin(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("post", "/api/auth/refresh", {
    operationId: "refreshToken",
    summary: "Get new tokens",
    description:
      "Trades the refresh token for a new pair. The token before it still works for ten seconds, for a lost answer; " +
      "any other reuse ends the session, because the token may have been stolen.",
    guard: anyone,
    rateLimit: "auth",
    body: Refresh,
    returns: { 200: RefreshedTokens },
    errors: ["unauthenticated", "session_revoked", "refresh_reused", "misconfigured"],
  }),
  async (c) => c.json(await refreshSession(contextOf(c), c.req.valid("json").refreshToken), 200),
);

routes.openapi(
  route("post", "/api/auth/logout", {
    operationId: "logout",
    summary: "Sign out",
    description: "Ends the session at once: its access token and its refresh token stop working.",
    guard: user,
    returns: { 204: null },
  }),
  async (c) => noContent(c, await logout(contextOf(c))),
);

routes.openapi(
  route("get", "/api/auth/me", {
    operationId: "getMe",
    summary: "Who am I?",
    description: "The profile and session behind the token.",
    guard: user,
    returns: { 200: Me },
  }),
  (c) => c.json(me(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/auth/password/forgot", {
    operationId: "forgotPassword",
    summary: "Ask for a password reset",
    description: "Mails a token that works once, for 30 minutes. Answers the same whether or not the account exists.",
    guard: anyone,
    rateLimit: "auth",
    body: PasswordForgotten,
    returns: { 202: Accepted },
    errors: ["mail_not_configured"],
  }),
  (c) => {
    requestPasswordReset(contextOf(c), c.req.valid("json").email);
    return c.json({ message: "If an account has this email, a message is on its way." }, 202);
  },
);
