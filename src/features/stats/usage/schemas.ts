import { z } from "@hono/zod-openapi";
import { Timestamp } from "../../../http/schemas.ts";
import { limit, PlanId } from "../../billing/schemas.ts";

const metered = z.object({ used: z.int().openapi({ example: 3 }), limit });

export const BillingUsage = z
  .object({
    plan: PlanId,
    planName: z.string().openapi({ example: "Self-hosted" }),
    periodStart: Timestamp,
    periodEnd: Timestamp,
    aiTokens: metered.openapi({ description: "This month." }),
    aiCalls: metered.openapi({ description: "This month." }),
    emails: metered.openapi({ description: "Stored now, as are tasks, events, API keys and webhooks." }),
    tasks: metered,
    events: metered,
    apiKeys: metered,
    webhooks: metered,
  })
  .openapi("BillingUsage");
