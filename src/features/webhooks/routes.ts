import { user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { OUTBOUND_EVENTS } from "../../lib/outbound-events.ts";
import { listDeliveries, retryDelivery, testEndpoint } from "./deliveries.ts";
import {
  checkNamedAddress,
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  keepsAddress,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from "./endpoints.ts";
import { EVENT_TYPES } from "./event-types.ts";
import {
  DeliveryPageQuery,
  DeliveryPath,
  eventExample,
  NewWebhookEndpoint,
  TestQuery,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointChanges,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookEventTypes,
} from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/webhooks", {
  operationId: "listWebhooks",
  summary: "List webhooks",
  description: "Returns your webhooks, oldest first, without their secrets.",
  guard: user,
  query: PageQuery,
  returns: { 200: WebhookEndpointList },
  handle: ({ ctx, query }) => listEndpoints(ctx, query),
});

routes.endpoint("post", "/api/settings/webhooks", {
  operationId: "createWebhook",
  summary: "Create a webhook",
  description:
    "Events are posted to `url` as `{ type, timestamp, data }` and signed as in Standard Webhooks (`webhook-id`, " +
    "`webhook-timestamp`, `webhook-signature`) with the `secret` of this response, which is not shown again. " +
    "Respond with 2xx within 10 seconds; otherwise the message is retried for 24 hours, first after 15 seconds and " +
    "then with growing delays, with the same `webhook-id`. `Retry-After` is honoured. Events can arrive out of " +
    "order. A 410 response, or 24 hours without a success, disables the webhook. You can have 20. You are notified " +
    "of a new one by email.",
  guard: user,
  reauth: { rule: "recent", check: checkNamedAddress },
  body: NewWebhookEndpoint,
  returns: { 201: WebhookEndpointWithSecret },
  errors: ["webhook_limit_reached", "plan_limit_reached"],
  idempotent: { secrets: ["secret"] },
  handle: ({ ctx, body }) => createEndpoint(ctx, body),
});

routes.endpoint("get", "/api/settings/webhooks/event-types", {
  operationId: "listWebhookEventTypes",
  summary: "List webhook event types",
  description: "Returns every event type with an example of its `data`.",
  guard: user,
  returns: { 200: WebhookEventTypes },
  handle: () => {
    const data = OUTBOUND_EVENTS.map((type) => {
      return { type, description: EVENT_TYPES[type].description, example: eventExample(type) };
    });
    return { data };
  },
});

routes.endpoint("get", "/api/settings/webhooks/{id}", {
  operationId: "getWebhook",
  summary: "Get a webhook",
  description: "Returns the webhook without its secret.",
  guard: user,
  returns: { 200: WebhookEndpoint },
  ifNoneMatch: false,
  handle: ({ ctx, params }) => getEndpoint(ctx, params.id),
});

routes.endpoint("patch", "/api/settings/webhooks/{id}", {
  operationId: "updateWebhook",
  summary: "Update a webhook",
  description:
    "`enabled: true` also enables a webhook that the service disabled. Disabling one cancels its pending " +
    "deliveries. Only a new `url` and enabling a webhook need the password. You are notified of a new `url` by " +
    "email.",
  guard: user,
  reauth: { rule: "recent", unless: keepsAddress, check: checkNamedAddress },
  body: WebhookEndpointChanges,
  returns: { 200: WebhookEndpoint },
  errors: ["nothing_to_update"],
  ifMatch: true,
  handle: ({ ctx, params, body, ifMatch }) => updateEndpoint(ctx, params.id, body, ifMatch),
});

routes.endpoint("delete", "/api/settings/webhooks/{id}", {
  operationId: "deleteWebhook",
  summary: "Delete a webhook",
  description: "Deletes the webhook and its deliveries. Nothing more is sent to it.",
  guard: user,
  returns: { 204: null },
  ifMatch: true,
  handle: ({ ctx, params, ifMatch }) => deleteEndpoint(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/settings/webhooks/{id}/rotate-secret", {
  operationId: "rotateWebhookSecret",
  summary: "Rotate a webhook's secret",
  description: "Returns the new secret, which is not shown again. For 24 hours every message is signed with both.",
  guard: user,
  reauth: "recent",
  returns: { 200: WebhookEndpointWithSecret },
  ifMatch: true,
  idempotent: { secrets: ["secret"] },
  handle: ({ ctx, params, ifMatch }) => rotateSecret(ctx, params.id, ifMatch),
});

routes.endpoint("post", "/api/settings/webhooks/{id}/test", {
  operationId: "testWebhook",
  summary: "Send a test event",
  description:
    "Posts a signed message, even if the webhook is disabled, and returns the outcome. It is not retried, and its failure " +
    "does not count towards disabling the webhook.",
  guard: user,
  rateLimit: "expensive",
  query: TestQuery,
  returns: { 200: WebhookDelivery },
  errors: ["misconfigured"],
  idempotent: true,
  handle: ({ ctx, params, query }) => testEndpoint(ctx, params.id, query.eventType),
});

routes.endpoint("get", "/api/settings/webhooks/{id}/deliveries", {
  operationId: "listWebhookDeliveries",
  summary: "List a webhook's deliveries",
  description: "Returns deliveries, newest first. They are deleted after 30 days.",
  guard: user,
  query: DeliveryPageQuery,
  returns: { 200: WebhookDeliveryList },
  handle: ({ ctx, params, query }) => listDeliveries(ctx, params.id, query),
});

routes.endpoint("post", "/api/settings/webhooks/{id}/deliveries/{deliveryId}/retry", {
  operationId: "retryWebhookDelivery",
  summary: "Retry a delivery",
  description:
    "Sends the same message with the same `webhook-id` at once, whatever its status, and returns the outcome.",
  guard: user,
  rateLimit: "expensive",
  params: DeliveryPath,
  returns: { 200: WebhookDelivery },
  errors: ["webhook_disabled", "conflict", "misconfigured"],
  idempotent: true,
  handle: ({ ctx, params }) => retryDelivery(ctx, params.id, params.deliveryId),
});
