import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { MODELS } from "../../lib/ai-kinds.ts";
import { moment, versionColumns } from "../columns.ts";
import { ownerId } from "./users.ts";

const sums = {
  calls: integer("calls").notNull(),
  fallbacks: integer("fallbacks").notNull(),
  inputTokens: integer("input_tokens").notNull(),
  outputTokens: integer("output_tokens").notNull(),
};

/** `ai_calls` summed by UTC day and model. Written by a trigger. */
export const aiUsageDays = sqliteTable(
  "ai_usage_days",
  {
    /** Start of the day, in milliseconds. */
    day: integer("day").notNull(),
    model: text("model", { enum: [...MODELS, "builtin"] }).notNull(),
    ...sums,
  },
  (table) => [primaryKey({ columns: [table.day, table.model] })],
);

/** `ai_calls` summed by UTC month: checking the budget reads one row. Written by a trigger, except `drawn`. */
export const aiUsageMonths = sqliteTable("ai_usage_months", {
  /** `2026-11` */
  month: text("month").primaryKey(),
  ...sums,
  /** Bought tokens used in this month, after the allowance of the plan. */
  drawn: integer("drawn").notNull().default(0),
});

/** One row: the owner's limit. */
export const tokenBudget = sqliteTable("token_budget", {
  id: integer("id").primaryKey(),
  /** Tokens per calendar month (UTC); null is no limit. */
  monthlyLimit: integer("monthly_limit"),
  updatedAt: moment("updated_at"),
});

export const ALERT_UNITS = ["percent", "tokens"] as const;

/** When to alert a person about token usage. A trigger on `fired_month` writes the outbound event. */
export const tokenAlerts = sqliteTable(
  "token_alerts",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    /** `percent` of the monthly limit, or a number of tokens. */
    unit: text("unit", { enum: ALERT_UNITS }).notNull(),
    threshold: integer("threshold").notNull(),
    enabled: integer("enabled", { mode: "boolean" }).notNull(),
    /** The month in which it last fired: it fires at most once a month. */
    firedMonth: text("fired_month"),
    firedAt: moment("fired_at"),
    /** Usage and limit when it fired. */
    firedUsed: integer("fired_used"),
    firedLimit: integer("fired_limit"),
    ...versionColumns(),
  },
  (table) => [uniqueIndex("token_alerts_threshold").on(table.userId, table.unit, table.threshold)],
);
