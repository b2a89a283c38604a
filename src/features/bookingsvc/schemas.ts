import { z } from "@hono/zod-openapi";
import { FlagParam, keyText, listOf, Timestamp } from "../../http/schemas.ts";

export const SyncRun = z
  .object({
    runId: z.string().openapi({ example: "3q2vJ0m7T1uVq2hN5b8xcQ" }),
    trigger: z.enum(["manual", "cron", "webhook"]).openapi({ example: "manual" }),
    mode: z.enum(["incremental", "full"]).openapi({ example: "incremental" }),
    status: z.enum(["running", "succeeded", "partial", "failed"]).openapi({
      example: "succeeded",
      description: "`partial`: stopped early, and the next run goes on from there.",
    }),
    fetched: z.int().openapi({ example: 12, description: "Bookings the provider sent." }),
    created: z.int().openapi({ example: 2 }),
    updated: z.int().openapi({ example: 1 }),
    unchanged: z.int().openapi({ example: 9 }),
    cancelled: z.int().openapi({ example: 1, description: "Of those created or updated, how many became cancelled." }),
    skipped: z.int().openapi({ example: 0, description: "Bookings that made no sense; `errors` says why." }),
    errors: z.array(z.string()).openapi({ example: [] }),
    startedAt: Timestamp,
    finishedAt: Timestamp.nullable(),
    durationMs: z.int().nullable().openapi({ example: 840 }),
  })
  .openapi("SyncRun");

export const SyncRunList = listOf(SyncRun, "SyncRunList");

export const SyncQuery = z.object({
  full: FlagParam.optional().openapi({ description: "Also go through every booking from 30 days ago on." }),
});

export const Connection = z
  .object({
    status: z.enum(["not_configured", "unverified", "connected", "invalid_key"]).openapi({ example: "connected" }),
    baseUrl: z.string().openapi({ example: "https://api.cal.com/v2" }),
    account: z
      .object({
        email: z.string().openapi({ example: "jane@example.com" }),
        name: z.string().openapi({ example: "Jane Roe" }),
        timeZone: z.string().openapi({ example: "Europe/Paris" }),
      })
      .nullable(),
    webhookConfigured: z.boolean().openapi({ example: false }),
    keyUpdatedAt: Timestamp.nullable(),
    // Not the named schema itself, which would become nullable wherever it is used.
    lastSync: z.object(SyncRun.shape).nullable(),
  })
  .openapi("BookingConnection", { description: "Never holds the key." });

export const NewConnection = z
  .object({
    apiKey: keyText(500).openapi({ example: "cal_live_0123456789abcdef" }),
    webhookSecret: z.string().min(8).max(500).optional().openapi({ example: "a long random text" }),
  })
  .openapi("NewBookingConnection");

export const EventTypeList = z
  .object({
    data: z.array(
      z.object({
        id: z.int().openapi({ example: 782986 }),
        title: z.string().openapi({ example: "30 Min Meeting" }),
        slug: z.string().openapi({ example: "30min" }),
        durationMinutes: z.number().openapi({ example: 30 }),
        description: z.string().openapi({ example: "" }),
        url: z.string().nullable().openapi({ example: "https://cal.com/jane/30min" }),
        hidden: z.boolean().openapi({ example: false }),
      }),
    ),
  })
  .openapi("EventTypeList");

export const WebhookReceipt = z
  .object({
    received: z.literal(true),
    duplicate: z.boolean().openapi({ example: false, description: "This delivery was taken before." }),
  })
  .openapi("BookingWebhookReceipt");
