import { and, eq, gte, lt, sql } from "drizzle-orm";
import { type Context, timeZoneOf } from "../../../context.ts";
import { listPage } from "../../../db/page.ts";
import { aiCalls } from "../../../db/schema/ai-models.ts";
import { aiUsageDays, aiUsageMonths } from "../../../db/schema/ai-models-budget.ts";
import { DAY_MS, dateOf, lowerBound, upperBound } from "../../../lib/time-zone.ts";
import { monthOf } from "./month.ts";
import type { CallQuery } from "./schemas.ts";

const USAGE_PERIODS = { "7d": 7, "30d": 30, "90d": 90 } as const;
type UsagePeriod = keyof typeof USAGE_PERIODS;

type CallRow = typeof aiCalls.$inferSelect;

const sums = {
  calls: sql<number>`sum(${aiUsageDays.calls})`,
  fallbacks: sql<number>`sum(${aiUsageDays.fallbacks})`,
  inputTokens: sql<number>`sum(${aiUsageDays.inputTokens})`,
  outputTokens: sql<number>`sum(${aiUsageDays.outputTokens})`,
};

const NONE = { calls: 0, fallbacks: 0, inputTokens: 0, outputTokens: 0 };
type Sums = typeof NONE;

function withTotal({ calls, fallbacks, inputTokens, outputTokens }: Sums) {
  return { calls, fallbacks, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function addUp(rows: readonly Sums[]) {
  const sum = (name: keyof Sums) => rows.reduce((total, row) => total + row[name], 0);
  const [inputTokens, outputTokens] = [sum("inputTokens"), sum("outputTokens")];
  return withTotal({ calls: sum("calls"), fallbacks: sum("fallbacks"), inputTokens, outputTokens });
}

/** The days of a period up to today, in UTC as the budget's months are. */
function daysOf(ctx: Context, period: UsagePeriod): number[] {
  const today = ctx.now.getTime() - (ctx.now.getTime() % DAY_MS);
  const count = USAGE_PERIODS[period];
  return Array.from({ length: count }, (_, index) => today - (count - 1 - index) * DAY_MS);
}

/** Includes the days without a call. */
export async function usageByDay(ctx: Context, period: UsagePeriod) {
  const days = daysOf(ctx, period);
  const rows = await ctx.db
    .select({ day: aiUsageDays.day, ...sums })
    .from(aiUsageDays)
    .where(gte(aiUsageDays.day, days[0] ?? 0))
    .groupBy(aiUsageDays.day);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const series = days.map((day) => ({ date: dateOf(day), ...withTotal(byDay.get(day) ?? NONE) }));
  return { period, from: dateOf(days[0] ?? 0), until: dateOf(days.at(-1) ?? 0), totals: addUp(series), series };
}

export async function usageByModel(ctx: Context, period: UsagePeriod) {
  const [from = 0] = daysOf(ctx, period);
  const rows = await ctx.db
    .select({ model: aiUsageDays.model, ...sums })
    .from(aiUsageDays)
    .where(gte(aiUsageDays.day, from))
    .groupBy(aiUsageDays.model);
  const data = rows
    .map((row) => ({ model: row.model, ...withTotal(row) }))
    .sort((a, b) => b.totalTokens - a.totalTokens || b.calls - a.calls);
  return { period, totals: addUp(rows), data };
}

/** Newest first. */
export function listCalls(ctx: Context, query: CallQuery) {
  const { model, task, from, until } = query;
  const zone = () => timeZoneOf(ctx);
  const where = and(
    model ? eq(aiCalls.model, model) : undefined,
    task && eq(aiCalls.task, task),
    from ? gte(aiCalls.at, lowerBound(zone, from)) : undefined,
    until ? lt(aiCalls.at, upperBound(zone, until)) : undefined,
  );
  const paged = { list: "ai-calls", table: aiCalls, by: ["at", "id"], order: "desc", where } as const;
  return listPage(ctx, query, paged, toCall);
}

function toCall({ at, inputTokens, outputTokens, ...call }: CallRow) {
  return { ...call, at: at.toISOString(), inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/** The statement that reads this month's sums, for a batch. */
export function selectMonth(ctx: Context) {
  return ctx.db
    .select()
    .from(aiUsageMonths)
    .where(eq(aiUsageMonths.month, monthOf(ctx.now).name));
}
