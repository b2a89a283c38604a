import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { Connection, ConnectionChanges, ConnectionList, ConnectionPath } from "./schemas.ts";
import { changeConnection, endConnection, keepsWaiting, listConnections } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/security/connections", {
  operationId: "listConnections",
  summary: "List connected agents",
  description: "Returns the agents that you have allowed to use your data, the newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: ConnectionList },
  handle: ({ ctx, query }) => listConnections(ctx, query),
});

routes.endpoint("patch", "/api/settings/security/connections/{id}", {
  operationId: "changeConnection",
  summary: "Change a connection",
  description:
    "Changes when the agent's changes wait for you. A rule under which fewer changes wait needs the password, and " +
    "you are notified by email. To grant more scopes, connect the agent again.",
  guard: user,
  reauth: { rule: "recent", unless: keepsWaiting },
  params: ConnectionPath,
  body: ConnectionChanges,
  returns: { 200: Connection },
  errors: ["nothing_to_update"],
  handle: ({ ctx, params, body }) => changeConnection(ctx, params.id, body),
});

routes.endpoint("delete", "/api/settings/security/connections/{id}", {
  operationId: "endConnection",
  summary: "Disconnect an agent",
  description: "The agent's next request is refused. Records it created are kept.",
  guard: user,
  params: ConnectionPath,
  returns: { 204: null },
  handle: ({ ctx, params }) => endConnection(ctx, params.id),
});
