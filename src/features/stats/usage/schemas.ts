import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../../http/schemas.ts";
import { planFields } from "../../billing/schemas.ts";

const metered = (description: string) =>
  doc(
    z.object({
      used: doc(z.int(), "How many are used.", 3),
      limit: doc(z.int().nullable(), "The plan's limit; null for none.", 20),
    }),
    description,
  );

export const BillingUsage = named("BillingUsage", () => ({
  ...planFields,
  periodStart: doc(Timestamp, "The start of the calendar month in UTC."),
  periodEnd: doc(Timestamp, "The end of the month."),
  aiTokens: metered("AI tokens used this month."),
  aiCalls: metered("AI calls this month."),
  emails: metered("Stored emails."),
  tasks: metered("Stored tasks."),
  events: metered("Stored events."),
  apiKeys: metered("API keys."),
  webhooks: metered("Webhooks."),
}));
