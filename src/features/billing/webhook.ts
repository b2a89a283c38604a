import { and, eq, lt, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { AssertionFailed, assertExists, runBatch } from "../../db/assert.ts";
import { brokeConstraint } from "../../db/constraint.ts";
import { purge } from "../../db/purge.ts";
import { billingAccount, billingEvents, billingPurchases } from "../../db/schema/billing.ts";
import { randomToken } from "../../lib/crypto.ts";
import { AppError } from "../../lib/errors.ts";
import {
  type Interval,
  isEntitled,
  type PlanId,
  planOfLookupKey,
  TOKEN_PACKAGE_IDS,
  TOKEN_PACKAGES,
} from "../../lib/plans.ts";
import { log } from "../../log.ts";
import { billingProvider } from "../../providers/billing/open.ts";
import type {
  BillingProvider,
  ProviderCharge,
  ProviderEvent,
  ProviderSubscription,
} from "../../providers/billing/provider.ts";
import { audit } from "../audit/service.ts";
import { ownerId } from "../people/owners.ts";
import { type AccountRow, theAccount } from "./account.ts";

/** Longer than the provider retries, and longer than an event can be resent by hand. */
const EVENTS_KEPT_MS = 90 * 24 * 60 * 60 * 1000;
/** How often a delivery starts over because a parallel one was faster. */
const ATTEMPTS = 5;

/**
 * Processes an event. It only says that something changed: the current state is read from the provider, so the order of
 * events does not matter. If the provider cannot be reached nothing is written, and it delivers the event again.
 */
export async function receiveWebhook(ctx: Context, rawBody: string, signature: string | null) {
  const provider = billingProvider(ctx.config);
  const event = await provider.readEvent(rawBody, signature, webhookSecret(ctx, provider), ctx.now);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const isDuplicate = await processEvent(ctx, provider, event);
    if (isDuplicate !== null) return { received: true as const, duplicate: isDuplicate };
  }
  throw new AppError("unavailable", "Too many parallel deliveries. Deliver this event again.");
}

function webhookSecret(ctx: Context, provider: BillingProvider): string {
  const { STRIPE_WEBHOOK_SECRET } = ctx.config;
  if (STRIPE_WEBHOOK_SECRET || provider.name === "none") return STRIPE_WEBHOOK_SECRET ?? "";
  throw new AppError("misconfigured", "STRIPE_WEBHOOK_SECRET is missing. Set it with `wrangler secret put`.");
}

/** Whether the event was processed before; null when a parallel delivery was faster and this one must start over. */
async function processEvent(ctx: Context, provider: BillingProvider, event: ProviderEvent): Promise<boolean | null> {
  const [[known], [account], [purchase]] = await ctx.db.batch([
    ctx.db.select({ id: billingEvents.id }).from(billingEvents).where(eq(billingEvents.id, event.id)),
    ctx.db
      .update(billingAccount)
      .set({ lastTicket: sql`${billingAccount.lastTicket} + 1` })
      .where(theAccount)
      .returning(),
    ctx.db
      .select({ checkoutId: billingPurchases.checkoutId })
      .from(billingPurchases)
      .where(eq(billingPurchases.checkoutId, event.objectId ?? "")),
  ]);
  if (!account) throw new Error("the billing account has no row");
  if (known) return true;
  const consequences = await followUp(ctx, provider, event, account, purchase !== undefined);
  try {
    await runBatch(ctx.db, [
      ctx.db.insert(billingEvents).values({ id: event.id, type: event.type, receivedAt: ctx.now }),
      ...consequences,
    ]);
    return false;
  } catch (error) {
    const isOvertaken =
      error instanceof AssertionFailed ||
      brokeConstraint(error, "billing_events.id") ||
      brokeConstraint(error, "billing_purchases.");
    if (isOvertaken) return null;
    throw error;
  }
}

/** The statements of an event, for the batch that also stores the event. */
async function followUp(
  ctx: Context,
  provider: BillingProvider,
  event: ProviderEvent,
  account: AccountRow,
  isCredited: boolean,
) {
  const { type, objectId } = event;
  // The provider's account may have other customers.
  if (account.customerId === null || event.customerId !== account.customerId) return [];
  if (type === "customer.deleted") return [forgetCustomer(ctx, account.customerId)];
  if (type.startsWith("checkout.session.") && objectId !== null && !isCredited) {
    const purchase = await credit(ctx, provider, objectId, account);
    if (purchase.length > 0) return purchase;
  }
  if (type === "charge.refunded" && objectId !== null) return refund(ctx, await provider.charge(objectId));
  const concernsSubscription = /^(checkout\.session|customer\.subscription|invoice)\./.test(type);
  return concernsSubscription ? storeSubscription(ctx, account, await provider.subscription(account.customerId)) : [];
}

/** The tokens of a paid checkout. The checkout is the primary key, so they are credited once. */
async function credit(ctx: Context, provider: BillingProvider, checkoutId: string, account: AccountRow) {
  const checkout = await provider.checkout(checkoutId);
  const { id, reference, customerId, paid, metadata, amount, currency, paymentId, refunded } = checkout;
  const bought = TOKEN_PACKAGE_IDS.find((name) => name === metadata.package);
  const isOurs = reference === account.reference && customerId === account.customerId;
  if (!bought || !isOurs || !paid) return [];
  const { tokens } = TOKEN_PACKAGES[bought];
  // The buyer's account may have been deleted.
  const userId = sql`(SELECT id FROM users WHERE id = ${Number(metadata.userId ?? 0)})`;
  const refundedTokens = amount ? Math.floor((tokens * refunded) / amount) : 0;
  const purchase = { checkoutId: id, package: bought, tokens, refundedTokens, paymentId, amount, currency };
  return [
    ctx.db.insert(billingPurchases).values({ ...purchase, userId, creditedAt: ctx.now }),
    audit(ctx, "tokens.purchased", { userId, details: { package: bought, tokens } }),
  ];
}

/** Removes the refunded share of the tokens, never twice. */
function refund(ctx: Context, { paymentId, amount, refunded }: ProviderCharge) {
  if (paymentId === null || amount <= 0) return [];
  const isBought = eq(billingPurchases.paymentId, paymentId);
  // D1 binds numbers as floating point.
  const back = sql`CAST(${billingPurchases.tokens} * ${refunded} / ${amount} AS INTEGER)`;
  return [
    ctx.db
      .update(billingPurchases)
      .set({ refundedTokens: back })
      .where(and(isBought, lt(billingPurchases.refundedTokens, back))),
  ];
}

/**
 * Writes the subscription as read from the provider. The ticket was drawn before reading, so that an older state never
 * replaces a newer one: a later change has an event of its own, which draws a later ticket.
 */
function storeSubscription(ctx: Context, account: AccountRow, subscription: ProviderSubscription | null) {
  const { plan, interval } = entitlement(account, subscription);
  const ticket = account.lastTicket;
  const isNewest = lt(billingAccount.stateTicket, ticket);
  const write = ctx.db
    .update(billingAccount)
    .set({
      plan,
      interval,
      subscriptionId: subscription?.id ?? null,
      status: subscription?.status ?? null,
      currentPeriodStart: subscription?.currentPeriodStart ?? null,
      currentPeriodEnd: subscription?.currentPeriodEnd ?? null,
      trialEndsAt: subscription?.trialEndsAt ?? null,
      cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
      stateTicket: ticket,
      updatedAt: ctx.now,
    })
    .where(and(theAccount, eq(billingAccount.reference, account.reference), isNewest));
  const before = account.plan ?? "free";
  if (plan === before) return [write];
  return [
    assertExists(ctx.db, billingAccount, and(theAccount, isNewest)),
    audit(ctx, "billing.plan_changed", { userId: ownerId(ctx), details: { from: before, to: plan } }),
    write,
  ];
}

function entitlement(
  account: AccountRow,
  subscription: ProviderSubscription | null,
): { plan: PlanId; interval: Interval | null } {
  if (!subscription || !isEntitled(subscription.status)) return { plan: "free", interval: null };
  const known = planOfLookupKey(subscription.lookupKey);
  if (known) return known;
  // The subscription is paid: an unknown price must not take the plan away.
  log("error", "billing_price_unknown", { subscription: subscription.id, lookupKey: subscription.lookupKey });
  return { plan: account.plan ?? "free", interval: account.interval };
}

/** The customer was deleted at the provider. Purchased tokens stay. */
function forgetCustomer(ctx: Context, customerId: string) {
  return ctx.db
    .update(billingAccount)
    .set({
      reference: randomToken(),
      customerId: null,
      plan: "free",
      subscriptionId: null,
      status: null,
      interval: null,
      currentPeriodStart: null,
      currentPeriodEnd: null,
      trialEndsAt: null,
      cancelAtPeriodEnd: false,
      updatedAt: ctx.now,
    })
    .where(and(theAccount, eq(billingAccount.customerId, customerId)));
}

export function purgeBillingEvents(ctx: Context): Promise<number> {
  const oldest = new Date(ctx.now.getTime() - EVENTS_KEPT_MS);
  return purge(ctx.db, billingEvents, lt(billingEvents.receivedAt, oldest), ctx.signal);
}
