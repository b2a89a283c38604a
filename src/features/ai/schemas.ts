import { z } from "@hono/zod-openapi";
import { MODELS } from "../../lib/ai-kinds.ts";
import { Engine } from "../ai-models/schemas.ts";
import { emailSource, hasOneSource, ONE_SOURCE } from "../emails/schemas.ts";

export const GenerateRequest = z
  .object({
    prompt: z
      .string()
      .trim()
      .min(1)
      .max(100_000)
      .openapi({ example: "Write two friendly sentences that thank Ann for the report." }),
    model: z
      .enum(MODELS)
      .optional()
      .openapi({ example: "model_b", description: "In place of the active model, for this call only." }),
    system: z
      .string()
      .trim()
      .min(1)
      .max(20_000)
      .optional()
      .openapi({ example: "You write in plain English.", description: "Who the model is to be." }),
    maxTokens: z.int().min(1).max(32_000).optional().openapi({ example: 400, description: "At most, of the answer." }),
  })
  .openapi("GenerateRequest");

export const Generated = z
  .object({
    content: z.string().openapi({ example: "Thank you for the report, Ann. It came at just the right time." }),
    usage: z
      .object({
        inputTokens: z.int().openapi({ example: 21 }),
        outputTokens: z.int().openapi({ example: 16 }),
        totalTokens: z.int().openapi({ example: 37 }),
      })
      .nullable()
      .openapi({ description: "What the provider counted; null when no model was called." }),
    engine: Engine,
  })
  .openapi("Generated");

export type GenerateInput = z.output<typeof GenerateRequest>;
export type Generated = z.infer<typeof Generated>;

export const IntelligenceRequest = z
  .object(emailSource)
  .refine(hasOneSource, ONE_SOURCE)
  .openapi("EmailIntelligenceRequest", {
    example: {
      content: "Hi Ann, please send the signed contract by Friday. Thanks, Bob",
      subject: "Contract",
      from: "Bob Ray <bob@example.org>",
    },
  });

export type IntelligenceInput = z.output<typeof IntelligenceRequest>;
