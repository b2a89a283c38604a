import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AI_TASKS, ENGINE_CHOICES } from "../../lib/ai-kinds.ts";
import { moment } from "../columns.ts";
import { users } from "./users.ts";

/** One row: the active model. While it is `builtin`, no model is called. */
export const modelState = sqliteTable("model_state", {
  id: integer("id").primaryKey(),
  model: text("model", { enum: ENGINE_CHOICES }).notNull(),
  /** Null until somebody chooses a model. */
  updatedAt: moment("updated_at"),
});

/** AI calls: tokens and duration, never the texts. */
export const aiCalls = sqliteTable(
  "ai_calls",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    at: moment("at").notNull(),
    task: text("task", { enum: AI_TASKS }).notNull(),
    /** The caller; null for anonymous calls and deleted accounts. */
    userId: integer("user_id").references(() => users.id, { onDelete: "set null" }),
    /** `builtin` when the built-in engine did the work. */
    model: text("model", { enum: ENGINE_CHOICES }).notNull(),
    provider: text("provider"),
    upstreamModel: text("upstream_model"),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** Why the built-in engine took over from a model. */
    fallbackReason: text("fallback_reason"),
  },
  (table) => [
    index("ai_calls_at").on(table.at, table.id),
    index("ai_calls_model").on(table.model, table.at, table.id),
    index("ai_calls_task").on(table.task, table.at, table.id),
  ],
);

/** `ai_calls` summed by UTC hour and model. Written by a trigger. */
export const aiUsage = sqliteTable(
  "ai_usage",
  {
    /** Start of the hour, in milliseconds. */
    hour: integer("hour").notNull(),
    model: text("model", { enum: ENGINE_CHOICES }).notNull(),
    calls: integer("calls").notNull(),
    fallbacks: integer("fallbacks").notNull(),
    inputTokens: integer("input_tokens").notNull(),
    outputTokens: integer("output_tokens").notNull(),
  },
  (table) => [primaryKey({ columns: [table.hour, table.model] })],
);
