import { data } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { getActiveModel, listModels, setActiveModel } from "./active.ts";
import { ActiveModel, ModelChoice, ModelList } from "./schemas.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/ai/models", {
  operationId: "listModels",
  summary: "List AI models",
  description:
    "Returns the four models with their providers, and how to make an unavailable model available. A runtime key " +
    "saved with `POST /api/api-keys` can replace each of them with another provider's model.",
  guard: data("ai:read"),
  returns: { 200: ModelList },
  errors: ["unavailable"],
  handle: async ({ ctx }) => ({ data: await listModels(ctx) }),
});

routes.endpoint("get", "/api/ai-model", {
  operationId: "getActiveModel",
  summary: "Get the active AI model",
  description:
    "Returns the default model for AI calls. Until you select one, it is the first available model: in production, " +
    "Workers AI needs no key. `builtin` means that models are switched off.",
  guard: data("ai:read"),
  returns: { 200: ActiveModel },
  errors: ["unavailable"],
  handle: ({ ctx }) => getActiveModel(ctx),
});

routes.endpoint("post", "/api/ai-model", {
  operationId: "setActiveModel",
  summary: "Select the active AI model",
  description:
    "Selects the default model for AI calls. You can select an unavailable model; the built-in engine " +
    "is used until its provider is configured. `builtin` switches models off: no more text is sent to any provider, also " +
    "by calls that name a model and by requests that are running. Only a person can switch models on again, not an API key.",
  guard: data("ai:use"),
  body: ModelChoice,
  returns: { 200: ActiveModel },
  errors: ["forbidden", "unavailable"],
  handle: ({ ctx, body }) => setActiveModel(ctx, body.model),
});
