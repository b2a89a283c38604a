import { z } from "@hono/zod-openapi";
import { listOf, Timestamp } from "../../../http/schemas.ts";
import { INTERVALS, PAID_PLANS, SUBSCRIPTION_STATUSES } from "../../../lib/plans.ts";
import { limit, PlanId } from "../schemas.ts";

const amount = z.int().openapi({ example: 1900, description: "In the currency's smallest unit." });
const currency = z.string().openapi({ example: "eur" });

const Limits = z.object({ aiTokensPerMonth: limit, webhooks: limit, apiKeys: limit });

export const Subscription = z
  .object({
    provider: z.enum(["none", "stripe"]).openapi({ example: "none" }),
    plan: PlanId,
    planName: z.string().openapi({ example: "Pro" }),
    status: z.enum(SUBSCRIPTION_STATUSES).openapi({ example: "active" }),
    interval: z.enum(INTERVALS).nullable().openapi({ example: "month" }),
    currentPeriodStart: Timestamp.nullable(),
    currentPeriodEnd: Timestamp.nullable(),
    trialEndsAt: Timestamp.nullable(),
    cancelAtPeriodEnd: z.boolean().openapi({ example: false }),
    limits: Limits,
    updatedAt: Timestamp.nullable().openapi({ description: "When the provider last told of a change." }),
  })
  .openapi("Subscription");

export const PlanList = z
  .object({
    data: z.array(
      z.object({
        id: PlanId,
        name: z.string().openapi({ example: "Pro" }),
        description: z.string().openapi({ example: "For one busy person." }),
        limits: Limits,
        current: z.boolean().openapi({ example: true }),
        prices: z
          .array(
            z.object({
              interval: z.enum(INTERVALS).openapi({ example: "month" }),
              amount: amount.nullable(),
              currency,
            }),
          )
          .openapi({ description: "As the provider has them; empty when the plan costs nothing or cannot be bought." }),
      }),
    ),
  })
  .openapi("PlanList");

const paymentMethod = z.object({
  id: z.string().openapi({ example: "pm_1Q0PsI2eZvKYlo2C" }),
  type: z.string().openapi({ example: "card" }),
  card: z
    .object({
      brand: z.string().openapi({ example: "visa" }),
      last4: z.string().openapi({ example: "4242" }),
      expMonth: z.int().openapi({ example: 8 }),
      expYear: z.int().openapi({ example: 2030 }),
    })
    .nullable(),
  isDefault: z.boolean().openapi({ example: true }),
});

export const PaymentMethodList = listOf(paymentMethod, "PaymentMethodList");

const invoice = {
  id: z.string().openapi({ example: "in_1MtHbELkdIwHu7ix" }),
  number: z.string().nullable().openapi({ example: "POA-0001" }),
  status: z.string().nullable().openapi({ example: "paid" }),
  currency,
  total: amount,
  amountDue: amount,
  amountPaid: amount,
  createdAt: Timestamp,
  periodStart: Timestamp,
  periodEnd: Timestamp,
  hostedUrl: z.string().nullable().openapi({ example: "https://invoice.stripe.com/i/acct_1/test_1" }),
  pdfUrl: z.string().nullable().openapi({ example: "https://pay.stripe.com/invoice/acct_1/test_1/pdf" }),
};

export const InvoiceList = listOf(z.object(invoice), "InvoiceList");
export const InvoiceParams = z.object({
  id: z
    .string()
    .regex(/^[\w-]{1,255}$/, "is not an invoice's id")
    .openapi({ example: "in_1MtHbELkdIwHu7ix" }),
});

export const Invoice = z
  .object({
    ...invoice,
    lines: z.array(
      z.object({
        description: z.string().nullable().openapi({ example: "1 × Pro (at €19.00 / month)" }),
        amount,
        quantity: z.number().nullable().openapi({ example: 1 }),
      }),
    ),
  })
  .openapi("Invoice");

export const NewCheckout = z
  .object({
    plan: z.enum(PAID_PLANS).openapi({ example: "pro" }),
    interval: z.enum(INTERVALS).default("month").openapi({ example: "month" }),
  })
  .openapi("NewCheckout");

export const Checkout = z
  .object({
    id: z.string().openapi({ example: "cs_test_a1b2c3" }),
    url: z.string().openapi({ example: "https://checkout.stripe.com/c/pay/cs_test_a1b2c3" }),
    expiresAt: Timestamp,
  })
  .openapi("Checkout", { description: "A page of the provider to pay on. Nothing changes before it is paid." });

export const Portal = z
  .object({ url: z.string().openapi({ example: "https://billing.stripe.com/p/session/test_1" }) })
  .openapi("BillingPortal");
