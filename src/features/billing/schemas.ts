import { z } from "@hono/zod-openapi";

export const BillingWebhookReceipt = z
  .object({
    received: z.literal(true),
    duplicate: z.boolean().openapi({ example: false, description: "This event was taken before." }),
  })
  .openapi("BillingWebhookReceipt");
