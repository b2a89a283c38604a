import type { Config } from "../../config.ts";
import { type Engine, MODELS, type ModelName, type ProviderName } from "../../lib/ai-kinds.ts";
import { assertType } from "../../lib/cast.ts";

export interface CatalogueEntry {
  model: ModelName;
  provider: ProviderName;
  /** As the provider names it. */
  upstreamModel: string;
}

/** What stands behind each name, unless a variable says otherwise. */
const DEFAULTS: Record<ModelName, `${ProviderName}/${string}`> = {
  model_a: "openai/gpt-5.4-mini",
  model_b: "anthropic/claude-sonnet-4-6",
  model_c: "google/gemini-flash-latest",
  model_d: "workers-ai/@cf/openai/gpt-oss-120b",
};

const VARIABLES = { model_a: "MODEL_A", model_b: "MODEL_B", model_c: "MODEL_C", model_d: "MODEL_D" } as const;

export function modelNamed(config: Config, model: ModelName): CatalogueEntry {
  const text = config[VARIABLES[model]] ?? DEFAULTS[model];
  const slash = text.indexOf("/");
  return { model, provider: assertType<ProviderName>(text.slice(0, slash)), upstreamModel: text.slice(slash + 1) };
}

export function catalogue(config: Config): CatalogueEntry[] {
  return MODELS.map((model) => modelNamed(config, model));
}

export function engineOf({ model, provider, upstreamModel }: CatalogueEntry): Engine {
  return { kind: "llm", model, provider, upstreamModel, fallbackReason: null };
}
