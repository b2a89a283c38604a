import type Stripe from "stripe";
import * as z from "zod";
import { AppError } from "../../lib/errors.ts";
import { isEntitled, type SubscriptionStatus } from "../../lib/plans.ts";
import { log } from "../../log.ts";
import type { BillingProvider, Invoice, PaymentMethod, ProviderPage, ProviderSubscription } from "./provider.ts";

/** The limits of a call: the SDK retries with the same idempotency key. */
interface StripePace {
  timeoutMs: number;
  retries: number;
}

const PACE: StripePace = { timeoutMs: 6_000, retries: 1 };
const SIGNED_WITHIN_SECONDS = 300;
const LOOKUP_KEYS_A_CALL = 10;
const SUBSCRIPTIONS_READ = 20;

export function createStripeProvider(apiUrl: string, secretKey: string, pace: StripePace = PACE): BillingProvider {
  let client: Stripe | undefined;

  // The SDK is large and few requests need it.
  async function open(): Promise<Stripe> {
    const { Stripe } = await import("stripe");
    const { hostname, port, protocol } = new URL(apiUrl);
    const isSecure = protocol === "https:";
    return new Stripe(secretKey, {
      host: hostname,
      port: port || (isSecure ? 443 : 80),
      protocol: isSecure ? "https" : "http",
      // A redirect would send the key to another host.
      httpClient: Stripe.createFetchHttpClient((input: RequestInfo | URL, init?: RequestInit) =>
        fetch(input, { ...init, redirect: "manual" }),
      ),
      timeout: pace.timeoutMs,
      maxNetworkRetries: pace.retries,
      telemetry: false,
    });
  }

  async function call<Result>(run: (stripe: Stripe) => Promise<Result>): Promise<Result> {
    client ??= await open();
    try {
      return await run(client);
    } catch (error) {
      throw asAppError(error);
    }
  }

  return {
    name: "stripe",
    async prices(lookupKeys) {
      const found = new Map<string, { id: string; amount: number | null; currency: string }>();
      for (let from = 0; from < lookupKeys.length; from += LOOKUP_KEYS_A_CALL) {
        const lookup_keys = lookupKeys.slice(from, from + LOOKUP_KEYS_A_CALL);
        const { data } = await call((stripe) => stripe.prices.list({ lookup_keys, active: true, limit: 100 }));
        for (const { id, lookup_key, unit_amount, currency } of data) {
          if (lookup_key !== null) found.set(lookup_key, { id, amount: unit_amount, currency });
        }
      }
      return found;
    },
    async createCustomer({ reference, email, name }) {
      const { id } = await call((stripe) =>
        stripe.customers.create(
          { email, name, metadata: { reference } },
          { idempotencyKey: `poa-customer-${reference}` },
        ),
      );
      return id;
    },
    async createCheckout({ mode, customerId, reference, priceId, metadata, successUrl, cancelUrl }) {
      const { id, url, expires_at } = await call((stripe) =>
        stripe.checkout.sessions.create({
          mode,
          customer: customerId,
          client_reference_id: reference,
          line_items: [{ price: priceId, quantity: 1 }],
          metadata,
          success_url: successUrl,
          cancel_url: cancelUrl,
          ...(mode === "subscription" ? { subscription_data: { metadata } } : { invoice_creation: { enabled: true } }),
        }),
      );
      if (url === null) throw unexpectedResponse();
      return { id, url, expiresAt: moment(expires_at) };
    },
    async createPortal({ customerId, returnUrl }) {
      const { url } = await call((stripe) =>
        stripe.billingPortal.sessions.create({ customer: customerId, return_url: returnUrl }),
      );
      return { url };
    },
    async checkout(id) {
      const session = await call((stripe) =>
        stripe.checkout.sessions.retrieve(id, { expand: ["payment_intent.latest_charge"] }),
      );
      const payment = session.payment_intent;
      const charge = typeof payment === "object" ? payment?.latest_charge : null;
      return {
        id: session.id,
        reference: session.client_reference_id,
        customerId: idOf(session.customer),
        paid: session.status === "complete" && session.payment_status === "paid",
        metadata: session.metadata ?? {},
        amount: session.amount_total,
        currency: session.currency,
        paymentId: idOf(payment),
        refunded: typeof charge === "object" ? (charge?.amount_refunded ?? 0) : 0,
      };
    },
    async charge(id) {
      const { payment_intent, amount, amount_refunded } = await call((stripe) => stripe.charges.retrieve(id));
      return { paymentId: idOf(payment_intent), amount, refunded: amount_refunded };
    },
    async subscription(customerId) {
      const { data } = await call((stripe) =>
        stripe.subscriptions.list({ customer: customerId, status: "all", limit: SUBSCRIPTIONS_READ }),
      );
      const newestFirst = data.toSorted((a, b) => b.created - a.created).map(toSubscription);
      return newestFirst.find(({ status }) => isEntitled(status)) ?? newestFirst[0] ?? null;
    },
    async invoices(customerId, page) {
      const { data, has_more } = await call((stripe) =>
        stripe.invoices.list({ customer: customerId, ...pageOf(page) }),
      );
      return { data: data.map(toInvoice), hasMore: has_more };
    },
    async invoice(id) {
      return toInvoice(await call((stripe) => stripe.invoices.retrieve(id)));
    },
    async paymentMethods(customerId, page) {
      const [customer, { data, has_more }] = await call((stripe) =>
        Promise.all([
          stripe.customers.retrieve(customerId),
          stripe.customers.listPaymentMethods(customerId, pageOf(page)),
        ]),
      );
      const preferred = customer.deleted ? null : idOf(customer.invoice_settings.default_payment_method);
      return { data: data.map((method) => toPaymentMethod(method, preferred)), hasMore: has_more };
    },
    async readEvent(rawBody, signature, secret, now) {
      const { Stripe } = await import("stripe");
      const crypto = Stripe.createSubtleCryptoProvider();
      const event: unknown = await Stripe.webhooks
        .constructEventAsync(rawBody, signature ?? "", secret, SIGNED_WITHIN_SECONDS, crypto, now.getTime())
        .catch((error) => {
          // A signed body that is not JSON is not a wrong signature.
          if (error instanceof SyntaxError) throw new AppError("invalid_json", "The body is not valid JSON.");
          throw new AppError("invalid_signature", "The signature does not match the body or is too old.");
        });
      const parsed = DeliveredEvent.safeParse(event);
      if (!parsed.success) throw new AppError("validation_failed", "The body is not a Stripe event.");
      const { id, type, data } = parsed.data;
      const { customer, object, id: objectId = null } = data.object;
      return { id, type, objectId, customerId: object === "customer" ? objectId : idOf(customer ?? null) };
    },
  };
}

const DeliveredEvent = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  data: z.object({
    object: z.object({
      id: z
        .string()
        .nullish()
        .transform((id) => id ?? undefined),
      object: z.string().optional(),
      customer: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
    }),
  }),
});

function moment(seconds: number): Date {
  return new Date(seconds * 1000);
}

function optionalMoment(seconds: number | null | undefined): Date | null {
  return seconds === null || seconds === undefined ? null : moment(seconds);
}

/** A reference is an id, or the record itself if it was expanded. */
function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "object" ? (reference?.id ?? null) : reference;
}

const STATUSES: Record<Stripe.Subscription["status"], SubscriptionStatus> = {
  active: "active",
  trialing: "trialing",
  past_due: "past_due",
  unpaid: "unpaid",
  paused: "paused",
  incomplete: "incomplete",
  incomplete_expired: "cancelled",
  canceled: "cancelled",
};

function toSubscription(subscription: Stripe.Subscription): ProviderSubscription {
  const item = subscription.items.data[0];
  return {
    id: subscription.id,
    status: STATUSES[subscription.status] ?? "incomplete",
    lookupKey: item?.price.lookup_key ?? null,
    currentPeriodStart: optionalMoment(item?.current_period_start),
    currentPeriodEnd: optionalMoment(item?.current_period_end),
    trialEndsAt: optionalMoment(subscription.trial_end),
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
  };
}

function pageOf({ limit, after }: ProviderPage) {
  return { limit, ...(after !== undefined && { starting_after: after }) };
}

function toInvoice(invoice: Stripe.Invoice): Invoice {
  return {
    id: invoice.id,
    number: invoice.number,
    status: invoice.status,
    currency: invoice.currency,
    total: invoice.total,
    amountDue: invoice.amount_due,
    amountPaid: invoice.amount_paid,
    createdAt: moment(invoice.created),
    periodStart: moment(invoice.period_start),
    periodEnd: moment(invoice.period_end),
    hostedUrl: invoice.hosted_invoice_url ?? null,
    pdfUrl: invoice.invoice_pdf ?? null,
    customerId: idOf(invoice.customer),
    lines: invoice.lines.data.map(({ description, amount, quantity }) => ({ description, amount, quantity })),
  };
}

function toPaymentMethod({ id, type, card }: Stripe.PaymentMethod, preferred: string | null): PaymentMethod {
  return {
    id,
    type,
    card: card ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year } : null,
    isDefault: id === preferred,
  };
}

function unexpectedResponse(): AppError {
  return new AppError("provider_error", "The billing provider returned an unexpected response.");
}

const Failure = z.object({
  type: z.string(),
  code: z.string().nullish(),
  statusCode: z.number().nullish(),
  detail: z.object({ code: z.string().optional() }).nullish().catch(null),
});

/** The provider's messages can contain parts of keys and personal data, so they reach neither responses nor the log. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { data: failure } = Failure.safeParse(error);
  log("warn", "billing_provider_failed", {
    type: failure?.type ?? (error instanceof Error ? error.name : typeof error),
    code: failure?.code,
    status: failure?.statusCode,
  });
  switch (failure?.type) {
    case "StripeAuthenticationError":
    case "StripePermissionError":
      return new AppError("provider_unauthorized", "The billing provider rejected the service's API key.");
    case "StripeConnectionError":
      return failure.detail?.code === "ETIMEDOUT"
        ? new AppError("provider_timeout", "The billing provider did not respond in time.")
        : new AppError("provider_error", "The billing provider could not be reached.");
    case "StripeRateLimitError":
      return new AppError(
        "provider_error",
        "The billing provider limits the rate of requests. Try again in a moment.",
        {
          retryAfter: 5,
        },
      );
    case "StripeCardError":
      return new AppError("provider_error", "The billing provider declined the payment.");
    case "StripeInvalidRequestError":
      return failure.code === "resource_missing"
        ? new AppError("provider_not_found", "The billing provider does not have this record.")
        : new AppError("provider_error", "The billing provider rejected the request.");
    default:
      return new AppError("provider_error", "The billing provider returned an error.");
  }
}
