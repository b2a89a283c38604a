import { and, eq, isNull } from "drizzle-orm";
import { type Account, type Context, signedInOwner } from "../../context.ts";
import { billingAccount } from "../../db/schema/billing.ts";
import { AppError } from "../../lib/errors.ts";
import {
  type Interval,
  isEntitled,
  type PaidPlan,
  PLANS,
  planLookupKey,
  TOKEN_PACKAGES,
  type TokenPackageId,
} from "../../lib/plans.ts";
import { billingNotConfigured } from "../../providers/billing/none.ts";
import { billingProvider } from "../../providers/billing/open.ts";
import type { BillingProvider, NewCheckout } from "../../providers/billing/provider.ts";
import { audit } from "../audit/service.ts";
import { type AccountRow, readAccount, theAccount } from "./account.ts";

/** Only the owner can buy. */
function requireBuyer(ctx: Context): { provider: BillingProvider; owner: Account } {
  const provider = billingProvider(ctx.config);
  if (provider.name === "none") throw billingNotConfigured();
  return { provider, owner: signedInOwner(ctx) };
}

/** Creates a payment page. The plan changes when the provider's webhook reports the payment. */
export async function startCheckout(ctx: Context, { plan, interval }: { plan: PaidPlan; interval: Interval }) {
  const { provider, owner } = requireBuyer(ctx);
  const account = await readAccount(ctx);
  if (account.status !== null && isEntitled(account.status)) {
    const { name } = PLANS[account.plan ?? "free"];
    throw new AppError(
      "already_subscribed",
      `The service already has the ${name} plan. Change it in the billing portal.`,
    );
  }
  const checkout = await createCheckout(ctx, provider, owner, account, {
    mode: "subscription",
    lookupKey: planLookupKey(plan, interval),
    metadata: { plan, interval },
  });
  await audit(ctx, "billing.checkout_started", { userId: owner.id, details: { plan, interval } });
  return checkout;
}

/** Creates a payment page. The tokens are credited when the provider's webhook reports the payment. */
export async function startPurchase(ctx: Context, id: TokenPackageId) {
  const { provider, owner } = requireBuyer(ctx);
  const checkout = await createCheckout(ctx, provider, owner, await readAccount(ctx), {
    mode: "payment",
    lookupKey: TOKEN_PACKAGES[id].lookupKey,
    metadata: { package: id, userId: String(owner.id) },
  });
  await audit(ctx, "tokens.purchase_started", { userId: owner.id, details: { package: id } });
  return checkout;
}

export async function openPortal(ctx: Context) {
  const { provider, owner } = requireBuyer(ctx);
  const { customerId } = await readAccount(ctx);
  if (customerId === null) {
    throw new AppError("conflict", "Nothing has been bought yet. Start with POST /api/settings/billing/checkout.");
  }
  const portal = await provider.createPortal({ customerId, returnUrl: pageOf(ctx) });
  await audit(ctx, "billing.portal_opened", { userId: owner.id });
  return portal;
}

interface Order extends Pick<NewCheckout, "mode" | "metadata"> {
  lookupKey: string;
}

async function createCheckout(
  ctx: Context,
  provider: BillingProvider,
  owner: Account,
  account: AccountRow,
  { lookupKey, ...order }: Order,
) {
  const price = (await provider.prices([lookupKey])).get(lookupKey);
  if (!price) {
    throw new AppError("provider_not_found", `The billing provider has no price with the lookup key ${lookupKey}.`);
  }
  const { id, url, expiresAt } = await provider.createCheckout({
    ...order,
    customerId: account.customerId ?? (await createCustomer(ctx, provider, owner, account)),
    reference: account.reference,
    priceId: price.id,
    successUrl: `${pageOf(ctx)}?checkout=done`,
    cancelUrl: `${pageOf(ctx)}?checkout=cancelled`,
  });
  return { id, url, expiresAt: expiresAt.toISOString() };
}

/** The service is one customer: two first orders at once get the same one. */
async function createCustomer(ctx: Context, provider: BillingProvider, owner: Account, { reference }: AccountRow) {
  const { email, name } = owner;
  const customerId = await provider.createCustomer({ reference, email, name });
  // A checkout that fails later can be repeated with the same Idempotency-Key.
  await ctx.bookkeeping
    .update(billingAccount)
    .set({ customerId })
    .where(and(theAccount, eq(billingAccount.reference, reference), isNull(billingAccount.customerId)));
  return (await readAccount(ctx)).customerId ?? customerId;
}

/** Where the provider redirects the browser to. */
function pageOf(ctx: Context): string {
  return `${ctx.baseUrl}/docs`;
}
