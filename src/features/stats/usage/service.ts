import type { Context } from "../../../context.ts";
import { counters } from "../../../db/schema/stats.ts";
import { EMAIL_STATUSES } from "../../../lib/email-kinds.ts";
import { PLANS } from "../../../lib/plans.ts";
import { TASK_STATUSES } from "../../../lib/task-kinds.ts";
import { selectMonth } from "../../ai-models/tokens/figures.ts";
import { monthOf } from "../../ai-models/tokens/month.ts";
import { limitsOf, planOf, selectBilling } from "../../billing/account.ts";
import { eventTotal, selectEventTotals } from "../../calendar/statistics/service.ts";
import { selectEmailTotals } from "../../emails/boxes.ts";
import { selectTaskTotals } from "../../tasks/list.ts";

/** Read from stored counts, in one batch. */
export async function readUsage(ctx: Context) {
  const [totals, [emails], [tasks], events, [month], [account]] = await ctx.db.batch([
    ctx.db.select().from(counters),
    selectEmailTotals(ctx),
    selectTaskTotals(ctx),
    selectEventTotals(ctx),
    selectMonth(ctx),
    selectBilling(ctx),
  ]);
  const total = (area: string, key: string) =>
    totals.find((each) => each.area === area && each.key === key)?.value ?? 0;
  const limits = limitsOf(ctx, account);
  const plan = planOf(ctx, account);
  const { start, end } = monthOf(ctx.now);
  return {
    plan,
    planName: PLANS[plan].name,
    periodStart: start.toISOString(),
    periodEnd: end.toISOString(),
    aiTokens: { used: month ? month.inputTokens + month.outputTokens : 0, limit: limits.aiTokensPerMonth },
    aiCalls: { used: month?.calls ?? 0, limit: null },
    emails: { used: emails ? EMAIL_STATUSES.reduce((count, status) => count + emails[status], 0) : 0, limit: null },
    tasks: { used: TASK_STATUSES.reduce((count, status) => count + (tasks?.[status] ?? 0), 0), limit: null },
    events: { used: eventTotal(events), limit: null },
    apiKeys: { used: total("service", "api_keys"), limit: limits.apiKeys },
    webhooks: { used: total("service", "webhooks"), limit: limits.webhooks },
  };
}
