import { type KeptData, onePage } from "../../db/kept-data.ts";
import { exportWebhooks } from "./endpoints.ts";

/** A person's endpoints, without their secrets. */
export const keptWebhooks: KeptData = { name: "webhooks", pages: (ctx) => onePage(exportWebhooks(ctx)) };
