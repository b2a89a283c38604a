import { z } from "@hono/zod-openapi";
import { doc, listOf, named, Timestamp } from "../../http/schemas.ts";
import { INTERVALS, PAID_PLANS, PLAN_IDS, SUBSCRIPTION_STATUSES } from "../../lib/plans.ts";

/** The errors that any call of the billing provider can end in. */
export const PROVIDER_ERRORS = [
  "provider_error",
  "provider_unauthorized",
  "provider_not_found",
  "provider_timeout",
] as const;

export const planFields = {
  plan: doc(z.enum(PLAN_IDS), "The plan in force. `self_hosted` without a billing provider.", "pro"),
  planName: doc(z.string(), "The plan's name.", "Pro"),
};
const money = (description: string) => doc(z.int(), `${description}, in the currency's smallest unit.`, 1900);
const currency = doc(z.string(), "The currency: a lowercase ISO 4217 code.", "eur");
const interval = doc(z.enum(INTERVALS), "How often the plan is paid.", "month");
const nullableTime = (description: string) => doc(Timestamp.nullable(), description);
const limit = (things: string) => doc(z.int().nullable(), `Maximum number of ${things}; null for no limit.`, 20);
const limits = doc(
  z.object({
    aiTokensPerMonth: limit("AI tokens per month"),
    webhooks: limit("webhooks"),
    apiKeys: limit("API keys"),
  }),
  "What the plan allows.",
);

export const Subscription = named("Subscription", () => ({
  provider: doc(z.enum(["none", "stripe"]), "The billing provider.", "none"),
  ...planFields,
  status: doc(z.enum(SUBSCRIPTION_STATUSES), "The status of the subscription.", "active"),
  interval: doc(interval.nullable(), "How often the plan is paid; null without a subscription."),
  currentPeriodStart: nullableTime("When the paid period began."),
  currentPeriodEnd: nullableTime("When the paid period ends."),
  trialEndsAt: nullableTime("When the trial ends; null without one."),
  cancelAtPeriodEnd: doc(z.boolean(), "Whether the subscription ends with the paid period.", false),
  limits,
  updatedAt: nullableTime("When the provider last reported a change."),
}));

const Plan = z.object({
  id: doc(z.enum(PLAN_IDS), "The plan's id.", "pro"),
  name: doc(z.string(), "The plan's name.", "Pro"),
  description: doc(z.string(), "Whom the plan is for.", "For one busy person."),
  limits,
  current: doc(z.boolean(), "Whether this plan is in force.", true),
  prices: doc(
    z.array(z.object({ interval, amount: money("The price").nullable(), currency })),
    "The provider's prices. Empty if the plan is free or cannot be bought.",
  ),
});

export const PlanList = named("PlanList", () => ({ data: doc(z.array(Plan), "The plans, smallest first.") }));

const PaymentMethod = z.object({
  id: doc(z.string(), "The provider's id of the payment method.", "pm_1Q0PsI2eZvKYlo2C"),
  type: doc(z.string(), "The provider's name of its type.", "card"),
  card: doc(
    z
      .object({
        brand: doc(z.string(), "The brand.", "visa"),
        last4: doc(z.string(), "The last four digits.", "4242"),
        expMonth: doc(z.int(), "The month it expires.", 8),
        expYear: doc(z.int(), "The year it expires.", 2030),
      })
      .nullable(),
    "The card; null for other types.",
  ),
  isDefault: doc(z.boolean(), "Whether invoices are paid with it.", true),
});

export const PaymentMethodList = listOf(PaymentMethod, "PaymentMethodList");

const invoiceId = "in_1MtHbELkdIwHu7ix";
const invoice = {
  id: doc(z.string(), "The provider's id of the invoice.", invoiceId),
  number: doc(z.string().nullable(), "The number on the invoice.", "POA-0001"),
  status: doc(z.string().nullable(), "The provider's status, such as `open` or `paid`.", "paid"),
  currency,
  total: money("The total"),
  amountDue: money("The amount due"),
  amountPaid: money("The amount paid"),
  createdAt: doc(Timestamp, "When the invoice was created."),
  periodStart: doc(Timestamp, "The start of the period it covers."),
  periodEnd: doc(Timestamp, "The end of the period it covers."),
  hostedUrl: doc(z.string().nullable(), "The invoice's web page.", "https://invoice.stripe.com/i/acct_1/test_1"),
  pdfUrl: doc(z.string().nullable(), "The invoice as PDF.", "https://pay.stripe.com/invoice/acct_1/test_1/pdf"),
};

export const InvoiceList = listOf(z.object(invoice), "InvoiceList");
export const InvoiceParams = z.object({
  id: doc(z.string().regex(/^[\w-]{1,255}$/, "must be the id of an invoice"), "The invoice's id.", invoiceId),
});

export const Invoice = named("Invoice", () => ({
  ...invoice,
  lines: doc(
    z.array(
      z.object({
        description: doc(z.string().nullable(), "What was bought.", "1 × Pro (at €19.00 / month)"),
        amount: money("The amount of the line"),
        quantity: doc(z.number().nullable(), "How many were bought.", 1),
      }),
    ),
    "The lines of the invoice.",
  ),
}));

export const NewCheckout = z
  .object({ plan: doc(z.enum(PAID_PLANS), "The plan to subscribe to.", "pro"), interval: interval.default("month") })
  .openapi("NewCheckout", { example: { plan: "pro", interval: "month" } });

export const Checkout = named(
  "Checkout",
  () => ({
    id: doc(z.string(), "The provider's id of the checkout.", "cs_test_a1b2c3"),
    url: doc(z.string(), "The page to pay on.", "https://checkout.stripe.com/c/pay/cs_test_a1b2c3"),
    expiresAt: doc(Timestamp, "When the page expires."),
  }),
  { description: "A payment page of the provider. Nothing changes until it is paid." },
);

export const Portal = named("BillingPortal", () => ({
  url: doc(z.string(), "The page's address.", "https://billing.stripe.com/p/session/test_1"),
}));

export const BillingWebhookReceipt = named("BillingWebhookReceipt", () => ({
  received: doc(z.literal(true), "Always true."),
  duplicate: doc(z.boolean(), "Whether this event was processed before.", false),
}));
