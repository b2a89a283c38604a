import { contextOf } from "../../http/app-env.ts";
import { ifMatch, withETag } from "../../http/etag.ts";
import { user } from "../../http/guards.ts";
import { withoutProof } from "../../http/reauth.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
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
  WebhookPath,
} from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/webhooks", {
    operationId: "listWebhooks",
    summary: "List webhooks",
    description: "Returns your webhooks, oldest first, without their secrets.",
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
  }),
  async (c) => c.json(withETag(c, await createEndpoint(contextOf(c), withoutProof(c.req.valid("json")))), 201),
);

routes.openapi(
  route("get", "/api/settings/webhooks/event-types", {
    operationId: "listWebhookEventTypes",
    summary: "List webhook event types",
    description: "Returns every event type with an example of its `data`.",
    guard: user,
    returns: { 200: WebhookEventTypes },
  }),
  (c) => {
    const data = OUTBOUND_EVENTS.map((type) => {
      return { type, description: EVENT_TYPES[type].description, example: eventExample(type) };
    });
    return c.json({ data }, 200);
  },
);

routes.openapi(
  route("get", "/api/settings/webhooks/{id}", {
    operationId: "getWebhook",
    summary: "Get a webhook",
    description: "Returns the webhook without its secret.",
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
    summary: "Update a webhook",
    description:
      "`enabled: true` also enables a webhook that the service disabled. Disabling one cancels its pending " +
      "deliveries. Only a new `url` and enabling a webhook need the password. You are notified of a new `url` by " +
      "email.",
    guard: user,
    reauth: { rule: "recent", unless: keepsAddress, check: checkNamedAddress },
    params: WebhookPath,
    body: WebhookEndpointChanges,
    returns: { 200: WebhookEndpoint },
    errors: ["not_found", "nothing_to_update"],
    ifMatch: true,
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    return c.json(
      withETag(c, await updateEndpoint(contextOf(c), id, withoutProof(c.req.valid("json")), ifMatch(c))),
      200,
    );
  },
);

routes.openapi(
  route("delete", "/api/settings/webhooks/{id}", {
    operationId: "deleteWebhook",
    summary: "Delete a webhook",
    description: "Deletes the webhook and its deliveries. Nothing more is sent to it.",
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
    summary: "Rotate a webhook's secret",
    description: "Returns the new secret, which is not shown again. For 24 hours every message is signed with both.",
    guard: user,
    reauth: "recent",
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
    summary: "Send a test event",
    description:
      "Posts a signed message, even if the webhook is disabled, and returns the outcome. It is not retried, and its failure " +
      "does not count towards disabling the webhook.",
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
    summary: "List a webhook's deliveries",
    description: "Returns deliveries, newest first. They are deleted after 30 days.",
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
    summary: "Retry a delivery",
    description:
      "Sends the same message with the same `webhook-id` at once, whatever its status, and returns the outcome.",
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
