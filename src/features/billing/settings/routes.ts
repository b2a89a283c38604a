import { contextOf } from "../../../http/app-env.ts";
import { user } from "../../../http/guards.ts";
import { route } from "../../../http/route.ts";
import { createRouter } from "../../../http/router.ts";
import { PageQuery } from "../../../http/schemas.ts";
import { openPortal, startCheckout } from "../checkout.ts";
import { PROVIDER_ERRORS } from "../schemas.ts";
import { getInvoice, getSubscription, listInvoices, listPaymentMethods, listPlans } from "../service.ts";
import {
  Checkout,
  Invoice,
  InvoiceList,
  InvoiceParams,
  NewCheckout,
  PaymentMethodList,
  PlanList,
  Portal,
  Subscription,
} from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/settings/billing/subscription", {
    operationId: "getSubscription",
    summary: "The plan in force",
    description: "Without a billing provider it is `self_hosted`, which has no limits.",
    guard: user,
    returns: { 200: Subscription },
  }),
  async (c) => c.json(await getSubscription(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/billing/plans", {
    operationId: "listPlans",
    summary: "The plans to choose from",
    guard: user,
    returns: { 200: PlanList },
    errors: PROVIDER_ERRORS,
  }),
  async (c) => c.json(await listPlans(contextOf(c)), 200),
);

routes.openapi(
  route("get", "/api/settings/billing/payment-methods", {
    operationId: "listPaymentMethods",
    summary: "Cards and other ways to pay",
    description: "As the provider has them. They are added and removed in its portal.",
    guard: user,
    query: PageQuery,
    returns: { 200: PaymentMethodList },
    errors: ["invalid_cursor", ...PROVIDER_ERRORS],
  }),
  async (c) => c.json(await listPaymentMethods(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/settings/billing/invoices", {
    operationId: "listInvoices",
    summary: "Invoices",
    description: "Newest first, as the provider has them.",
    guard: user,
    query: PageQuery,
    returns: { 200: InvoiceList },
    errors: ["invalid_cursor", ...PROVIDER_ERRORS],
  }),
  async (c) => c.json(await listInvoices(contextOf(c), c.req.valid("query")), 200),
);

routes.openapi(
  route("get", "/api/settings/billing/invoices/{id}", {
    operationId: "getInvoice",
    summary: "Read an invoice",
    guard: user,
    params: InvoiceParams,
    returns: { 200: Invoice },
    errors: ["not_found", ...PROVIDER_ERRORS],
  }),
  async (c) => c.json(await getInvoice(contextOf(c), c.req.valid("param").id), 200),
);

routes.openapi(
  route("post", "/api/settings/billing/checkout", {
    operationId: "startCheckout",
    summary: "Subscribe to a plan",
    description:
      "Answers with a page of the provider to pay on; the plan changes when the provider's webhook says so. The owner's session only. A service that has a subscription changes it in the portal.",
    guard: user,
    rateLimit: "expensive",
    body: NewCheckout,
    returns: { 201: Checkout },
    errors: ["already_subscribed", "billing_provider_not_configured", ...PROVIDER_ERRORS],
    idempotent: true,
  }),
  async (c) => c.json(await startCheckout(contextOf(c), c.req.valid("json")), 201),
);

routes.openapi(
  route("post", "/api/settings/billing/portal", {
    operationId: "openBillingPortal",
    summary: "Change plan, cards and billing address",
    description: "Answers with a page of the provider, good for a few minutes. The owner's session only.",
    guard: user,
    rateLimit: "expensive",
    returns: { 201: Portal },
    errors: ["conflict", "billing_provider_not_configured", ...PROVIDER_ERRORS],
  }),
  async (c) => c.json(await openPortal(contextOf(c)), 201),
);
