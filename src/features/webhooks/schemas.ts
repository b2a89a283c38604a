import { z } from "@hono/zod-openapi";
import { Id, IdParam, listOf, pageParams, Timestamp } from "../../http/schemas.ts";
import { OUTBOUND_EVENTS } from "../../lib/outbound-events.ts";

const EventName = z.enum(OUTBOUND_EVENTS).openapi({ example: "email.received" });

const EventNames = z
  .array(EventName)
  .max(100)
  .transform((names) => [...new Set(names)])
  .openapi({
    type: "array",
    items: { type: "string", enum: [...OUTBOUND_EVENTS] },
    example: ["email.received", "task.created"],
    description: "The events it wants; an empty list is all of them, also those that are still to come.",
  });

const Url = z
  .string()
  .trim()
  .max(2000)
  .openapi({ example: "https://hooks.example.com/poa", description: "https, a public name, no redirects." });

const Description = z.string().trim().max(200).nullable().openapi({ example: "Tells our chat of new mail" });

const endpoint = {
  id: Id,
  url: z.string().openapi({ example: "https://hooks.example.com/poa" }),
  description: z.string().nullable().openapi({ example: "Tells our chat of new mail" }),
  eventTypes: z.array(EventName).openapi({ example: ["email.received", "task.created"] }),
  enabled: z.boolean().openapi({ example: true }),
  disabledReason: z
    .string()
    .nullable()
    .openapi({ example: null, description: "Why the service switched it off; null when a person did." }),
  failingSince: Timestamp.nullable().openapi({
    example: null,
    description: "Since when nothing could be delivered; after 24 hours the endpoint is switched off.",
  }),
  previousSecretUntil: Timestamp.nullable().openapi({
    example: null,
    description: "Until then the secret before the current one signs too.",
  }),
  version: z.int().openapi({ example: 1, description: "Rises with every change; also the ETag." }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const WebhookEndpoint = z.object(endpoint).openapi("WebhookEndpoint");

export const WebhookEndpointWithSecret = z
  .object({
    ...endpoint,
    secret: z.string().nullable().openapi({
      example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
      description: "Shown this once; null when the answer is repeated for its Idempotency-Key.",
    }),
  })
  .openapi("WebhookEndpointWithSecret");

export const WebhookEndpointList = listOf(WebhookEndpoint, "WebhookEndpointList");

export const NewWebhookEndpoint = z
  .object({
    url: Url,
    description: Description.default(null),
    eventTypes: EventNames.default([]),
    enabled: z.boolean().default(true).openapi({ example: true }),
  })
  .openapi("NewWebhookEndpoint");

export const WebhookEndpointChanges = z
  .object({
    url: Url.optional(),
    description: Description.optional(),
    eventTypes: EventNames.optional(),
    enabled: z.boolean().optional().openapi({ example: true }),
  })
  .openapi("WebhookEndpointChanges");

export const WebhookPath = z.object({ id: IdParam });
const DeliveryStatus = z.enum(["pending", "delivered", "failed"]).openapi({
  example: "delivered",
  description: "`pending`: still to be tried; `failed`: given up.",
});

export const WebhookDelivery = z
  .object({
    id: z.string().openapi({ example: "3q2vJ0m7T1uVq2hN5b8xcQ" }),
    messageId: z
      .string()
      .openapi({ example: "msg_VZ0tGbTk1u2m7T1uVq2hNQ", description: "The `webhook-id` it was sent under." }),
    eventType: z.string().openapi({ example: "email.received" }),
    status: DeliveryStatus,
    attempts: z.int().openapi({ example: 1 }),
    responseStatus: z.int().nullable().openapi({ example: 200, description: "What the receiver answered last." }),
    error: z.string().nullable().openapi({ example: null, description: "Why the last try failed." }),
    durationMs: z.int().nullable().openapi({ example: 84 }),
    lastAttemptAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable().openapi({ example: null }),
    deliveredAt: Timestamp.nullable(),
    createdAt: Timestamp,
  })
  .openapi("WebhookDelivery");

export const WebhookDeliveryList = listOf(WebhookDelivery, "WebhookDeliveryList");

export const DeliveryPageQuery = z.object({ status: DeliveryStatus.optional(), ...pageParams });
export const DeliveryPath = z.object({
  id: IdParam,
  deliveryId: z.string().min(1).max(64).openapi({ example: "3q2vJ0m7T1uVq2hN5b8xcQ" }),
});

export const TestQuery = z.object({
  eventType: EventName.optional().openapi({
    description: "Send the example of this event; without it a `webhook.test` is sent.",
  }),
});

export const WebhookEventTypes = z
  .object({
    data: z.array(
      z.object({
        type: EventName,
        description: z.string().openapi({ example: "A task became `done`." }),
        example: z.looseObject({}).openapi({
          type: "object",
          additionalProperties: true,
          example: { id: 31, title: "Send the signed contract", status: "done" },
          description: "The `data` of such an event: `{ type, timestamp, data }` is what is sent.",
        }),
      }),
    ),
  })
  .openapi("WebhookEventTypes");
