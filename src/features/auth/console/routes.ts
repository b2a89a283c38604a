import type { Context as HonoContext } from "hono";
import type { AppEnv } from "../../../http/app-env.ts";
import { anyone } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import {
  deviceCookieOf,
  forgetSession,
  keepDevice,
  keepSession,
  sessionCookieOf,
} from "../../../http/session-cookie.ts";
import { AppError } from "../../../lib/errors.ts";
import { DEVICE_TOKEN_MS } from "../login/device-tokens.ts";
import { SecondFactor } from "../login/schemas.ts";
import { completeLogin, login } from "../login/service.ts";
import { SESSION_IDLE_MS } from "../sessions/lifetime.ts";
import { endSessionOf, refreshSession } from "../sessions/service.ts";
import { ConsoleCredentials, ConsoleSession, ConsoleSignIn } from "./schemas.ts";

export const routes = createRouter();

const COOKIE =
  "The refresh token is set as the cookie `__Host-Http-poa`, which scripts cannot read. For the web console: the request " +
  "must come from a page of this origin.";

type Tokens = Exclude<Awaited<ReturnType<typeof login>>, { twoFactorRequired: true }>;

/** Puts everything that lasts into cookies; the page gets a token for 15 minutes. */
function begin(c: HonoContext<AppEnv>, { token, refreshToken, deviceToken, user }: Tokens) {
  keepSession(c, refreshToken, SESSION_IDLE_MS / 1000);
  keepDevice(c, deviceToken, DEVICE_TOKEN_MS / 1000);
  return { token, user };
}

routes.endpoint("post", "/api/auth/session", {
  operationId: "beginConsoleSession",
  summary: "Sign in to the console",
  description: `Returns an access token, or a challenge if two-factor authentication is on. ${COOKIE}`,
  guard: anyone,
  sameOrigin: true,
  rateLimit: "auth",
  body: ConsoleCredentials,
  returns: { 200: ConsoleSignIn },
  errors: ["invalid_credentials", "account_locked", "misconfigured"],
  handle: async ({ c, ctx, body }) => {
    const answer = await login(ctx, { ...body, deviceToken: deviceCookieOf(c) });
    return "twoFactorRequired" in answer ? answer : begin(c, answer);
  },
});

routes.endpoint("post", "/api/auth/session/2fa", {
  operationId: "completeConsoleSession",
  summary: "Complete a console sign-in",
  description: `Needs the challenge of the sign-in and a second factor. A challenge allows five attempts. ${COOKIE}`,
  guard: anyone,
  sameOrigin: true,
  rateLimit: "auth",
  body: SecondFactor,
  returns: { 200: ConsoleSession },
  errors: ["challenge_expired", "invalid_code", "account_locked", "misconfigured"],
  handle: async ({ c, ctx, body }) => begin(c, await completeLogin(ctx, { ...body, deviceToken: deviceCookieOf(c) })),
});

routes.endpoint("post", "/api/auth/session/refresh", {
  operationId: "refreshConsoleSession",
  summary: "Refresh the console session",
  description: `Exchanges the cookie for a new access token and replaces the cookie. ${COOKIE}`,
  guard: anyone,
  sameOrigin: true,
  rateLimit: "auth",
  returns: { 200: ConsoleSession },
  errors: ["unauthenticated", "session_revoked", "refresh_reused", "misconfigured"],
  handle: async ({ c, ctx }) => {
    const cookie = sessionCookieOf(c);
    if (!cookie) throw new AppError("unauthenticated", "Sign in.");
    try {
      const { token, refreshToken, user } = await refreshSession(ctx, cookie);
      keepSession(c, refreshToken, SESSION_IDLE_MS / 1000);
      return { token, user };
    } catch (error) {
      if (error instanceof AppError && error.status === 401) forgetSession(c);
      throw error;
    }
  },
});

routes.endpoint("delete", "/api/auth/session", {
  operationId: "endConsoleSession",
  summary: "Sign out of the console",
  description: "Ends the session of the cookie and removes the cookie. Also succeeds if the session has already ended.",
  guard: anyone,
  sameOrigin: true,
  rateLimit: "auth",
  returns: { 204: null },
  errors: ["misconfigured"],
  handle: async ({ c, ctx }) => {
    const cookie = sessionCookieOf(c);
    if (cookie) await endSessionOf(ctx, cookie);
    forgetSession(c);
  },
});
