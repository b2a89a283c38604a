import type { Context } from "../../context.ts";
import type { Page, PageRequest } from "../../db/page.ts";
import { decodeCursor, encodeCursor } from "../../lib/cursor.ts";
import { AppError } from "../../lib/errors.ts";
import {
  INTERVALS,
  isEntitled,
  PAID_PLANS,
  PLANS,
  type PlanId,
  planLookupKey,
  TOKEN_PACKAGE_IDS,
  TOKEN_PACKAGES,
} from "../../lib/plans.ts";
import { billingProvider } from "../../providers/billing/open.ts";
import type {
  BillingProvider,
  Invoice,
  Listed,
  PaymentMethod,
  Price,
  ProviderPage,
} from "../../providers/billing/provider.ts";
import { isBilled, limitsOf, planOf, readAccount } from "./account.ts";

/** What the service is subscribed to, as the last verified webhook left it. */
export async function getSubscription(ctx: Context) {
  const row = await readAccount(ctx);
  const plan = planOf(ctx, row);
  const isSubscribed = isBilled(ctx) && row.status !== null && isEntitled(row.status);
  return {
    provider: billingProvider(ctx.config).name,
    plan,
    planName: PLANS[plan].name,
    status: isBilled(ctx) ? (row.status ?? ("active" as const)) : ("active" as const),
    interval: isSubscribed ? row.interval : null,
    currentPeriodStart: isSubscribed ? toText(row.currentPeriodStart) : null,
    currentPeriodEnd: isSubscribed ? toText(row.currentPeriodEnd) : null,
    trialEndsAt: isSubscribed ? toText(row.trialEndsAt) : null,
    cancelAtPeriodEnd: isSubscribed && row.cancelAtPeriodEnd,
    limits: limitsOf(ctx, row),
    updatedAt: isBilled(ctx) ? toText(row.updatedAt) : null,
  };
}

function toText(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

/** The plans to choose from, with the provider's prices and which one is in force. */
export async function listPlans(ctx: Context) {
  const ids: readonly PlanId[] = isBilled(ctx) ? ["free", ...PAID_PLANS] : ["self_hosted"];
  const [row, prices] = await Promise.all([readAccount(ctx), currentPrices(ctx)]);
  const current = planOf(ctx, row);
  return {
    data: ids.map((id) => ({ id, ...PLANS[id], current: id === current, prices: pricesOf(id, prices) })),
  };
}

function pricesOf(id: PlanId, prices: Map<string, Price>) {
  const paid = PAID_PLANS.find((plan) => plan === id);
  if (!paid) return [];
  return INTERVALS.flatMap((interval) => {
    const price = prices.get(planLookupKey(paid, interval));
    return price ? [{ interval, amount: price.amount, currency: price.currency }] : [];
  });
}

/** Tokens that can be bought; those the provider has no price for cannot. */
export async function listTokenPackages(ctx: Context) {
  const prices = await currentPrices(ctx);
  return {
    data: TOKEN_PACKAGE_IDS.map((id) => {
      const { name, tokens, lookupKey } = TOKEN_PACKAGES[id];
      const price = prices.get(lookupKey);
      return {
        id,
        name,
        tokens,
        available: price !== undefined,
        amount: price?.amount ?? null,
        currency: price?.currency ?? null,
      };
    }),
  };
}

const LOOKUP_KEYS = [
  ...PAID_PLANS.flatMap((plan) => INTERVALS.map((interval) => planLookupKey(plan, interval))),
  ...TOKEN_PACKAGE_IDS.map((id) => TOKEN_PACKAGES[id].lookupKey),
];
const PRICES_KEPT_MS = 5 * 60 * 1000;
const keptPrices = new WeakMap<Context["config"], { until: number; prices: Map<string, Price> }>();

/** Prices to show: asked of the provider every few minutes at most. What is charged is asked for anew. */
async function currentPrices(ctx: Context): Promise<Map<string, Price>> {
  const kept = keptPrices.get(ctx.config);
  if (kept && kept.until > ctx.now.getTime()) return kept.prices;
  const prices = await billingProvider(ctx.config).prices(LOOKUP_KEYS);
  keptPrices.set(ctx.config, { until: ctx.now.getTime() + PRICES_KEPT_MS, prices });
  return prices;
}

export function listPaymentMethods(ctx: Context, request: PageRequest): Promise<Page<PaymentMethod>> {
  return listed(ctx, "payment methods", request, (provider, customerId, page) =>
    provider.paymentMethods(customerId, page),
  );
}

/** Newest first, as the provider has them. */
export async function listInvoices(ctx: Context, request: PageRequest) {
  const { data, nextCursor } = await listed(ctx, "invoices", request, (provider, customerId, page) =>
    provider.invoices(customerId, page),
  );
  return { data: data.map((invoice) => toInvoice(invoice)), nextCursor };
}

/** A list of the provider's as a list of ours: our cursors hold the provider's, signed. */
async function listed<Item extends { id: string }>(
  ctx: Context,
  list: string,
  { limit, cursor }: PageRequest,
  read: (provider: BillingProvider, customerId: string, page: ProviderPage) => Promise<Listed<Item>>,
): Promise<Page<Item>> {
  const secret = ctx.config.secret("JWT_SECRET");
  const [after] = cursor === undefined ? [] : decodeCursor(secret, list, cursor);
  const { customerId } = await readAccount(ctx);
  if (customerId === null) return { data: [], nextCursor: null };
  const page = { limit, ...(typeof after === "string" && { after }) };
  const { data, hasMore } = await read(billingProvider(ctx.config), customerId, page);
  const last = data.at(-1);
  return { data, nextCursor: hasMore && last ? encodeCursor(secret, list, [last.id]) : null };
}

export async function getInvoice(ctx: Context, id: string) {
  const unknown = new AppError("not_found", `There is no invoice ${id}.`);
  const { customerId } = await readAccount(ctx);
  if (customerId === null) throw unknown;
  const invoice = await billingProvider(ctx.config)
    .invoice(id)
    .catch((error) => {
      throw error instanceof AppError && error.code === "provider_not_found" ? unknown : error;
    });
  // The provider's account may serve others besides us.
  if (invoice.customerId !== customerId) throw unknown;
  return { ...toInvoice(invoice), lines: invoice.lines };
}

function toInvoice({ customerId, lines, ...invoice }: Invoice) {
  return {
    ...invoice,
    createdAt: invoice.createdAt.toISOString(),
    periodStart: invoice.periodStart.toISOString(),
    periodEnd: invoice.periodEnd.toISOString(),
  };
}
