import { eq } from "drizzle-orm";
import { signedInUser } from "../../../context.ts";
import { eraseAll, onePage, type PersonalDataSection, tablePages } from "../../../db/personal-data.ts";
import { aiCalls, modelState } from "../../../db/schema/ai-models.ts";
import { ALERTS_A_PERSON, listAlerts } from "./alerts.ts";

/** The AI calls made with the person's own credential. The sums of all calls are stored elsewhere, and stay. */
export const aiCallsSection: PersonalDataSection = {
  name: "aiCalls",
  pages: tablePages(aiCalls, {
    where: (ctx) => eq(aiCalls.userId, signedInUser(ctx).id),
    map: ({ userId: _, ...call }) => call,
  }),
  erase: ({ db }) => eraseAll(db, aiCalls),
};

export const tokenSections: readonly PersonalDataSection[] = [
  {
    name: "tokenAlerts",
    pages: onePage(async (ctx) => (await listAlerts(ctx, { limit: ALERTS_A_PERSON })).data),
  },
  {
    name: "tokenBudget",
    ownersOnly: true,
    pages: onePage(({ db }) => db.select({ monthlyLimit: modelState.monthlyLimit }).from(modelState)),
    // The next owner starts without a limit; the tokens used this month stay counted.
    async erase({ db, now }) {
      await db.update(modelState).set({ monthlyLimit: null, budgetUpdatedAt: now });
    },
  },
];
