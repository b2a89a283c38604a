import { onePage, type PersonalData, tablePages } from "../../db/personal-data.ts";
import { billingPurchases } from "../../db/schema/billing.ts";
import { getSubscription } from "./service.ts";

/** Neither is erased: the plan and the tokens that were paid for belong to the service. */
export const personalData: readonly PersonalData[] = [
  {
    name: "subscription",
    ownersOnly: true,
    pages: onePage(async (ctx) => [await getSubscription(ctx)]),
    archive: { notImported: "It belongs to the payment provider." },
  },
  {
    name: "tokenPurchases",
    ownersOnly: true,
    pages: tablePages(billingPurchases, { map: ({ userId: _, ...purchase }) => purchase }),
    archive: { table: billingPurchases },
  },
];
