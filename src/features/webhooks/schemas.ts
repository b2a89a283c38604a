import { z } from "@hono/zod-openapi";
import { exampleOf } from "../../http/example.ts";
import { doc, Id, listOf, named, pageParams, RecordPath, Timestamp, versionFields } from "../../http/schemas.ts";
import { OUTBOUND_EVENTS, type OutboundEvent } from "../../lib/outbound-events.ts";
import { TokenAlert } from "../ai-models/tokens/schemas.ts";
import { ServiceAlert } from "../alerts/schemas.ts";
import { SyncRun } from "../bookings/schemas.ts";
import { Event } from "../calendar/events/schemas.ts";
import { EmailSummary } from "../emails/schemas.ts";
import { Reminder } from "../reminders/schemas.ts";
import { Caption } from "../stream/captions/schemas.ts";
import { Milestone } from "../stream/milestones/schemas.ts";
import { StreamSession } from "../stream/schemas.ts";
import { Task } from "../tasks/schemas.ts";

const EventName = doc(z.enum(OUTBOUND_EVENTS), "The event type.", "email.received");
const EVENT_TYPES_TEXT = "The event types to send. An empty list means all, including types added later.";
const DESCRIPTION_TEXT = "A note for yourself.";

const EventNames = z
  .array(EventName)
  .max(100)
  .transform((names) => [...new Set(names)])
  .openapi({
    type: "array",
    items: { type: "string", enum: [...OUTBOUND_EVENTS] },
    example: ["email.received", "task.created"],
    description: EVENT_TYPES_TEXT,
  });

const Url = doc(
  z.string().trim().max(2000),
  "Where events are posted: `https` to a public host. Redirects are not followed.",
  "https://hooks.example.com/poa",
);
const Description = doc(z.string().trim().max(200).nullable(), DESCRIPTION_TEXT, "Posts new emails to our chat");
const Enabled = doc(z.boolean(), "Whether events are sent.", true);

const endpoint = {
  id: Id,
  url: doc(z.string(), "Where events are posted.", "https://hooks.example.com/poa"),
  description: doc(z.string().nullable(), DESCRIPTION_TEXT, "Posts new emails to our chat"),
  eventTypes: doc(z.array(EventName), EVENT_TYPES_TEXT, ["email.received", "task.created"]),
  enabled: Enabled,
  disabledReason: doc(z.string().nullable(), "Why the service disabled it; null if it did not.", null),
  failingSince: doc(
    Timestamp.nullable(),
    "Since when every delivery has failed. After 24 hours the webhook is disabled.",
    null,
  ),
  previousSecretUntil: doc(Timestamp.nullable(), "Until when messages are also signed with the old secret.", null),
  ...versionFields,
};

export const WebhookEndpoint = named("WebhookEndpoint", () => endpoint);

export const WebhookEndpointWithSecret = named("WebhookEndpointWithSecret", () => ({
  ...endpoint,
  secret: doc(
    z.string().nullable(),
    "The signing secret. Shown only once: null in a response repeated for its `Idempotency-Key`.",
    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=",
  ),
}));

export const WebhookEndpointList = listOf(WebhookEndpoint, "WebhookEndpointList");

const input = { url: Url, description: Description, eventTypes: EventNames, enabled: Enabled };

export const NewWebhookEndpoint = named(
  "NewWebhookEndpoint",
  () => ({
    ...input,
    description: Description.default(null),
    eventTypes: EventNames.default([]),
    enabled: Enabled.default(true),
  }),
  { example: { url: "https://hooks.example.com/poa", eventTypes: ["email.received", "task.created"] } },
);

export const WebhookEndpointChanges = named("WebhookEndpointChanges", () => z.object(input).partial().shape, {
  example: { enabled: false },
});

export type NewEndpoint = z.output<typeof NewWebhookEndpoint>;
export type EndpointChanges = z.output<typeof WebhookEndpointChanges>;

const STATUS_TEXT = "`pending` is still to be sent; `failed` is not retried any more.";
const DeliveryStatus = doc(z.enum(["pending", "delivered", "failed"]), STATUS_TEXT);
const DeliveryId = doc(z.string().min(1).max(64), "The delivery's id.", "3q2vJ0m7T1uVq2hN5b8xcQ");

export const WebhookDelivery = named("WebhookDelivery", () => ({
  id: DeliveryId,
  messageId: doc(z.string(), "The `webhook-id` it is sent with.", "msg_VZ0tGbTk1u2m7T1uVq2hNQ"),
  eventType: doc(z.string(), "The event type, or `webhook.test`.", "email.received"),
  status: doc(DeliveryStatus, STATUS_TEXT, "delivered"),
  attempts: doc(z.int(), "How many times it was sent.", 1),
  responseStatus: doc(z.int().nullable(), "The HTTP status of the last response; null if there was none.", 200),
  error: doc(z.string().nullable(), "Why the last attempt failed.", null),
  durationMs: doc(z.int().nullable(), "How long the last attempt took, in milliseconds.", 84),
  lastAttemptAt: doc(Timestamp.nullable(), "When it was last sent."),
  nextAttemptAt: doc(Timestamp.nullable(), "When it is sent next; null if it is not.", null),
  deliveredAt: doc(Timestamp.nullable(), "When it was delivered."),
  createdAt: doc(Timestamp, "When the message was created."),
}));

export const WebhookDeliveryList = listOf(WebhookDelivery, "WebhookDeliveryList");

export const DeliveryPageQuery = z.object({ status: DeliveryStatus.optional(), ...pageParams });
export type DeliveryQuery = z.output<typeof DeliveryPageQuery>;
export const DeliveryPath = z.object({ ...RecordPath.shape, deliveryId: DeliveryId });

export const TestQuery = z.object({
  eventType: doc(
    z.enum(OUTBOUND_EVENTS).optional(),
    "Sends the example of this event type. Default: a `webhook.test` event.",
  ),
});

export const WebhookEventTypes = named("WebhookEventTypes", () => ({
  data: doc(
    z.array(
      z.object({
        type: EventName,
        description: doc(z.string(), "When the event is sent, and what its data is.", "A task became `done`."),
        example: z.looseObject({}).openapi({
          type: "object",
          additionalProperties: true,
          example: { id: 31, title: "Send the signed contract", status: "done" },
          description: "An example of `data` in the posted `{ type, timestamp, data }`.",
        }),
      }),
    ),
    "Every event type.",
  ),
}));

const AT = "2026-11-16T09:30:00.000Z";
// The fields of the schemas' examples that no one record has together.
const email = { direction: "inbound", inReplyTo: null, cc: [], replyTo: null, snoozedUntil: null };
const task = { source: "email", outside: true, eventId: null, parentId: null, rrule: null, repeatFrom: null };
const DELETED = z.object({ id: Id, deleted: doc(z.literal(true), "The record no longer exists.", true) });
const noBooking = { bookingId: null, rescheduledFromId: null, externalStatus: null, externalUpdatedAt: null };
const noSeries = { rrule: null, exdates: [], recurringEventId: null, originalStart: null };
const event = { status: "confirmed", cancelReason: null, emailId: null, ...noBooking, ...noSeries };
const caption = { milestoneId: null, retryAt: null, attempts: 1 };
const failure = { status: "failed", uncertain: true, error: "Discord did not respond in time." };

const EXAMPLES: Record<OutboundEvent, readonly [schema: z.ZodType, fields: object]> = {
  "email.received": [EmailSummary, { ...email, analysis: null }],
  "email.matched": [EmailSummary, email],
  "email.analyzed": [EmailSummary, { ...email, version: 2 }],
  "email.sent": [EmailSummary, { ...email, direction: "outbound", delivery: "sent", analysis: null, version: 2 }],
  "email.updated": [EmailSummary, { ...email, isRead: true, analysis: null, version: 2 }],
  "task.created": [Task, { ...task, status: "todo", completedAt: null }],
  "task.updated": [Task, { ...task, status: "in_progress", completedAt: null, version: 2 }],
  "task.deleted": [DELETED, {}],
  "task.completed": [Task, { ...task, status: "done", completedAt: AT, version: 2 }],
  "task.due": [Reminder, {}],
  "event.created": [Event, event],
  "event.updated": [Event, { ...event, version: 2 }],
  "event.cancelled": [Event, { ...event, status: "cancelled", cancelReason: "Ann is ill.", version: 2 }],
  "event.deleted": [DELETED, {}],
  "event.starting": [Reminder, { recordType: "event", recordId: 12, title: "Quarterly review" }],
  "sync.completed": [SyncRun, { status: "succeeded", errors: [] }],
  "sync.failed": [SyncRun, { status: "failed", errors: ["The provider returned an error."] }],
  "tokens.alert": [TokenAlert, { userId: 1 }],
  "stream.live": [StreamSession, { state: "live", endedAt: null, durationSeconds: 0 }],
  "stream.ended": [StreamSession, { state: "ended", endedAt: AT, viewers: 0 }],
  "caption.posted": [Caption, { ...caption, status: "posted", uncertain: false, error: null, postedAt: AT }],
  "caption.failed": [Caption, { ...caption, ...failure, postUrl: null, postedAt: null }],
  "milestone.reached": [Milestone, { reached: true, reachedAt: AT }],
  "service.alert": [ServiceAlert, {}],
};

/** An example of the event's `data`. */
export function eventExample(type: OutboundEvent): Record<string, unknown> {
  const [schema, fields] = EXAMPLES[type];
  return { ...exampleOf(schema), ...fields };
}
