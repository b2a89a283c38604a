import { contextOf } from "../../../http/app-env.ts";
import { anyone, user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter, noContent } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { endOtherSessions, endSession, listSessions } from "./list.ts";
import { Me, Refresh, RefreshedTokens, SessionList, SessionParams, SessionsEnded } from "./schemas.ts";
import { logout, me, refreshSession } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/auth/refresh", {
    operationId: "refreshToken",
    summary: "Refresh tokens",
    description:
      "Returns a new access token and a new refresh token. The previous refresh token still works for 10 seconds, in " +
      "case the response was lost. Any other reuse ends the session, because the token may have been stolen.",
    guard: anyone,
    rateLimit: "auth",
    body: Refresh,
    returns: { 200: RefreshedTokens },
    errors: ["unauthenticated", "session_revoked", "refresh_reused", "misconfigured"],
  }),
  async (c) => {
    const { token, refreshToken } = await refreshSession(contextOf(c), c.req.valid("json").refreshToken);
    return c.json({ token, refreshToken }, 200);
  },
);

routes.openapi(
  route("post", "/api/auth/logout", {
    operationId: "logout",
    summary: "Sign out",
    description: "Ends the session. Its access token and refresh token stop working immediately.",
    guard: user,
    returns: { 204: null },
  }),
  async (c) => noContent(c, await logout(contextOf(c))),
);

routes.openapi(
  route("get", "/api/auth/me", {
    operationId: "getMe",
    summary: "Get the signed-in account",
    description: "Returns the account and the session of the access token.",
    guard: user,
    returns: { 200: Me },
  }),
  (c) => c.json(me(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/security/sessions", {
    operationId: "listSessions",
    summary: "List sessions",
    description: "Returns the active sessions of your account, newest first.",
    guard: user,
    query: PageQuery,
    returns: { 200: SessionList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listSessions(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("delete", "/api/settings/security/sessions", {
    operationId: "endOtherSessions",
    summary: "End all other sessions",
    description: "Ends every session of your account except the one of this request.",
    guard: user,
    returns: { 200: SessionsEnded },
  }),
  async (c) => c.json(await endOtherSessions(contextOf(c)), 200),
);

routes.openapi(
  route("delete", "/api/settings/security/sessions/{id}", {
    operationId: "endSession",
    summary: "End a session",
    description: "The session's tokens stop working immediately. You can also end the current session.",
    guard: user,
    params: SessionParams,
    returns: { 204: null },
    errors: ["not_found"],
  }),
  async (c) => noContent(c, await endSession(contextOf(c), c.req.valid("param").id)),
);
