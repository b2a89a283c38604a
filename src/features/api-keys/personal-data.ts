import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { type PersonalData, walk } from "../../db/personal-data.ts";
import { apiKeys } from "../../db/schema/api-keys.ts";
import { toApiKey } from "./service.ts";

const keys: PersonalData = {
  name: "apiKeys",
  async *pages(ctx) {
    const pages = walk<typeof apiKeys.$inferSelect>(
      apiKeys.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(apiKeys).where(where).orderBy(order).limit(limit),
      { where: eq(apiKeys.userId, signedInUser(ctx).id) },
    );
    for await (const rows of pages) yield rows.map(toApiKey);
  },
};

export const personalData: readonly PersonalData[] = [keys];
