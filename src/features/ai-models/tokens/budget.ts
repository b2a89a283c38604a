import { eq, type SQL, sql } from "drizzle-orm";
import { type Context, signedInOwner } from "../../../context.ts";
import { aiUsageMonths, tokenBudget } from "../../../db/schema/ai-models-budget.ts";
import { AppError } from "../../../lib/errors.ts";
import { audit } from "../../audit/service.ts";
import { allowanceSql, isBilled, limitsOf, selectBilling } from "../../billing/account.ts";
import { type Month, monthOf } from "./month.ts";

const theBudget = eq(tokenBudget.id, 1);

/** The month's tokens as SQL. */
function usedSql({ name }: Month): SQL<number> {
  return sql`coalesce((SELECT ${aiUsageMonths.inputTokens} + ${aiUsageMonths.outputTokens}
    FROM ${aiUsageMonths} WHERE ${aiUsageMonths.month} = ${name}), 0)`;
}

interface Balance {
  used: number;
  /** The owner's limit; null is none. */
  limit: number | null;
  planAllowance: number | null;
  purchasedRemaining: number;
  /** Null is no limit. */
  remaining: number | null;
  month: Month;
}

/** One round trip of two statements, which read three rows and one for each month that drew on bought tokens. */
async function readBalance(ctx: Context): Promise<Balance> {
  const month = monthOf(ctx.now);
  const [[state], [account]] = await ctx.db.batch([
    ctx.db
      .select({
        limit: tokenBudget.monthlyLimit,
        used: usedSql(month),
        drawn: sql<number>`(SELECT coalesce(sum(${aiUsageMonths.drawn}), 0) FROM ${aiUsageMonths})`,
      })
      .from(tokenBudget)
      .where(theBudget),
    selectBilling(ctx),
  ]);
  const { limit = null, used = 0, drawn = 0 } = state ?? {};
  const planAllowance = limitsOf(ctx, account).aiTokensPerMonth;
  const purchasedRemaining = isBilled(ctx) ? Math.max(0, (account?.purchasedTokens ?? 0) - drawn) : 0;
  const left = [
    ...(limit === null ? [] : [limit - used]),
    // Purchased tokens extend the plan's allowance, never the owner's limit.
    ...(planAllowance === null ? [] : [Math.max(0, planAllowance - used) + purchasedRemaining]),
  ];
  const remaining = left.length === 0 ? null : Math.max(0, Math.min(...left));
  return { used, limit, planAllowance, purchasedRemaining, remaining, month };
}

/** Called before each model call. Throws `token_budget_exhausted`. */
export async function requireBudget(ctx: Context): Promise<void> {
  const { remaining, used, limit, planAllowance, month } = await readBalance(ctx);
  if (remaining === null || remaining > 0) return;
  const isOwnLimit = limit !== null && used >= limit;
  const detail = isOwnLimit
    ? `${used} of this month's budget of ${limit} tokens are used. The owner can raise the budget.`
    : `${used} tokens are used; the plan includes ${planAllowance} per month. Buy tokens or choose a larger plan.`;
  throw new AppError("token_budget_exhausted", detail, {
    retryAfter: (month.end.getTime() - ctx.now.getTime()) / 1000,
    details: { used, limit, planAllowance, resetsAt: month.end.toISOString() },
  });
}

export async function getBalance(ctx: Context) {
  const { month, ...balance } = await readBalance(ctx);
  return {
    ...balance,
    exhausted: balance.remaining === 0,
    periodStart: month.start.toISOString(),
    resetsAt: month.end.toISOString(),
  };
}

export async function setBudget(ctx: Context, monthlyLimit: number | null) {
  const owner = signedInOwner(ctx);
  await ctx.db.batch([
    ctx.db.update(tokenBudget).set({ monthlyLimit, updatedAt: ctx.now }).where(theBudget),
    audit(ctx, "tokens.budget_changed", { userId: owner.id, details: { monthlyLimit } }),
  ]);
  return getBalance(ctx);
}

/** The limit that percentages refer to, as SQL: the lower of the owner's budget and the plan's allowance, or NULL. */
export function standingSql(ctx: Context): { used: SQL<number>; limit: SQL<number | null> } {
  const budget = sql`(SELECT ${tokenBudget.monthlyLimit} FROM ${tokenBudget} WHERE ${theBudget})`;
  const limit = isBilled(ctx)
    ? sql<number | null>`coalesce(min(${budget}, ${allowanceSql()}), ${budget}, ${allowanceSql()})`
    : sql<number | null>`${budget}`;
  return { used: usedSql(monthOf(ctx.now)), limit };
}

/** Charges what a call used beyond the plan's allowance to the purchased tokens. Runs right after the call's insert. */
export function drawFromPurchased(ctx: Context, tokens: number) {
  const used = sql`(${aiUsageMonths.inputTokens} + ${aiUsageMonths.outputTokens})`;
  const beyond = sql`max(0, ${used} - max(${allowanceSql()}, ${used} - ${tokens}))`;
  return ctx.db
    .update(aiUsageMonths)
    .set({ drawn: sql`${aiUsageMonths.drawn} + coalesce(${beyond}, 0)` })
    .where(eq(aiUsageMonths.month, monthOf(ctx.now).name));
}
