import { anyone, data, owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { connect, disconnect, getConnection, listEventTypes } from "./connection.ts";
import { listRuns } from "./runs.ts";
import {
  Connection,
  EventTypeList,
  NewConnection,
  SyncQuery,
  SyncRun,
  SyncRunList,
  WebhookReceipt,
} from "./schemas.ts";
import { syncBookings } from "./sync.ts";
import { receiveWebhook } from "./webhook.ts";

export const routes = createRouter();

const PROVIDER_ERRORS = [
  "bookingsvc_not_configured",
  "provider_error",
  "provider_unauthorized",
  "provider_not_found",
  "provider_timeout",
  "misconfigured",
] as const;

routes.endpoint("get", "/api/bookingsvc/settings", {
  operationId: "getBookingConnection",
  summary: "Get the booking connection",
  description: "Returns the state of the connection and the latest sync, but never the key.",
  guard: owner,
  returns: { 200: Connection },
  handle: ({ ctx }) => getConnection(ctx),
});

routes.endpoint("post", "/api/bookingsvc/settings", {
  operationId: "connectBookingProvider",
  summary: "Connect the booking provider",
  description:
    "Checks the API key with the provider and saves it encrypted. A rejected key is not saved. If the provider " +
    "cannot be reached, the key is saved as `unverified`. No endpoint returns the key. You are notified by email, " +
    "because anyone with the provider's account or the webhook secret can write to the calendar.",
  guard: owner,
  reauth: "recent",
  rateLimit: "expensive",
  body: NewConnection,
  returns: { 200: Connection },
  errors: ["invalid_api_key"],
  handle: ({ ctx, body }) => connect(ctx, body),
});

routes.endpoint("delete", "/api/bookingsvc/settings", {
  operationId: "disconnectBookingProvider",
  summary: "Disconnect the booking provider",
  description: "Deletes the API key and the webhook secret. Events from bookings stay in the calendar.",
  guard: owner,
  returns: { 204: null },
  handle: ({ ctx }) => disconnect(ctx),
});

routes.endpoint("post", "/api/bookingsvc/sync", {
  operationId: "syncBookings",
  summary: "Sync bookings",
  description:
    "Reads the bookings that have changed since the last run, or all of them the first time, and writes them into " +
    "the calendar. Can be repeated safely. If a run fails midway its status is `partial`, and the next run " +
    "continues. A run that reaches its limit is also `partial`, and continues immediately in the background as " +
    "further runs.",
  guard: data("calendar:write"),
  rateLimit: "expensive",
  query: SyncQuery,
  returns: { 200: SyncRun },
  errors: [...PROVIDER_ERRORS, "sync_in_progress"],
  handle: ({ ctx, query }) => syncBookings(ctx, { trigger: "manual", full: query.full }),
});

routes.endpoint("get", "/api/bookingsvc/sync/runs", {
  operationId: "listSyncRuns",
  summary: "List sync runs",
  description: "Returns the sync runs of the last 90 days, newest first.",
  guard: data("calendar:read"),
  query: PageQuery,
  returns: { 200: SyncRunList },
  handle: ({ ctx, query }) => listRuns(ctx, query),
});

routes.endpoint("get", "/api/bookingsvc/event-types", {
  operationId: "listEventTypes",
  summary: "List event types",
  description: "Fetched live from the provider.",
  guard: data("calendar:read"),
  rateLimit: "expensive",
  returns: { 200: EventTypeList },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx }) => listEventTypes(ctx),
});

routes.endpoint("post", "/api/bookingsvc/webhook", {
  operationId: "receiveBookingWebhook",
  summary: "Receive a booking webhook",
  description:
    "Called by the provider, which signs the body with the webhook secret in a header of its own. The bookings in the " +
    "body are fetched from the provider after the response. A repeated delivery is ignored.",
  guard: anyone,
  fromProvider: true,
  returns: { 200: WebhookReceipt },
  errors: ["invalid_signature", "invalid_json", "misconfigured"],
  rateLimit: "public",
  handle: async ({ c, ctx }) => receiveWebhook(ctx, await c.req.text(), c.req.raw.headers),
});
