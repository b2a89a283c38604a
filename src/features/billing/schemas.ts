import { z } from "@hono/zod-openapi";
import { PLAN_IDS } from "../../lib/plans.ts";

export const limit = z.int().nullable().openapi({ example: 20, description: "null is no limit." });
export const PlanId = z.enum(PLAN_IDS).openapi({ example: "pro" });

/** What any call of the billing provider may end in. */
export const PROVIDER_ERRORS = [
  "provider_error",
  "provider_unauthorized",
  "provider_not_found",
  "provider_timeout",
] as const;

export const BillingWebhookReceipt = z
  .object({
    received: z.literal(true),
    duplicate: z.boolean().openapi({ example: false, description: "This event was taken before." }),
  })
  .openapi("BillingWebhookReceipt");
