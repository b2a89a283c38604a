/** The four names a model is chosen by. What stands behind each is in the catalogue. */
export const MODELS = ["model_a", "model_b", "model_c", "model_d"] as const;
export type ModelName = (typeof MODELS)[number];

/** Who runs the models. `custom` is any server that speaks OpenAI's wire. */
export const PROVIDERS = ["openai", "anthropic", "google", "workers-ai", "custom"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** What the AI was asked for; usage is counted by it. */
export const AI_TASKS = [
  "generate",
  "chat",
  "email_intelligence",
  "detect",
  "email_response",
  "digital_audit",
  "caption",
] as const;
export type AiTask = (typeof AI_TASKS)[number];

/** Who made an answer: a language model, or the engine built into the service. */
export interface Engine {
  kind: "llm" | "builtin";
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  /** Why the built-in engine answered in a model's place; null when it was not a model's to answer. */
  fallbackReason: string | null;
}

export const BUILTIN_ENGINE = {
  kind: "builtin",
  model: null,
  provider: null,
  upstreamModel: null,
  fallbackReason: null,
} as const satisfies Engine;
