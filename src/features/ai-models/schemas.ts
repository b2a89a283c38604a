import { z } from "@hono/zod-openapi";
import { Timestamp } from "../../http/schemas.ts";
import { MODELS, PROVIDERS } from "../../lib/ai-kinds.ts";

const Name = z.enum(MODELS).openapi({ example: "model_a" });
const entry = {
  model: Name,
  provider: z.enum(PROVIDERS).openapi({ example: "openai" }),
  upstreamModel: z.string().openapi({ example: "gpt-5.4-mini", description: "As the provider names it." }),
  available: z.boolean().openapi({ example: true, description: "Its provider has a key." }),
};

export const ModelEntry = z
  .object({
    ...entry,
    active: z.boolean().openapi({ example: true, description: "Used by calls that name no model." }),
    unavailableReason: z
      .string()
      .nullable()
      .openapi({ example: null, description: "What is missing, and how to add it." }),
  })
  .openapi("Model");

export const ModelList = z.object({ data: z.array(ModelEntry) }).openapi("ModelList");

export const ActiveModel = z
  .object({
    ...entry,
    updatedAt: Timestamp.nullable().openapi({
      description: "When it was chosen; null while the first model that has a key is used.",
    }),
  })
  .openapi("ActiveModel");

export const ModelChoice = z.object({ model: Name }).openapi("ModelChoice");

export const Engine = z
  .object({
    kind: z.enum(["llm", "builtin"]).openapi({ example: "builtin" }),
    model: z.string().nullable().openapi({ example: null }),
    provider: z.string().nullable().openapi({ example: null }),
    upstreamModel: z.string().nullable().openapi({ example: null }),
    fallbackReason: z.string().nullable().openapi({ example: null }),
  })
  .openapi("Engine", { description: "Who made the answer: a language model, or the engine built into the service." });

export type ModelEntry = z.infer<typeof ModelEntry>;
export type ActiveModel = z.infer<typeof ActiveModel>;
