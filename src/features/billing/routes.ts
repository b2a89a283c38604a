import { anyone, user } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { PageQuery } from "../../http/schemas.ts";
import { openPortal, startCheckout } from "./checkout.ts";
import {
  BillingWebhookReceipt,
  Checkout,
  Invoice,
  InvoiceList,
  InvoiceParams,
  NewCheckout,
  PaymentMethodList,
  PlanList,
  Portal,
  PROVIDER_ERRORS,
  Subscription,
} from "./schemas.ts";
import { getInvoice, getSubscription, listInvoices, listPaymentMethods, listPlans } from "./service.ts";
import { receiveWebhook } from "./webhook.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/settings/billing/subscription", {
  operationId: "getSubscription",
  summary: "Get the subscription",
  description: "Returns the plan in force. Without a billing provider it is `self_hosted`, which has no limits.",
  guard: user,
  returns: { 200: Subscription },
  handle: ({ ctx }) => getSubscription(ctx),
});

routes.endpoint("get", "/api/settings/billing/plans", {
  operationId: "listPlans",
  summary: "List plans",
  description: "Returns the available plans with their limits and the provider's prices.",
  guard: user,
  returns: { 200: PlanList },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx }) => listPlans(ctx),
});

routes.endpoint("get", "/api/settings/billing/payment-methods", {
  operationId: "listPaymentMethods",
  summary: "List payment methods",
  description: "Fetched live from the provider. Add and remove payment methods in its portal.",
  guard: user,
  query: PageQuery,
  returns: { 200: PaymentMethodList },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx, query }) => listPaymentMethods(ctx, query),
});

routes.endpoint("get", "/api/settings/billing/invoices", {
  operationId: "listInvoices",
  summary: "List invoices",
  description: "Fetched live from the provider, newest first.",
  guard: user,
  query: PageQuery,
  returns: { 200: InvoiceList },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx, query }) => listInvoices(ctx, query),
});

routes.endpoint("get", "/api/settings/billing/invoices/{id}", {
  operationId: "getInvoice",
  summary: "Get an invoice",
  description: "Fetched live from the provider, with its lines.",
  guard: user,
  params: InvoiceParams,
  returns: { 200: Invoice },
  errors: PROVIDER_ERRORS,
  handle: ({ ctx, params }) => getInvoice(ctx, params.id),
});

routes.endpoint("post", "/api/settings/billing/checkout", {
  operationId: "startCheckout",
  summary: "Subscribe to a plan",
  description:
    "Returns a payment page of the provider. The plan changes when the provider's webhook reports the payment. Needs the " +
    "owner's session. To change an existing subscription, use the portal.",
  guard: user,
  rateLimit: "expensive",
  body: NewCheckout,
  returns: { 201: Checkout },
  errors: ["already_subscribed", "billing_provider_not_configured", ...PROVIDER_ERRORS],
  idempotent: true,
  handle: ({ ctx, body }) => startCheckout(ctx, body),
});

routes.endpoint("post", "/api/settings/billing/portal", {
  operationId: "openBillingPortal",
  summary: "Open the billing portal",
  description:
    "Returns a page of the provider where plan, payment methods and billing address can be changed. It expires after a " +
    "few minutes. Needs the owner's session and an earlier purchase.",
  guard: user,
  rateLimit: "expensive",
  returns: { 201: Portal },
  errors: ["conflict", "billing_provider_not_configured", ...PROVIDER_ERRORS],
  handle: ({ ctx }) => openPortal(ctx),
});

routes.endpoint("post", "/api/billing/webhook", {
  operationId: "receiveBillingWebhook",
  summary: "Receive a billing provider event",
  description:
    "Called by the provider with an event signed with STRIPE_WEBHOOK_SECRET (`Stripe-Signature`). The subscription or " +
    "checkout that it names is then read from the provider. A repeated event changes nothing. Subscriptions and purchased " +
    "tokens change only here.",
  guard: anyone,
  fromProvider: true,
  returns: { 200: BillingWebhookReceipt },
  errors: [
    "invalid_signature",
    "invalid_json",
    "validation_failed",
    "misconfigured",
    "unavailable",
    "billing_provider_not_configured",
    ...PROVIDER_ERRORS,
  ],
  rateLimit: "public",
  handle: async ({ c, ctx }) => receiveWebhook(ctx, await c.req.text(), c.req.header("stripe-signature") ?? null),
});
