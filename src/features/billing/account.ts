import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { billingAccount } from "../../db/schema/billing.ts";
import { AppError } from "../../lib/errors.ts";
import { PLANS, type PlanId, type PlanLimits } from "../../lib/plans.ts";
import { billingProvider } from "../../providers/billing/open.ts";

export type AccountRow = typeof billingAccount.$inferSelect;

export const theAccount = eq(billingAccount.id, 1);

/** The statement that reads what the service has bought, to ride in another verb's batch. */
export function selectBilling(ctx: Context) {
  return ctx.db.select().from(billingAccount).where(theAccount);
}

export async function readAccount(ctx: Context): Promise<AccountRow> {
  const [row] = await selectBilling(ctx);
  if (!row) throw new Error("the billing account has no row");
  return row;
}

/** Whether plans have prices and limits here. Without a provider there is one plan, and it has neither. */
export function isBilled(ctx: Context): boolean {
  return billingProvider(ctx.config).name !== "none";
}

export function planOf(ctx: Context, row: Pick<AccountRow, "plan"> | undefined): PlanId {
  return isBilled(ctx) ? (row?.plan ?? "free") : "self_hosted";
}

export function limitsOf(ctx: Context, row: Pick<AccountRow, "plan"> | undefined): PlanLimits {
  return PLANS[planOf(ctx, row)].limits;
}

/** AI tokens a month that the plan brings, as SQL, so that a statement can use what holds at its very moment. */
export function allowanceSql(): SQL<number | null> {
  const cases = Object.entries(PLANS).map(([id, { limits }]) => sql`WHEN ${id} THEN ${limits.aiTokensPerMonth}`);
  return sql`(SELECT CASE coalesce(${billingAccount.plan}, 'free') ${sql.join(cases, sql` `)} END
    FROM ${billingAccount} WHERE ${theAccount})`;
}

/** What the plan allows of a thing; null is no limit. */
export async function planLimit(ctx: Context, name: keyof PlanLimits): Promise<number | null> {
  return isBilled(ctx) ? limitsOf(ctx, await readAccount(ctx))[name] : null;
}

const NAMES: Record<"webhooks" | "apiKeys", string> = { webhooks: "webhooks", apiKeys: "API keys" };

/** Throws `plan_limit_reached` when the plan does not allow one more of what there are `current` of. */
export async function requireWithinPlan(ctx: Context, name: keyof typeof NAMES, current: number): Promise<void> {
  if (!isBilled(ctx)) return;
  const row = await readAccount(ctx);
  const limit = limitsOf(ctx, row)[name];
  if (limit === null || current < limit) return;
  const plan = planOf(ctx, row);
  throw new AppError(
    "plan_limit_reached",
    `The plan ${PLANS[plan].name} allows ${limit} ${NAMES[name]}. Delete one, or choose a larger plan.`,
    { details: { plan, limit, current } },
  );
}
