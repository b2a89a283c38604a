import { anyone, user } from "../../../http/guards.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { endOtherSessions, endSession, listSessions } from "./list.ts";
import { Me, Refresh, RefreshedTokens, SessionList, SessionParams, SessionsEnded } from "./schemas.ts";
import { logout, me, refreshSession } from "./service.ts";

export const routes = createRouter();

routes.endpoint("post", "/api/auth/refresh", {
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
  handle: async ({ ctx, body }) => {
    const { token, refreshToken } = await refreshSession(ctx, body.refreshToken);
    return { token, refreshToken };
  },
});

routes.endpoint("post", "/api/auth/logout", {
  operationId: "logout",
  summary: "Sign out",
  description: "Ends the session. Its access token and refresh token stop working immediately.",
  guard: user,
  returns: { 204: null },
  handle: ({ ctx }) => logout(ctx),
});

routes.endpoint("get", "/api/auth/me", {
  operationId: "getMe",
  summary: "Get the signed-in account",
  description: "Returns the account and the session of the access token.",
  guard: user,
  returns: { 200: Me },
  handle: ({ ctx }) => me(ctx),
});

routes.endpoint("get", "/api/settings/security/sessions", {
  operationId: "listSessions",
  summary: "List sessions",
  description: "Returns the active sessions of your account, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: SessionList },
  handle: ({ ctx, query }) => listSessions(ctx, query),
});

routes.endpoint("delete", "/api/settings/security/sessions", {
  operationId: "endOtherSessions",
  summary: "End all other sessions",
  description: "Ends every session of your account except the one of this request.",
  guard: user,
  returns: { 200: SessionsEnded },
  handle: ({ ctx }) => endOtherSessions(ctx),
});

routes.endpoint("delete", "/api/settings/security/sessions/{id}", {
  operationId: "endSession",
  summary: "End a session",
  description: "The session's tokens stop working immediately. You can also end the current session.",
  guard: user,
  params: SessionParams,
  returns: { 204: null },
  handle: ({ ctx, params }) => endSession(ctx, params.id),
});
