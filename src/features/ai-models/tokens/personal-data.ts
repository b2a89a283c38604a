import { eq, isNull } from "drizzle-orm";
import { signedInUser } from "../../../context.ts";
import type { Row } from "../../../db/archive.ts";
import { eraseAll, onePage, type PersonalData, tablePages } from "../../../db/personal-data.ts";
import { aiCalls, modelState } from "../../../db/schema/ai-models.ts";
import { tokenAlerts, tokenBudget } from "../../../db/schema/ai-models-budget.ts";
import { selectState } from "../active.ts";
import { ALERTS_A_PERSON, listAlerts } from "./alerts.ts";

export const personalData: readonly PersonalData[] = [
  {
    // The calls made with the person's credentials. The sums of all calls are in other tables, and stay.
    name: "aiCalls",
    pages: tablePages(aiCalls, {
      where: (ctx) => eq(aiCalls.userId, signedInUser(ctx).id),
      map: ({ userId: _, ...call }) => call,
    }),
    // The sums that statistics show are made from all calls.
    archive: {
      table: aiCalls,
      where: (ctx) => (signedInUser(ctx).role === "owner" ? undefined : eq(aiCalls.userId, signedInUser(ctx).id)),
      mayExist: true,
    },
    erase: ({ db }) => eraseAll(db, aiCalls),
  },
  {
    name: "tokenAlerts",
    pages: onePage(async (ctx) => (await listAlerts(ctx, { limit: ALERTS_A_PERSON })).data),
    archive: { table: tokenAlerts, where: (ctx) => eq(tokenAlerts.userId, signedInUser(ctx).id) },
  },
  {
    name: "tokenBudget",
    ownersOnly: true,
    pages: onePage(({ db }) => db.select({ monthlyLimit: tokenBudget.monthlyLimit }).from(tokenBudget)),
    archive: { table: tokenBudget, replaces: true },
    // The next owner starts without a limit; used tokens stay counted.
    async erase({ db, now }) {
      await db.update(tokenBudget).set({ monthlyLimit: null, updatedAt: now });
    },
  },
  {
    name: "aiModel",
    ownersOnly: true,
    pages: onePage(({ db }) =>
      db.select({ model: modelState.model, updatedAt: modelState.updatedAt }).from(modelState),
    ),
    archive: {
      table: modelState,
      replaces: true,
      settle: {
        reason:
          "A model was selected here, or models were switched off here, before the import. That stays, so that no text " +
          "goes where you did not send it. Select the model of the archive yourself if you want it.",
        async row(row, ctx) {
          const [state] = await selectState(ctx);
          const isOther = row.updatedAt !== null && row.model !== state?.model;
          return state?.updatedAt && isOther && mayStartModels(row) ? row : null;
        },
      },
      // Asked again by the statement: somebody may switch models off meanwhile.
      write: ({ db }, rows) =>
        rows.map((row) =>
          db
            .update(modelState)
            .set(row)
            .where(mayStartModels(row) ? isNull(modelState.updatedAt) : undefined),
        ),
    },
  },
];

/** Whether texts may go to a provider because of the row. An archive may switch models off. */
const mayStartModels = ({ model }: Row) => model !== "builtin";
