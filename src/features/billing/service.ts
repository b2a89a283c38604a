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

/** The subscription as of the last verified webhook. */
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

export async function listTokenPackages(ctx: Context) {
  const prices = await currentPrices(ctx);
  return {
    data: TOKEN_PACKAGE_IDS.map((id) => {
      const { name, tokens, lookupKey } = TOKEN_PACKAGES[id];
      const { amount = null, currency = null } = prices.get(lookupKey) ?? {};
      return { id, name, tokens, available: prices.has(lookupKey), amount, currency };
    }),
  };
}

const LOOKUP_KEYS = [
  ...PAID_PLANS.flatMap((plan) => INTERVALS.map((interval) => planLookupKey(plan, interval))),
  ...TOKEN_PACKAGE_IDS.map((id) => TOKEN_PACKAGES[id].lookupKey),
];
const PRICES_CACHED_MS = 5 * 60 * 1000;
const priceCache = new WeakMap<Context["config"], { until: number; prices: Map<string, Price> }>();

/** Prices for display, cached for a few minutes. A checkout reads its price again. */
async function currentPrices(ctx: Context): Promise<Map<string, Price>> {
  const cached = priceCache.get(ctx.config);
  if (cached && cached.until > ctx.now.getTime()) return cached.prices;
  const prices = await billingProvider(ctx.config).prices(LOOKUP_KEYS);
  priceCache.set(ctx.config, { until: ctx.now.getTime() + PRICES_CACHED_MS, prices });
  return prices;
}

export function listPaymentMethods(ctx: Context, request: PageRequest): Promise<Page<PaymentMethod>> {
  return listed(ctx, "payment methods", request, (provider, customerId, page) =>
    provider.paymentMethods(customerId, page),
  );
}

export async function listInvoices(ctx: Context, request: PageRequest) {
  const { data, nextCursor } = await listed(ctx, "invoices", request, (provider, customerId, page) =>
    provider.invoices(customerId, page),
  );
  return { data: data.map((invoice) => toInvoice(invoice)), nextCursor };
}

/** Pages through a list of the provider. Our cursors contain the provider's, signed. */
async function listed<Item extends { id: string }>(
  ctx: Context,
  list: string,
  { limit, cursor }: PageRequest,
  read: (provider: BillingProvider, customerId: string, page: ProviderPage) => Promise<Listed<Item>>,
): Promise<Page<Item>> {
  const secrets = ctx.config.secrets("JWT_SECRET");
  const [after] = cursor === undefined ? [] : decodeCursor(secrets, list, cursor);
  const { customerId } = await readAccount(ctx);
  if (customerId === null) return { data: [], nextCursor: null };
  const page = { limit, ...(typeof after === "string" && { after }) };
  const { data, hasMore } = await read(billingProvider(ctx.config), customerId, page);
  const last = data.at(-1);
  return { data, nextCursor: hasMore && last ? encodeCursor(secrets, list, [last.id]) : null };
}

export async function getInvoice(ctx: Context, id: string) {
  const unknown = new AppError("not_found", `Invoice ${id} does not exist.`);
  const { customerId } = await readAccount(ctx);
  if (customerId === null) throw unknown;
  const invoice = await billingProvider(ctx.config)
    .invoice(id)
    .catch((error) => {
      throw error instanceof AppError && error.code === "provider_not_found" ? unknown : error;
    });
  // The provider's account may have other customers.
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
