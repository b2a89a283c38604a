import { and, eq, isNull } from "drizzle-orm";
import type { Account, Context } from "../../context.ts";
import { signedInOwner } from "../../context.ts";
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

/** The provider, for the owner who pays. Members may look, not buy. */
function openShop(ctx: Context): { provider: BillingProvider; owner: Account } {
  const provider = billingProvider(ctx.config);
  if (provider.name === "none") throw billingNotConfigured();
  return { provider, owner: signedInOwner(ctx) };
}

/** A page of the provider on which the owner subscribes. Nothing changes here until its webhook says so. */
export async function startCheckout(ctx: Context, { plan, interval }: { plan: PaidPlan; interval: Interval }) {
  const { provider, owner } = openShop(ctx);
  const account = await readAccount(ctx);
  if (account.status !== null && isEntitled(account.status)) {
    throw new AppError(
      "already_subscribed",
      `The service has the plan ${PLANS[account.plan ?? "free"].name}. Change it in the portal.`,
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

/** A page of the provider on which the owner buys tokens. They are credited when its webhook says they are paid. */
export async function startPurchase(ctx: Context, id: TokenPackageId) {
  const { provider, owner } = openShop(ctx);
  const checkout = await createCheckout(ctx, provider, owner, await readAccount(ctx), {
    mode: "payment",
    lookupKey: TOKEN_PACKAGES[id].lookupKey,
    metadata: { package: id, userId: String(owner.id) },
  });
  await audit(ctx, "tokens.purchase_started", { userId: owner.id, details: { package: id } });
  return checkout;
}

/** The provider's own pages for plan, cards and invoices. */
export async function openPortal(ctx: Context) {
  const { provider, owner } = openShop(ctx);
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

/** The service is one customer: of two first orders at once, both get the same. */
async function createCustomer(ctx: Context, provider: BillingProvider, owner: Account, { reference }: AccountRow) {
  const { email, name } = owner;
  const customerId = await provider.createCustomer({ reference, email, name });
  // A checkout that fails after this may be asked for again with the same Idempotency-Key.
  await ctx.bookkeeping
    .update(billingAccount)
    .set({ customerId })
    .where(and(theAccount, eq(billingAccount.reference, reference), isNull(billingAccount.customerId)));
  return (await readAccount(ctx)).customerId ?? customerId;
}

/** Where the provider sends the person back to. */
function pageOf(ctx: Context): string {
  return `${ctx.baseUrl}/docs`;
}
