import { eraseAll, type KeptData, onePage } from "../../db/personal-data.ts";
import { outbox, webhookMessages } from "../../db/schema/webhooks.ts";
import { exportWebhooks } from "./endpoints.ts";

/** Endpoints without their secrets. Sent messages repeat other records, so they are erased but not exported. */
export const keptWebhooks: KeptData = {
  name: "webhooks",
  pages: (ctx) => onePage(exportWebhooks(ctx)),
  async erase({ db }) {
    for (const table of [webhookMessages, outbox]) await eraseAll(db, table);
  },
};
