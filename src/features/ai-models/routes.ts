import { contextOf } from "../../http/app-env.ts";
import { data } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter } from "../../http/router.ts";
import { getActiveModel, listModels, setActiveModel } from "./active.ts";
import { ActiveModel, ModelChoice, ModelList } from "./schemas.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/ai/models", {
    operationId: "listModels",
    summary: "List AI models",
    description:
      "Returns the four models with their providers, and how to make those available that are not. A runtime key saved with " +
      "`POST /api/api-keys` can put another provider's model in the place of each.",
    guard: data("ai:read"),
    returns: { 200: ModelList },
    errors: ["unavailable"],
  }),
  async (c) => c.json({ data: await listModels(contextOf(c)) }, 200),
);

routes.openapi(
  route("get", "/api/ai-model", {
    operationId: "getActiveModel",
    summary: "Get the active AI model",
    description: "Returns the model of AI calls that name none. Until one is selected, it is the first available one.",
    guard: data("ai:read"),
    returns: { 200: ActiveModel },
    errors: ["unavailable"],
  }),
  async (c) => c.json(await getActiveModel(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/ai-model", {
    operationId: "setActiveModel",
    summary: "Select the active AI model",
    description:
      "Selects the model of AI calls that name none. An unavailable model can be selected: the built-in engine is used until " +
      "its provider is configured.",
    guard: data("ai:use"),
    body: ModelChoice,
    returns: { 200: ActiveModel },
    errors: ["unavailable"],
  }),
  async (c) => c.json(await setActiveModel(contextOf(c), c.req.valid("json").model), 200),
);
