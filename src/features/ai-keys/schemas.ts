import { z } from "@hono/zod-openapi";
import { doc, keyText, named, Timestamp } from "../../http/schemas.ts";
import { MODELS, PROVIDERS } from "../../lib/ai-kinds.ts";

const Provider = doc(z.enum(PROVIDERS), "The AI provider.", "openai");
const MIN_KEY_CHARACTERS = 8;

export const AiKey = named(
  "AiKey",
  () => ({
    keyId: doc(Provider, "The provider's name, which is also the id of its key."),
    provider: Provider,
    configured: doc(z.boolean(), "Whether the provider can be called.", true),
    source: doc(
      z.enum(["runtime", "environment", "none"]),
      "Where the key comes from. A runtime key takes precedence over the environment's.",
      "runtime",
    ),
    baseUrl: doc(z.string().nullable(), "The saved address; null for the provider's own.", null),
    model: doc(z.enum(MODELS).nullable(), "The model that this key assigns to the provider.", null),
    upstreamModel: doc(z.string().nullable(), "The provider's name of that model.", null),
    updatedAt: doc(Timestamp.nullable(), "When the runtime key was saved."),
  }),
  { description: "The state of a provider's key. Never contains any part of the key." },
);

export const AiKeyList = named("AiKeyList", () => ({
  data: doc(z.array(AiKey), "One entry for each provider."),
  findsLocalServers: doc(z.boolean(), "Whether `POST /api/api-keys/local-servers` can be used.", false),
}));

export const LocalServer = named("LocalServer", () => ({
  server: doc(z.enum(["ollama", "lm-studio", "llama-cpp"]), "The program that usually has this address.", "ollama"),
  baseUrl: doc(z.string(), "Its address, as `POST /api/api-keys` takes it.", "http://127.0.0.1:11434/v1"),
  models: doc(z.array(z.string()), "Its models, without those for embeddings; at most 100.", ["llama3.2"]),
}));

export const LocalServerList = named("LocalServerList", () => ({
  data: doc(z.array(LocalServer), "The servers that answered; empty if none did."),
}));

export const NewAiKey = z
  .object({
    provider: Provider,
    key: doc(
      keyText(1000).optional(),
      `Encrypted at rest and never shown again. Required, with at least ${MIN_KEY_CHARACTERS} characters, except for \`custom\`.`,
      "sk-0123456789abcdef",
    ),
    baseUrl: doc(
      z.string().trim().max(2000).nullish(),
      "The provider's address; `https` to a public host only. Required for `custom` and `workers-ai`, which can be any " +
        "OpenAI-compatible server.",
      "https://llm.example.com/v1",
    ),
    model: doc(
      z.enum(MODELS).optional(),
      "The model that runs on this provider while the key is saved. Required with `upstreamModel`. Default for `custom`: `model_d`.",
      "model_d",
    ),
    upstreamModel: doc(
      keyText(200).optional(),
      "The provider's name of that model. Required with `model`. Default for `custom`: the first model that the server " +
        "lists at `{baseUrl}/models`, otherwise `default`.",
      "llama3.2",
    ),
  })
  .superRefine(({ provider, key, model, upstreamModel }, { addIssue }) => {
    // A custom server may need no key, and gets a default model.
    if (provider === "custom") return;
    const refuse = (field: string, message: string) => addIssue({ code: "custom", path: [field], message });
    if (key === undefined) refuse("key", `is required for the provider ${provider}`);
    else if (key.length < MIN_KEY_CHARACTERS) refuse("key", `must have at least ${MIN_KEY_CHARACTERS} characters`);
    if (upstreamModel !== undefined && model === undefined) refuse("model", "is required with upstreamModel");
    if (model !== undefined && upstreamModel === undefined) refuse("upstreamModel", "is required with model");
  })
  .openapi("NewAiKey", { example: { provider: "openai", key: "sk-0123456789abcdef" } });

export const KeyParams = z.object({ keyId: Provider });

export type AiKey = z.infer<typeof AiKey>;
export type LocalServer = z.infer<typeof LocalServer>;
export type NewAiKeyInput = z.output<typeof NewAiKey>;
