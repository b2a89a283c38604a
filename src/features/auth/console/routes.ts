import type { Context as HonoContext } from "hono";
import { type AppEnv, contextOf } from "../../../http/app-env.ts";
import { anyone } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
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

routes.openapi(
  route("post", "/api/auth/session", {
    operationId: "beginConsoleSession",
    summary: "Sign in to the console",
    description: `Returns an access token, or a challenge if two-factor authentication is on. ${COOKIE}`,
    guard: anyone,
    sameOrigin: true,
    rateLimit: "auth",
    body: ConsoleCredentials,
    returns: { 200: ConsoleSignIn },
    errors: ["invalid_credentials", "account_locked", "misconfigured"],
  }),
  async (c) => {
    const answer = await login(contextOf(c), { ...c.req.valid("json"), deviceToken: deviceCookieOf(c) });
    return c.json("twoFactorRequired" in answer ? answer : begin(c, answer), 200);
  },
);

routes.openapi(
  route("post", "/api/auth/session/2fa", {
    operationId: "completeConsoleSession",
    summary: "Complete a console sign-in",
    description: `Needs the challenge of the sign-in and a second factor. A challenge allows five attempts. ${COOKIE}`,
    guard: anyone,
    sameOrigin: true,
    rateLimit: "auth",
    body: SecondFactor,
    returns: { 200: ConsoleSession },
    errors: ["challenge_expired", "invalid_code", "account_locked", "misconfigured"],
  }),
  async (c) => {
    const input = { ...c.req.valid("json"), deviceToken: deviceCookieOf(c) };
    return c.json(begin(c, await completeLogin(contextOf(c), input)), 200);
  },
);

routes.openapi(
  route("post", "/api/auth/session/refresh", {
    operationId: "refreshConsoleSession",
    summary: "Refresh the console session",
    description: `Exchanges the cookie for a new access token and replaces the cookie. ${COOKIE}`,
    guard: anyone,
    sameOrigin: true,
    rateLimit: "auth",
    returns: { 200: ConsoleSession },
    errors: ["unauthenticated", "session_revoked", "refresh_reused", "misconfigured"],
  }),
  async (c) => {
    const cookie = sessionCookieOf(c);
    if (!cookie) throw new AppError("unauthenticated", "Sign in.");
    try {
      const { token, refreshToken, user } = await refreshSession(contextOf(c), cookie);
      keepSession(c, refreshToken, SESSION_IDLE_MS / 1000);
      return c.json({ token, user }, 200);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) forgetSession(c);
      throw error;
    }
  },
);

routes.openapi(
  route("delete", "/api/auth/session", {
    operationId: "endConsoleSession",
    summary: "Sign out of the console",
    description:
      "Ends the session of the cookie and removes the cookie. Also succeeds if the session has already ended.",
    guard: anyone,
    sameOrigin: true,
    rateLimit: "auth",
    returns: { 204: null },
    errors: ["misconfigured"],
  }),
  async (c) => {
    const cookie = sessionCookieOf(c);
    if (cookie) await endSessionOf(contextOf(c), cookie);
    forgetSession(c);
    return noContent(c, undefined);
  },
);
