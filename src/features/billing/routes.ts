import { contextOf } from "../../http/app-env.ts";
import { anyone } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { BillingWebhookReceipt } from "./schemas.ts";
import { receiveWebhook } from "./webhook.ts";

export const routes = createRouter();

routes.openapi(
  route("post", "/api/billing/webhook", {
    operationId: "receiveBillingWebhook",
    summary: "For the billing provider's deliveries",
    description:
      "Takes an event signed with STRIPE_WEBHOOK_SECRET (`Stripe-Signature`). It is a hint: the subscription or checkout it names is read again from the provider. A repeated event changes nothing. Subscription and bought tokens change nowhere else.",
    guard: anyone,
    returns: { 200: BillingWebhookReceipt },
    errors: [
      "invalid_signature",
      "invalid_json",
      "validation_failed",
      "misconfigured",
      "unavailable",
      "billing_provider_not_configured",
      "provider_error",
      "provider_unauthorized",
      "provider_not_found",
      "provider_timeout",
    ],
  }),
  async (c) =>
    c.json(await receiveWebhook(contextOf(c), await c.req.text(), c.req.header("stripe-signature") ?? null), 200),
);
