import { contextOf } from "../../http/app-env.ts";
import { owner } from "../../http/guards.ts";
import { route } from "../../http/route.ts";
import { createRouter, noContent } from "../../http/router.ts";
import { AiKey, AiKeyList, KeyParams, NewAiKey } from "./schemas.ts";
import { listKeys, removeKey, saveKey } from "./service.ts";

export const routes = createRouter();

routes.openapi(
  route("get", "/api/api-keys", {
    operationId: "listAiKeys",
    summary: "Which AI providers have a key",
    description: "Status only: where each provider's key comes from, never any part of it.",
    guard: owner,
    returns: { 200: AiKeyList },
    errors: ["unavailable"],
  }),
  async (c) => c.json({ data: await listKeys(contextOf(c)) }, 200),
);

routes.openapi(
  route("post", "/api/api-keys", {
    operationId: "saveAiKey",
    summary: "Save a provider's key",
    description:
      "201 when the provider had no runtime key, 200 when this one takes its place. It is encrypted at rest, wins over the " +
      "environment's key, and is used from the next request on.",
    guard: owner,
    body: NewAiKey,
    returns: { 201: AiKey, 200: AiKey },
    errors: ["unavailable"],
  }),
  async (c) => {
    const { entry, isNew } = await saveKey(contextOf(c), c.req.valid("json"));
    return c.json(entry, isNew ? 201 : 200);
  },
);

routes.openapi(
  route("delete", "/api/api-keys/{keyId}", {
    operationId: "removeAiKey",
    summary: "Remove a provider's runtime key",
    description: "The environment's key, if there is one, holds again.",
    guard: owner,
    params: KeyParams,
    returns: { 204: null },
    errors: ["not_found", "unavailable"],
  }),
  async (c) => noContent(c, await removeKey(contextOf(c), c.req.valid("param").keyId)),
);
