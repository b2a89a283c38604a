import { onePage, type PersonalData, walk } from "../../db/personal-data.ts";
import { billingPurchases } from "../../db/schema/billing.ts";
import { getSubscription } from "./service.ts";

type Purchase = typeof billingPurchases.$inferSelect;

const subscription: PersonalData = {
  name: "subscription",
  ownersOnly: true,
  pages: (ctx) => onePage(getSubscription(ctx).then((subscription) => [subscription])),
};

/** Purchased tokens belong to the service, and stay when the last account is deleted. */
const purchases: PersonalData = {
  name: "tokenPurchases",
  ownersOnly: true,
  async *pages({ db }) {
    const pages = walk<Purchase>(
      billingPurchases.checkoutId,
      ({ checkoutId }) => checkoutId,
      (where, order, limit) => db.select().from(billingPurchases).where(where).orderBy(order).limit(limit),
    );
    for await (const rows of pages) yield rows.map(({ userId: _, ...purchase }) => purchase);
  },
};

export const personalData: readonly PersonalData[] = [subscription, purchases];
