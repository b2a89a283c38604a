import { words } from "./words.ts";

/** The names of the models. The catalogue maps each to a provider and its model. */
export const MODELS = ["model_a", "model_b", "model_c", "model_d"] as const;
export type ModelName = (typeof MODELS)[number];

/** What AI can run on: a model, or only the engine of the service, so that no text leaves it. */
export const ENGINE_CHOICES = [...MODELS, "builtin"] as const;
export type EngineChoice = (typeof ENGINE_CHOICES)[number];

/** `custom` is any OpenAI-compatible server. */
export const PROVIDERS = ["openai", "anthropic", "google", "workers-ai", "custom"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The uses of AI. Calls are recorded by task. */
export const AI_TASKS = words("generate chat email_intelligence detect email_response digital_audit caption");
export type AiTask = (typeof AI_TASKS)[number];

/** The producer of a result: a language model or the built-in engine. */
export interface Engine {
  kind: "llm" | "builtin";
  model: string | null;
  provider: string | null;
  upstreamModel: string | null;
  /** Why the built-in engine replaced a model; null if it did not. */
  fallbackReason: string | null;
}

export const BUILTIN_ENGINE = {
  kind: "builtin",
  model: null,
  provider: null,
  upstreamModel: null,
  fallbackReason: null,
} as const satisfies Engine;

/** The engine label of a result that the built-in engine made in place of a model. */
export function builtinBecause(fallbackReason: string): Engine {
  return { ...BUILTIN_ENGINE, fallbackReason };
}
