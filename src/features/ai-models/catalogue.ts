import type { Config } from "../../config.ts";
import { type Engine, MODELS, type ModelName, type ProviderName } from "../../lib/ai-kinds.ts";
import { assertType } from "../../lib/cast.ts";
import type { Credentials } from "../ai-keys/credentials.ts";

export interface CatalogueEntry {
  model: ModelName;
  provider: ProviderName;
  /** The provider's name for it. */
  upstreamModel: string;
}

const DEFAULTS: Record<ModelName, `${ProviderName}/${string}`> = {
  model_a: "openai/gpt-5.4-mini",
  model_b: "anthropic/claude-sonnet-4-6",
  model_c: "google/gemini-flash-latest",
  model_d: "workers-ai/@cf/openai/gpt-oss-120b",
};

const VARIABLES = { model_a: "MODEL_A", model_b: "MODEL_B", model_c: "MODEL_C", model_d: "MODEL_D" } as const;

/** The model behind a name: from a runtime key, otherwise from the variable, otherwise the default. */
export function modelNamed(config: Config, { models }: Credentials, model: ModelName): CatalogueEntry {
  const runtime = models.get(model);
  if (runtime) return { model, ...runtime };
  const text = config[VARIABLES[model]] ?? DEFAULTS[model];
  const slash = text.indexOf("/");
  return { model, provider: assertType<ProviderName>(text.slice(0, slash)), upstreamModel: text.slice(slash + 1) };
}

export function catalogue(config: Config, credentials: Credentials): CatalogueEntry[] {
  return MODELS.map((model) => modelNamed(config, credentials, model));
}

export function engineOf({ model, provider, upstreamModel }: CatalogueEntry): Engine {
  return { kind: "llm", model, provider, upstreamModel, fallbackReason: null };
}
