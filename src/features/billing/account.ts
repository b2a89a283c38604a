import { eq, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../context.ts";
import { billingAccount } from "../../db/schema/billing.ts";
import { AppError } from "../../lib/errors.ts";
import { PLANS, type PlanId, type PlanLimits } from "../../lib/plans.ts";
import { billingProvider } from "../../providers/billing/open.ts";

export type AccountRow = typeof billingAccount.$inferSelect;

export const theAccount = eq(billingAccount.id, 1);

/** The statement that reads the billing account, for a batch. */
export function selectBilling(ctx: Context) {
  return ctx.db.select().from(billingAccount).where(theAccount);
}

export async function readAccount(ctx: Context): Promise<AccountRow> {
  const [row] = await selectBilling(ctx);
  if (!row) throw new Error("the billing account has no row");
  return row;
}

/** Without a provider there is one plan, which has neither price nor limits. */
export function isBilled(ctx: Context): boolean {
  return billingProvider(ctx.config).name !== "none";
}

export function planOf(ctx: Context, row: Pick<AccountRow, "plan"> | undefined): PlanId {
  return isBilled(ctx) ? (row?.plan ?? "free") : "self_hosted";
}

export function limitsOf(ctx: Context, row: Pick<AccountRow, "plan"> | undefined): PlanLimits {
  return PLANS[planOf(ctx, row)].limits;
}

/** The plan's AI tokens per month as SQL, so that a statement uses the plan in force when it runs. */
export function allowanceSql(): SQL<number | null> {
  const cases = Object.entries(PLANS).map(([id, { limits }]) => sql`WHEN ${id} THEN ${limits.aiTokensPerMonth}`);
  return sql`(SELECT CASE coalesce(${billingAccount.plan}, 'free') ${sql.join(cases, sql` `)} END
    FROM ${billingAccount} WHERE ${theAccount})`;
}

const NAMES: Record<"webhooks" | "apiKeys", string> = { webhooks: "webhooks", apiKeys: "API keys" };

/** A plan's limit, checked by the statement that adds the record. */
export interface PlanRoom {
  /** Null is no limit. */
  limit: number | null;
  /** Thrown when the limit is reached. */
  refusal(): AppError;
}

export async function planRoom(ctx: Context, name: keyof typeof NAMES): Promise<PlanRoom> {
  const row = isBilled(ctx) ? await readAccount(ctx) : undefined;
  const plan = planOf(ctx, row);
  const limit = PLANS[plan].limits[name];
  const detail = `The ${PLANS[plan].name} plan allows ${limit} ${NAMES[name]}. Delete one or choose a larger plan.`;
  return { limit, refusal: () => new AppError("plan_limit_reached", detail, { details: { plan, limit } }) };
}
