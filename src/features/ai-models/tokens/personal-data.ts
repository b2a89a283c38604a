import { eq } from "drizzle-orm";
import { signedInUser } from "../../../context.ts";
import { eraseAll, onePage, type PersonalData, walk } from "../../../db/personal-data.ts";
import { aiCalls } from "../../../db/schema/ai-models.ts";
import { tokenBudget } from "../../../db/schema/ai-models-budget.ts";
import { ALERTS_A_PERSON, listAlerts } from "./alerts.ts";

type Call = typeof aiCalls.$inferSelect;

/** The AI calls made with a person's credentials. The sums of all calls are in other tables, and stay. */
const calls: PersonalData = {
  name: "aiCalls",
  async *pages(ctx) {
    const pages = walk<Call>(
      aiCalls.id,
      ({ id }) => id,
      (where, order, limit) => ctx.db.select().from(aiCalls).where(where).orderBy(order).limit(limit),
      { where: eq(aiCalls.userId, signedInUser(ctx).id) },
    );
    for await (const rows of pages) yield rows.map(({ userId: _, ...call }) => call);
  },
  erase: ({ db }) => eraseAll(db, aiCalls),
};

/** The next owner starts without a limit. Used tokens stay counted. */
const budget: PersonalData = {
  name: "tokenBudget",
  ownersOnly: true,
  pages: ({ db }) => onePage(db.select({ monthlyLimit: tokenBudget.monthlyLimit }).from(tokenBudget)),
  async erase({ db, now }) {
    await db.update(tokenBudget).set({ monthlyLimit: null, updatedAt: now });
  },
};

const alerts: PersonalData = {
  name: "tokenAlerts",
  pages: (ctx) => onePage(listAlerts(ctx, { limit: ALERTS_A_PERSON }).then(({ data }) => data)),
};

export const personalData: readonly PersonalData[] = [calls, alerts, budget];
