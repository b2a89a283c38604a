import { eraseAll, type KeptData, onePage } from "../../db/personal-data.ts";
import { outbox, webhookMessages } from "../../db/schema/webhooks.ts";
import { exportWebhooks } from "./endpoints.ts";

/** A person's endpoints, without their secrets. What was sent to them repeats other records, and is only erased. */
export const keptWebhooks: KeptData = {
  name: "webhooks",
  pages: (ctx) => onePage(exportWebhooks(ctx)),
  async erase({ db }) {
    for (const table of [webhookMessages, outbox]) await eraseAll(db, table);
  },
};
