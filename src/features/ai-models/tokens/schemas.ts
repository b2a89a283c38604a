import { z } from "@hono/zod-openapi";
import { Id, IdParam, listOf, pageParams, Timestamp, TimestampInput } from "../../../http/schemas.ts";
import { AI_TASKS, MODELS } from "../../../lib/ai-kinds.ts";
import { TOKEN_PACKAGE_IDS } from "../../../lib/plans.ts";

const count = z.int().openapi({ example: 1200 });
const MAX_TOKENS = 1_000_000_000_000;

export const TokenBalance = z
  .object({
    used: count.openapi({ description: "Tokens used this month, input and output together." }),
    limit: z.int().nullable().openapi({ example: 500_000, description: "The owner's monthly budget; null is none." }),
    planAllowance: z
      .int()
      .nullable()
      .openapi({ example: null, description: "Tokens a month that the plan brings; null is no limit." }),
    purchasedRemaining: z
      .int()
      .openapi({ example: 0, description: "Bought and not used yet; drawn on when the plan's own are used up." }),
    remaining: z
      .int()
      .nullable()
      .openapi({ example: 498_800, description: "What models may still use this month; null is without end." }),
    exhausted: z.boolean().openapi({ example: false, description: "Models are not asked; the built-in engine is." }),
    periodStart: Timestamp.openapi({ description: "The month is a calendar month of UTC." }),
    resetsAt: Timestamp,
  })
  .openapi("TokenBalance");

const sums = {
  calls: z.int().openapi({ example: 14 }),
  fallbacks: z.int().openapi({ example: 1, description: "Calls that the built-in engine answered for a model." }),
  inputTokens: z.int().openapi({ example: 9200 }),
  outputTokens: z.int().openapi({ example: 2100 }),
  totalTokens: z.int().openapi({ example: 11_300 }),
};
const Totals = z.object(sums);
const date = z.iso.date().openapi({ example: "2026-11-15" });
const Period = z.enum(["7d", "30d", "90d"]).openapi({ example: "30d" });
const ModelOrBuiltin = z.enum([...MODELS, "builtin"]).openapi({ example: "model_a" });

export const PeriodQuery = z.object({
  period: Period.default("30d").openapi({ description: "How many days back, today included." }),
});

export const TokenUsage = z
  .object({
    period: Period,
    from: date,
    until: date,
    totals: Totals,
    series: z.array(z.object({ date, ...sums })).openapi({ description: "Every day of UTC, oldest first." }),
  })
  .openapi("TokenUsage");

export const TokenUsageByModel = z
  .object({
    period: Period,
    totals: Totals,
    data: z.array(z.object({ model: ModelOrBuiltin, ...sums })).openapi({ description: "Most tokens first." }),
  })
  .openapi("TokenUsageByModel");

export const CallQuery = z.object({
  model: ModelOrBuiltin.optional(),
  task: z.enum(AI_TASKS).optional().openapi({ example: "chat" }),
  from: TimestampInput.optional().openapi({ description: "Calls at or after this time." }),
  until: TimestampInput.optional().openapi({ description: "Calls before this time." }),
  ...pageParams,
});

export const AiCall = z
  .object({
    id: Id,
    at: Timestamp,
    task: z.enum(AI_TASKS).openapi({ example: "chat" }),
    userId: z
      .int()
      .nullable()
      .openapi({ example: 1, description: "Whose credential it was; null when there was none." }),
    model: ModelOrBuiltin,
    provider: z.string().nullable().openapi({ example: "anthropic" }),
    upstreamModel: z.string().nullable().openapi({ example: "claude-sonnet-4-5" }),
    inputTokens: count,
    outputTokens: count,
    totalTokens: count,
    durationMs: z.int().openapi({ example: 840 }),
    fallbackReason: z.string().nullable().openapi({ example: null }),
  })
  .openapi("AiCall");

export const AiCallList = listOf(AiCall, "AiCallList");

export const TokenPackageList = z
  .object({
    data: z.array(
      z.object({
        id: z.enum(TOKEN_PACKAGE_IDS).openapi({ example: "tokens_1m" }),
        name: z.string().openapi({ example: "1 million tokens" }),
        tokens: z.int().openapi({ example: 1_000_000 }),
        available: z.boolean().openapi({ example: true, description: "Whether it can be bought here." }),
        amount: z.int().nullable().openapi({ example: 900, description: "In the currency's smallest unit." }),
        currency: z.string().nullable().openapi({ example: "eur" }),
      }),
    ),
  })
  .openapi("TokenPackageList");

export const NewPurchase = z
  .object({ package: z.enum(TOKEN_PACKAGE_IDS).openapi({ example: "tokens_1m" }) })
  .openapi("NewTokenPurchase");

export const NewBudget = z
  .object({
    monthlyLimit: z
      .int()
      .min(0)
      .max(MAX_TOKENS)
      .nullable()
      .openapi({ example: 500_000, description: "Tokens a month; null is no limit of the owner's own." }),
  })
  .openapi("NewTokenBudget");

const unit = z.enum(["percent", "tokens"]).openapi({
  example: "percent",
  description: "`percent` of the month's limit (the lower of budget and plan; never fires without one), or `tokens`.",
});
const threshold = z.int().min(1).max(MAX_TOKENS).openapi({ example: 80 });

export const TokenAlert = z
  .object({
    id: Id,
    unit,
    threshold,
    period: z.literal("month").openapi({ example: "month" }),
    enabled: z.boolean().openapi({ example: true }),
    lastFired: z
      .object({
        at: Timestamp,
        used: count.openapi({ description: "Tokens used by then." }),
        limit: z.int().nullable().openapi({ example: 500_000 }),
      })
      .nullable(),
    version: z.int().openapi({ example: 1 }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .openapi("TokenAlert");

export const TokenAlertList = listOf(TokenAlert, "TokenAlertList");
export const AlertParams = z.object({ id: IdParam });

export const NewTokenAlert = z
  .object({ unit, threshold, enabled: z.boolean().default(true).openapi({ example: true }) })
  .openapi("NewTokenAlert");

export const TokenAlertChanges = z
  .object({
    unit: unit.optional(),
    threshold: threshold.optional(),
    enabled: z.boolean().optional().openapi({ example: false }),
  })
  .openapi("TokenAlertChanges");
