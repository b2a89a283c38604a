import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { eraseAll, onePage, type PersonalData } from "../../db/personal-data.ts";
import { outbox, webhookEndpoints, webhookMessages } from "../../db/schema/webhooks.ts";
import { newWebhookSecret } from "../../lib/webhook-signature.ts";
import { exportWebhooks } from "./endpoints.ts";
import { sealSecret } from "./secrets.ts";

const SECRETS = ["secret", "previousSecret", "previousSecretUntil"];
const IMPORTED = "Imported without its secret. Rotate the secret, give it to the receiver, and enable the endpoint.";

/** The person's endpoints, without their secrets. Messages repeat other records, so they are only erased. */
export const personalData: readonly PersonalData[] = [
  {
    name: "webhooks",
    pages: onePage(exportWebhooks),
    archive: {
      table: webhookEndpoints,
      where: (ctx) => eq(webhookEndpoints.userId, signedInUser(ctx).id),
      leaveOut: SECRETS,
      isLast: true,
      // Nobody knows its new secret yet, and it must not be sent what is imported.
      async complete(ctx, row) {
        const secret = await sealSecret(ctx, signedInUser(ctx).id, newWebhookSecret());
        return {
          ...row,
          secret,
          previousSecret: null,
          previousSecretUntil: null,
          enabled: false,
          disabledReason: IMPORTED,
        };
      },
    },
    async erase({ db }) {
      // What is in the outbox becomes messages.
      for (const table of [outbox, webhookMessages]) await eraseAll(db, table);
    },
  },
];
