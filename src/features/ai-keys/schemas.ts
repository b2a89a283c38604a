import { z } from "@hono/zod-openapi";
import { keyText, Timestamp } from "../../http/schemas.ts";
import { PROVIDERS } from "../../lib/ai-kinds.ts";

const Provider = z.enum(PROVIDERS).openapi({ example: "openai" });

export const AiKey = z
  .object({
    keyId: Provider.openapi({ description: "The provider's name." }),
    provider: Provider,
    configured: z.boolean().openapi({ example: true }),
    source: z.enum(["runtime", "environment", "none"]).openapi({
      example: "runtime",
      description: "A runtime key wins over the environment's.",
    }),
    baseUrl: z.string().nullable().openapi({ example: null, description: "Null: the provider's own address." }),
    updatedAt: Timestamp.nullable().openapi({ description: "When the runtime key was saved." }),
  })
  .openapi("AiKey", { description: "Never holds any part of a key." });

export const AiKeyList = z.object({ data: z.array(AiKey) }).openapi("AiKeyList");

export const NewAiKey = z
  .object({
    provider: Provider,
    key: keyText(1000)
      .min(8)
      .openapi({ example: "sk-0123456789abcdef", description: "Encrypted at rest and never shown again." }),
    baseUrl: z
      .string()
      .trim()
      .max(2000)
      .nullish()
      .openapi({
        example: "https://llm.example.com/v1",
        description:
          "Where the provider is reached. Needed for `custom` and `workers-ai` (any server that speaks OpenAI's wire); " +
          "https to a public name only.",
      }),
  })
  .openapi("NewAiKey");

export const KeyParams = z.object({ keyId: Provider });

export type AiKey = z.infer<typeof AiKey>;
export type NewAiKeyInput = z.output<typeof NewAiKey>;
