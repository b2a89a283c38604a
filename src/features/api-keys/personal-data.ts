import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { type PersonalData, tablePages } from "../../db/personal-data.ts";
import { apiKeys } from "../../db/schema/api-keys.ts";
import { toApiKey } from "./service.ts";

export const personalData: readonly PersonalData[] = [
  {
    name: "apiKeys",
    pages: tablePages(apiKeys, { where: (ctx) => eq(apiKeys.userId, signedInUser(ctx).id), map: toApiKey }),
    archive: { notImported: "Keys are secret: an export has only their names. Create new ones." },
  },
];
