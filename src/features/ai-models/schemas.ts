import { z } from "@hono/zod-openapi";
import { doc, named, Timestamp } from "../../http/schemas.ts";
import { ENGINE_CHOICES, MODELS, PROVIDERS } from "../../lib/ai-kinds.ts";

const Name = doc(z.enum(MODELS), "The model's name in this service.", "model_a");
const Choice = doc(
  z.enum(ENGINE_CHOICES),
  "The model's name in this service, or `builtin`: no model is called, and no text is sent to a provider.",
  "model_a",
);
const Provider = doc(z.enum(PROVIDERS), "The provider that runs the model.", "openai");
const Upstream = doc(z.string(), "The provider's name of the model.", "gpt-5.4-mini");
const available = doc(z.boolean(), "Whether the provider is configured.", true);

export const ModelEntry = named("Model", () => ({
  model: Name,
  provider: Provider,
  upstreamModel: Upstream,
  available,
  active: doc(z.boolean(), "Whether it is the default model.", true),
  unavailableReason: doc(z.string().nullable(), "How to make the model available; null if it is.", null),
}));

export const ModelList = named("ModelList", () => ({ data: doc(z.array(ModelEntry), "The four models.") }));

export const ActiveModel = named("ActiveModel", () => ({
  model: Choice,
  provider: doc(Provider.nullable(), "The provider that runs the model; null for `builtin`.", "openai"),
  upstreamModel: doc(Upstream.nullable(), "The provider's name of the model; null for `builtin`.", "gpt-5.4-mini"),
  available: doc(available, "Whether the provider is configured; true for `builtin`."),
  updatedAt: doc(Timestamp.nullable(), "When it was selected; null if none was selected yet."),
}));

export const ModelChoice = named("ModelChoice", () => ({ model: Choice }), { example: { model: "model_a" } });

export const Engine = named(
  "Engine",
  () => ({
    kind: doc(z.enum(["llm", "builtin"]), "A language model, or the built-in engine.", "builtin"),
    model: doc(z.string().nullable(), "The model's name in this service.", null),
    provider: doc(z.string().nullable(), "The model's provider.", null),
    upstreamModel: doc(z.string().nullable(), "The provider's name of the model.", null),
    fallbackReason: doc(z.string().nullable(), "Why the built-in engine replaced the model; null if it did not.", null),
  }),
  { description: "Whether a language model or the built-in engine produced the result." },
);

export type ModelEntry = z.infer<typeof ModelEntry>;
export type ActiveModel = z.infer<typeof ActiveModel>;
