import { owner } from "../../http/guards.ts";
import { createRouter } from "../../http/router.ts";
import { findLocalServers } from "./local-servers.ts";
import { AiKey, AiKeyList, KeyParams, LocalServerList, NewAiKey } from "./schemas.ts";
import { checkNamedAddress, listKeys, removeKey, saveKey } from "./service.ts";

export const routes = createRouter();

routes.endpoint("get", "/api/api-keys", {
  operationId: "listAiKeys",
  summary: "List AI provider keys",
  description: "Returns the source of each provider's key, never any part of it.",
  guard: owner,
  returns: { 200: AiKeyList },
  errors: ["unavailable"],
  handle: async ({ ctx }) => ({ data: await listKeys(ctx), findsLocalServers: ctx.config.ALLOW_PRIVATE_HOSTS }),
});

routes.endpoint("post", "/api/api-keys", {
  operationId: "saveAiKey",
  summary: "Save an AI provider's key",
  description:
    "Returns 201, or 200 if it replaced a runtime key. The key takes precedence over the environment's and is used " +
    "from the next request on. `custom` is any OpenAI-compatible server: it can be used at once as `model_d`, or as " +
    "the `model` you name; select it with `POST /api/ai-model` if another model is active. With `model` and " +
    "`upstreamModel` any other provider can take the place of a model in the same way. The account that owns the " +
    "key can read the texts, so you are notified of each saved key by email.",
  guard: owner,
  reauth: { rule: "recent", check: checkNamedAddress },
  body: NewAiKey,
  returns: { 201: AiKey, 200: AiKey },
  errors: ["unavailable"],
  handle: async ({ c, ctx, body }) => {
    const { entry, isNew } = await saveKey(ctx, body);
    return c.json(entry, isNew ? 201 : 200);
  },
});

routes.endpoint("post", "/api/api-keys/local-servers", {
  operationId: "findLocalServers",
  summary: "Find models on this computer",
  description:
    "Asks Ollama (port 11434), LM Studio (1234) and llama.cpp (8080) on the computer that the service runs on for their " +
    "models, and changes nothing. To use one, save its `baseUrl` and a model for the provider `custom` with " +
    "`POST /api/api-keys`. Returns 404 unless `ALLOW_PRIVATE_HOSTS` is on, so always in production.",
  guard: owner,
  rateLimit: "expensive",
  returns: { 200: LocalServerList },
  errors: ["not_found"],
  handle: async ({ ctx }) => ({ data: await findLocalServers(ctx) }),
});

routes.endpoint("delete", "/api/api-keys/{keyId}", {
  operationId: "removeAiKey",
  summary: "Delete an AI provider's key",
  description:
    "Deletes the runtime key. The environment's key, if set, applies again, and so does the model that the key replaced.",
  guard: owner,
  params: KeyParams,
  returns: { 204: null },
  errors: ["unavailable"],
  handle: ({ ctx, params }) => removeKey(ctx, params.keyId),
});
