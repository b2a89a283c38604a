import { eraseAll, onePage, type PersonalData } from "../../db/personal-data.ts";
import { outbox, webhookMessages } from "../../db/schema/webhooks.ts";
import { exportWebhooks } from "./endpoints.ts";

/** Endpoints without their secrets. Sent messages repeat other records, so they are erased but not exported. */
const endpoints: PersonalData = {
  name: "webhooks",
  pages: (ctx) => onePage(exportWebhooks(ctx)),
  async erase({ db }) {
    for (const table of [webhookMessages, outbox]) await eraseAll(db, table);
  },
};

export const personalData: readonly PersonalData[] = [endpoints];
