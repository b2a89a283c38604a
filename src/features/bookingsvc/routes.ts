import { contextOf } from "../../http/app-env.ts";
import { anyone, data, owner } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
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

routes.openapi(
  route("get", "/api/bookingsvc/settings", {
    operationId: "getBookingConnection",
    summary: "Is the booking provider connected?",
    description: "The state of the connection and the last sync; never the key.",
    guard: owner,
    returns: { 200: Connection },
  }),
  async (c) => c.json(await getConnection(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/bookingsvc/settings", {
    operationId: "connectBookingProvider",
    summary: "Save the booking provider's API key",
    description:
      "Checks the key with the provider: one it refuses is not saved; a provider that cannot be reached leaves the key saved as `unverified`. The key is encrypted at rest and never shown again.",
    guard: owner,
    rateLimit: "expensive",
    body: NewConnection,
    returns: { 200: Connection },
    errors: ["invalid_api_key"],
  }),
  async (c) => c.json(await connect(contextOf(c), c.req.valid("json")), 200),
);

routes.openapi(
  route("delete", "/api/bookingsvc/settings", {
    operationId: "disconnectBookingProvider",
    summary: "Forget the booking provider",
    description: "Deletes the key. Events that came from bookings stay in the calendar.",
    guard: owner,
    returns: { 204: null },
  }),
  async (c) => noContent(c, await disconnect(contextOf(c))),
);

routes.openapi(
  route("post", "/api/bookingsvc/sync", {
    operationId: "syncBookings",
    summary: "Bring the calendar in step with the provider",
    description:
      "Reads what has changed since the last run (everything, the first time) and writes it into the calendar. Safe to repeat: unchanged bookings change nothing. What was in trouble half way is `partial`, and the next run goes on from there.",
    guard: data("calendar:write"),
    rateLimit: "expensive",
    query: SyncQuery,
    returns: { 200: SyncRun },
    errors: [
      "bookingsvc_not_configured",
      "sync_in_progress",
      "provider_error",
      "provider_unauthorized",
      "provider_not_found",
      "provider_timeout",
      "misconfigured",
    ],
  }),
  async (c) => c.json(await syncBookings(contextOf(c), { trigger: "manual", full: c.req.valid("query").full }), 200),
);

routes.openapi(
  route("get", "/api/bookingsvc/sync/runs", {
    operationId: "listSyncRuns",
    summary: "Past syncs",
    description: "Newest first.",
    guard: data("calendar:read"),
    query: PageQuery,
    returns: { 200: SyncRunList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listRuns(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/bookingsvc/event-types", {
    operationId: "listEventTypes",
    summary: "The provider's event types",
    description: "Asked of the provider at each call.",
    guard: data("calendar:read"),
    rateLimit: "expensive",
    returns: { 200: EventTypeList },
    errors: [
      "bookingsvc_not_configured",
      "provider_error",
      "provider_unauthorized",
      "provider_not_found",
      "provider_timeout",
      "misconfigured",
    ],
  }),
  async (c) => c.json(await listEventTypes(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/bookingsvc/webhook", {
    operationId: "receiveBookingWebhook",
    summary: "For the provider's deliveries",
    description:
      "Takes a delivery signed with the webhook secret (`X-Cal-Signature-256`). It is a hint: the bookings it names are read again from the provider. A repeated delivery is ignored.",
    guard: anyone,
    returns: { 200: WebhookReceipt },
    errors: ["invalid_signature", "invalid_json", "misconfigured"],
  }),
  async (c) =>
    c.json(await receiveWebhook(contextOf(c), await c.req.text(), c.req.header("x-cal-signature-256") ?? null), 200),
);
