import { eq } from "drizzle-orm";
import { signedInUser } from "../../context.ts";
import { type PersonalData, tablePages } from "../../db/personal-data.ts";
import { oauthGrants } from "../../db/schema/oauth.ts";
import { toConnection } from "./service.ts";

/** Deleted with the account, by its foreign key. */
export const personalData: readonly PersonalData[] = [
  {
    name: "connections",
    pages: tablePages(oauthGrants, { where: (ctx) => eq(oauthGrants.userId, signedInUser(ctx).id), map: toConnection }),
    archive: { notImported: "An agent is allowed to use one service. Connect it again." },
  },
];
