import { z } from "@hono/zod-openapi";
import {
  doc,
  Id,
  listOf,
  named,
  pageParams,
  TimeOrDateInput,
  Timestamp,
  versionFields,
} from "../../../http/schemas.ts";
import { AI_TASKS, MODELS } from "../../../lib/ai-kinds.ts";
import { TOKEN_PACKAGE_IDS } from "../../../lib/plans.ts";

const MAX_TOKENS = 1_000_000_000_000;

export const TokenBalance = named("TokenBalance", () => ({
  used: doc(z.int(), "Tokens used this month, input and output together.", 1200),
  limit: doc(z.int().nullable(), "The owner's monthly budget; null for none.", 500_000),
  planAllowance: doc(z.int().nullable(), "The plan's tokens per month; null for no limit.", null),
  purchasedRemaining: doc(z.int(), "Purchased tokens left. Used after the plan's allowance.", 0),
  remaining: doc(z.int().nullable(), "Tokens that models can still use this month; null for no limit.", 498_800),
  exhausted: doc(z.boolean(), "Whether no tokens are left, so that the built-in engine is used.", false),
  periodStart: doc(Timestamp, "The start of the calendar month in UTC."),
  resetsAt: doc(Timestamp, "When the next month starts."),
}));

const tokens = {
  inputTokens: doc(z.int(), "Tokens sent to models.", 9200),
  outputTokens: doc(z.int(), "Tokens that models generated.", 2100),
  totalTokens: doc(z.int(), "Input and output tokens together.", 11_300),
};
const sums = {
  calls: doc(z.int(), "Number of calls.", 14),
  fallbacks: doc(z.int(), "Calls where the built-in engine replaced a model.", 1),
  ...tokens,
};
const totals = doc(z.object(sums), "The sums of the whole period.");
const date = doc(z.iso.date(), "A day in UTC.", "2026-11-15");
const Period = doc(z.enum(["7d", "30d", "90d"]), "How many days back, including today.");
const ModelOrBuiltin = doc(z.enum([...MODELS, "builtin"]), "The model, or `builtin` for the built-in engine.");
const Task = doc(z.enum(AI_TASKS), "What the AI was used for.");

export const PeriodQuery = z.object({ period: Period.default("30d") });

export const TokenUsage = named("TokenUsage", () => ({
  period: Period,
  from: doc(date, "The first day, in UTC."),
  until: doc(date, "The last day, in UTC."),
  totals,
  series: doc(z.array(z.object({ date, ...sums })), "One entry for each day, oldest first."),
}));

export const TokenUsageByModel = named("TokenUsageByModel", () => ({
  period: Period,
  totals,
  data: doc(z.array(z.object({ model: ModelOrBuiltin, ...sums })), "One entry for each model, most tokens first."),
}));

export const CallQuery = z.object({
  model: doc(ModelOrBuiltin.optional(), "Only calls of this model, or `builtin`."),
  task: doc(Task.optional(), "Only calls for this purpose."),
  from: doc(
    TimeOrDateInput.optional(),
    "Only calls at or after this time. A date means the start of that day in your time zone.",
  ),
  until: doc(TimeOrDateInput.optional(), "Only calls before this time. A date includes that whole day."),
  ...pageParams,
});

export type CallQuery = z.output<typeof CallQuery>;

const AiCall = named("AiCall", () => ({
  id: Id,
  at: doc(Timestamp, "When the call was made."),
  task: doc(Task, "What the AI was used for.", "chat"),
  userId: doc(z.int().nullable(), "The account whose credential was used; null for none.", 1),
  model: doc(ModelOrBuiltin, "The model, or `builtin` for the built-in engine.", "model_a"),
  provider: doc(z.string().nullable(), "The model's provider.", "anthropic"),
  upstreamModel: doc(z.string().nullable(), "The provider's name of the model.", "claude-sonnet-4-5"),
  ...tokens,
  durationMs: doc(z.int(), "How long the call took, in milliseconds.", 840),
  fallbackReason: doc(z.string().nullable(), "Why the built-in engine replaced a model.", null),
}));

export const AiCallList = listOf(AiCall, "AiCallList");

const packageId = doc(z.enum(TOKEN_PACKAGE_IDS), "The package's id.", "tokens_1m");
const TokenPackage = z.object({
  id: packageId,
  name: doc(z.string(), "The package's name.", "1 million tokens"),
  tokens: doc(z.int(), "How many tokens it contains.", 1_000_000),
  available: doc(z.boolean(), "Whether it can be bought.", true),
  amount: doc(z.int().nullable(), "The price in the currency's smallest unit.", 900),
  currency: doc(z.string().nullable(), "The currency: a lowercase ISO 4217 code.", "eur"),
});

export const TokenPackageList = named("TokenPackageList", () => ({
  data: doc(z.array(TokenPackage), "The packages, smallest first."),
}));

export const NewPurchase = named("NewTokenPurchase", () => ({ package: packageId }), {
  example: { package: "tokens_1m" },
});

export const NewBudget = named(
  "NewTokenBudget",
  () => ({
    monthlyLimit: doc(z.int().min(0).max(MAX_TOKENS).nullable(), "Tokens per month; null removes the limit.", 500_000),
  }),
  { example: { monthlyLimit: 500_000 } },
);

const unit = doc(
  z.enum(["percent", "tokens"]),
  "`tokens`, or `percent` of the month's limit: the lower of budget and plan. Without a limit, `percent` never fires.",
  "percent",
);
const threshold = doc(z.int().min(1).max(MAX_TOKENS), "The use at which the alert fires, in the given unit.", 80);
const enabled = doc(z.boolean(), "Whether the alert can fire.", true);

export const TokenAlert = named("TokenAlert", () => ({
  id: Id,
  unit,
  threshold,
  period: doc(z.literal("month"), "The alert fires at most once in each period.", "month"),
  enabled,
  lastFired: doc(
    z
      .object({
        at: doc(Timestamp, "When it fired."),
        used: doc(z.int(), "Tokens used by then.", 402_113),
        limit: doc(z.int().nullable(), "The month's limit at that time.", 500_000),
      })
      .nullable(),
    "When the alert last fired; null if it never did.",
  ),
  ...versionFields,
}));

export const TokenAlertList = listOf(TokenAlert, "TokenAlertList");

export const NewTokenAlert = z
  .object({ unit, threshold, enabled: enabled.default(true) })
  .openapi("NewTokenAlert", { example: { unit: "percent", threshold: 80 } });

export const TokenAlertChanges = z
  .object({ unit: unit.optional(), threshold: threshold.optional(), enabled: enabled.optional() })
  .openapi("TokenAlertChanges", { example: { enabled: false } });

export type NewAlert = z.output<typeof NewTokenAlert>;
export type AlertChanges = z.output<typeof TokenAlertChanges>;
