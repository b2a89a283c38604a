import { z } from "@hono/zod-openapi";
import { doc, FlagParam, keyText, listOf, named, Timestamp } from "../../http/schemas.ts";

export const SyncRun = named("SyncRun", () => ({
  runId: doc(z.string(), "Id of the run.", "3q2vJ0m7T1uVq2hN5b8xcQ"),
  trigger: doc(z.enum(["manual", "cron", "webhook"]), "What started the run.", "manual"),
  mode: doc(z.enum(["incremental", "full"]), "`full`: also reads bookings that have not changed.", "incremental"),
  status: doc(
    z.enum(["running", "succeeded", "partial", "failed"]),
    "Result. `partial`: the run stopped early, and the next one continues.",
    "succeeded",
  ),
  fetched: doc(z.int(), "Bookings that the provider returned.", 12),
  created: doc(z.int(), "Events that were created.", 2),
  updated: doc(z.int(), "Events that were updated.", 1),
  unchanged: doc(z.int(), "Bookings that had not changed.", 9),
  cancelled: doc(z.int(), "Created and updated events that became cancelled.", 1),
  skipped: doc(z.int(), "Bookings that could not be read; see `errors`.", 0),
  errors: doc(z.array(z.string()), "Problems of the run, at most 50.", []),
  startedAt: doc(Timestamp, "When the run started."),
  finishedAt: doc(Timestamp.nullable(), "When the run ended; null while it is running."),
  durationMs: doc(z.int().nullable(), "Duration in milliseconds.", 840),
}));

export const SyncRunList = listOf(SyncRun, "SyncRunList");

export const SyncQuery = z.object({
  full: doc(FlagParam.optional(), "`true`: also read every booking since 30 days ago. Default: false."),
});

const Account = z.object({
  email: doc(z.string(), "Address of the account.", "jane@example.com"),
  name: doc(z.string(), "Name of the account.", "Jane Roe"),
  timeZone: doc(z.string(), "Time zone of the account.", "Europe/Paris"),
});

export const Connection = named("BookingConnection", () => ({
  status: doc(
    z.enum(["not_configured", "unverified", "connected", "invalid_key"]),
    "State of the connection. `unverified`: the provider could not be reached when the key was saved.",
    "connected",
  ),
  baseUrl: doc(z.string(), "Address of the provider's API.", "https://api.cal.com/v2"),
  account: doc(Account.nullable(), "The provider's account. Null until the key is verified."),
  webhookConfigured: doc(z.boolean(), "Whether a webhook secret is saved.", false),
  keyUpdatedAt: doc(Timestamp.nullable(), "When the API key was saved."),
  // Not the named component, which the generator would then make nullable everywhere.
  lastSync: doc(z.object(SyncRun.shape).nullable(), "The latest sync run."),
}));

export const NewConnection = named(
  "NewBookingConnection",
  () => ({
    apiKey: doc(keyText(500), "API key of the provider's account."),
    webhookSecret: doc(
      z.string().min(8).max(500).optional(),
      "Secret that signs the provider's webhooks. Default: the saved one.",
    ),
  }),
  { example: { apiKey: "cal_live_0123456789abcdef" } },
);

const EventType = z.object({
  id: doc(z.int(), "Id of the event type at the provider.", 782_986),
  title: doc(z.string(), "Title.", "30 Min Meeting"),
  slug: doc(z.string(), "Last part of the booking page's address.", "30min"),
  durationMinutes: doc(z.number(), "Length of a booking.", 30),
  description: doc(z.string(), "Details; may be empty.", ""),
  url: doc(z.string().nullable(), "Address of the booking page.", "https://cal.com/jane/30min"),
  hidden: doc(z.boolean(), "Whether the event type is hidden on the public page.", false),
});

export const EventTypeList = named("EventTypeList", () => ({
  data: doc(z.array(EventType), "The provider's event types."),
}));

export const WebhookReceipt = named("BookingWebhookReceipt", () => ({
  received: doc(z.literal(true), "Always true."),
  duplicate: doc(z.boolean(), "Whether the delivery was received before and is ignored.", false),
}));
