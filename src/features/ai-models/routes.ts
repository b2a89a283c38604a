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
    summary: "The models, and which can be used",
    description:
      "Four names, each with the provider and model behind it; one that cannot be used says what is missing.",
    guard: data("ai:read"),
    returns: { 200: ModelList },
    errors: ["unavailable"],
  }),
  async (c) => c.json({ data: await listModels(contextOf(c)) }, 200),
);

/** The active model has a path of its own: /api/ai-model. */

routes.openapi(
  route("get", "/api/ai-model", {
    operationId: "getActiveModel",
    summary: "The active model",
    description:
      "Used by every AI call that names no model. Until one is chosen, it is the first whose provider has a key.",
    guard: data("ai:read"),
    returns: { 200: ActiveModel },
    errors: ["unavailable"],
  }),
  async (c) => c.json(await getActiveModel(contextOf(c)), 200),
);

routes.openapi(
  route("post", "/api/ai-model", {
    operationId: "setActiveModel",
    summary: "Choose the active model",
    description: "A model whose provider has no key yet may be chosen; `available` says so.",
    guard: data("ai:use"),
    body: ModelChoice,
    returns: { 200: ActiveModel },
    errors: ["unavailable"],
  }),
  async (c) => c.json(await setActiveModel(contextOf(c), c.req.valid("json").model), 200),
);
