import { z } from "@hono/zod-openapi";
import { Id, TimestampInput } from "../../http/schemas.ts";
import { MODELS } from "../../lib/ai-kinds.ts";
import { isTimeZone } from "../../lib/time-zone.ts";
import { Engine } from "../ai-models/schemas.ts";

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
  .object({
    emailId: Id.optional().openapi({ description: "A stored mail. Give this or `content`." }),
    content: z
      .string()
      .min(1)
      .max(500_000)
      .optional()
      .openapi({ example: "Hi Ann, please send the signed contract by Friday. Thanks, Bob" }),
    subject: z.string().max(1000).nullish().openapi({ example: "Contract" }),
    from: z
      .string()
      .trim()
      .max(500)
      .nullish()
      .openapi({ example: "Bob Ray <bob@example.org>", description: "An address, with or without a name." }),
    receivedAt: TimestampInput.optional().openapi({
      description: "What `tomorrow` is counted from; now, when left out.",
    }),
    timeZone: z
      .string()
      .refine(isTimeZone, "is not a time zone of the IANA database")
      .optional()
      .openapi({ example: "Europe/Berlin", description: "An IANA time zone; your profile's when left out, or UTC." }),
  })
  .refine(({ emailId, content }) => (emailId === undefined) !== (content === undefined), {
    message: "give either emailId or content",
    path: ["emailId"],
  })
  .openapi("EmailIntelligenceRequest");

export type IntelligenceInput = z.output<typeof IntelligenceRequest>;
