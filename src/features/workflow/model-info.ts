import type { Context } from "../../context.ts";
import { BUILTIN_ENGINE, type Engine } from "../../lib/ai-kinds.ts";
import { listModels } from "../ai-models/active.ts";
import { builtinInstead } from "../ai-models/model.ts";

/** `engine` depends on the configuration only: a used-up token budget shows only when a model is called. */
export async function modelInfo(ctx: Context) {
  const models = await listModels(ctx);
  const active = models.find((entry) => entry.active);
  if (!active) {
    return { model: "builtin" as const, provider: null, upstreamModel: null, available: true, engine: BUILTIN_ENGINE };
  }
  const { model, provider, upstreamModel, available } = active;
  const unavailable = models.some((entry) => entry.available) ? "model_not_configured" : "no_provider";
  const engine: Engine = available
    ? { kind: "llm", model, provider, upstreamModel, fallbackReason: null }
    : builtinInstead({ unavailable, detail: "" });
  return { model, provider, upstreamModel, available, engine };
}
