import { eraseAll, onePage, type PersonalData } from "../../db/personal-data.ts";
import { outbox, webhookMessages } from "../../db/schema/webhooks.ts";
import { exportWebhooks } from "./endpoints.ts";

/** The person's endpoints, without their secrets. Messages repeat other records, so they are only erased. */
export const personalData: readonly PersonalData[] = [
  {
    name: "webhooks",
    pages: onePage(exportWebhooks),
    async erase({ db }) {
      for (const table of [webhookMessages, outbox]) await eraseAll(db, table);
    },
  },
];
