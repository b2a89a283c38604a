import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { listDeliveries, retryDelivery, testEndpoint } from "./deliveries.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from "./endpoints.ts";
import { listEventTypes } from "./event-types.ts";
import {
  DeliveryPageQuery,
  DeliveryPath,
  NewWebhookEndpoint,
  TestQuery,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookEventTypes,
  WebhookPath,
} from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/webhooks", {
    operationId: "listWebhooks",
    summary: "List your webhooks",
    description: "Where events are sent. Secrets are not shown.",
    guard: user,
    query: PageQuery,
    returns: { 200: WebhookEndpointList },
    errors: ["invalid_cursor"],
  }),
  async (c) => c.json(await listEndpoints(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/settings/webhooks", {
    operationId: "createWebhook",
    summary: "Add a webhook",
    description:
      "Events are posted to the address as `{ type, timestamp, data }`, signed as Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`) with the `secret` of this answer, which is not shown again. A try takes at most 10 seconds; what fails is tried again with growing gaps for 24 hours, under the same `webhook-id`. Events may arrive out of order. 410, or 24 hours without a success, switch the endpoint off. At most 20 a person.",
    guard: user,
    body: NewWebhookEndpoint,
    returns: { 201: WebhookEndpointWithSecret },
    errors: ["webhook_limit_reached", "plan_limit_reached"],
    idempotent: { secrets: ["secret"] },
  }),
  async (c) => c.json(withETag(c, await createEndpoint(contextOf(c), c.req.valid("json"))), 201),
);

routes.openapi(
  route("get", "/api/settings/webhooks/event-types", {
    operationId: "listWebhookEventTypes",
    summary: "What a webhook can be told of",
    description: "Every event type with an example of its `data`.",
    guard: user,
    returns: { 200: WebhookEventTypes },
  }),
  (c) => c.json(listEventTypes(), 200),
);

routes.openapi(
  route("get", "/api/settings/webhooks/{id}", {
    operationId: "getWebhook",
    summary: "Read a webhook",
    guard: user,
    params: WebhookPath,
    returns: { 200: WebhookEndpoint },
    ifNoneMatch: false,
    errors: ["not_found"],
  }),
  async (c) => c.json(withETag(c, await getEndpoint(contextOf(c), c.req.valid("param").id)), 200),
);

routes.openapi(
  route("patch", "/api/settings/webhooks/{id}", {
    operationId: "updateWebhook",
    summary: "Change a webhook, or switch it on or off",
    description: "`enabled: true` also brings back one that the service switched off.",
    guard: user,
    params: WebhookPath,
    body: WebhookEndpointChanges,
    returns: { 200: WebhookEndpoint },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(withETag(c, await updateEndpoint(contextOf(c), id, c.req.valid("json"), ifMatch(c))), 200);
  },
);

routes.openapi(
  route("delete", "/api/settings/webhooks/{id}", {
    operationId: "deleteWebhook",
    summary: "Delete a webhook",
    description: "With its deliveries. Nothing more is sent.",
    guard: user,
    params: WebhookPath,
    returns: { 204: null },
    errors: ["not_found"],
    ifMatch: true,
  }),
  async (c) => noContent(c, await deleteEndpoint(contextOf(c), c.req.valid("param").id, ifMatch(c))),
);

routes.openapi(
  route("post", "/api/settings/webhooks/{id}/rotate-secret", {
    operationId: "rotateWebhookSecret",
    summary: "Replace a webhook's secret",
    description: "The new secret is in this answer only. For 24 hours every message is signed with both.",
    guard: user,
    params: WebhookPath,
    returns: { 200: WebhookEndpointWithSecret },
    errors: ["not_found"],
    ifMatch: true,
    idempotent: { secrets: ["secret"] },
  }),
  async (c) => c.json(withETag(c, await rotateSecret(contextOf(c), c.req.valid("param").id, ifMatch(c))), 200),
);

routes.openapi(
  route("post", "/api/settings/webhooks/{id}/test", {
    operationId: "testWebhook",
    summary: "Send a test event now",
    description:
      "Posts a signed message to the address, also when the webhook is off, and answers with what came of it. It is not tried again, and counts neither for nor against the endpoint.",
    guard: user,
    rateLimit: "expensive",
    params: WebhookPath,
    query: TestQuery,
    returns: { 200: WebhookDelivery },
    errors: ["not_found", "misconfigured"],
    idempotent: true,
  }),
  async (c) => c.json(await testEndpoint(contextOf(c), c.req.valid("param").id, c.req.valid("query").eventType), 200),
);

routes.openapi(
  route("get", "/api/settings/webhooks/{id}/deliveries", {
    operationId: "listWebhookDeliveries",
    summary: "What was sent to a webhook",
    description: "Newest first, kept for 30 days.",
    guard: user,
    params: WebhookPath,
    query: DeliveryPageQuery,
    returns: { 200: WebhookDeliveryList },
    errors: ["not_found", "invalid_cursor"],
  }),
  async (c) => c.json(await listDeliveries(contextOf(c), c.req.valid("param").id, c.req.valid("query")), 200),
);

routes.openapi(
  route("post", "/api/settings/webhooks/{id}/deliveries/{deliveryId}/retry", {
    operationId: "retryWebhookDelivery",
    summary: "Send a message again now",
    description:
      "The same bytes under the same `webhook-id`, whatever came of them before; answers with what came of it now.",
    guard: user,
    rateLimit: "expensive",
    params: DeliveryPath,
    returns: { 200: WebhookDelivery },
    errors: ["not_found", "webhook_disabled", "conflict", "misconfigured"],
    idempotent: true,
  }),
  async (c) => {
    const { id, deliveryId } = c.req.valid("param");
    return c.json(await retryDelivery(contextOf(c), id, deliveryId), 200);
  },
);
