import { z } from "@hono/zod-openapi";
import { doc, named } from "../../http/schemas.ts";
import { MODELS } from "../../lib/ai-kinds.ts";
import { Engine } from "../ai-models/schemas.ts";
import { emailSource, hasOneSource, ONE_SOURCE } from "../emails/analysis/schemas.ts";

const promptText = (max: number) => z.string().trim().min(1).max(max);

export const GenerateRequest = named(
  "GenerateRequest",
  () => ({
    prompt: doc(promptText(100_000), "What to write."),
    model: doc(z.enum(MODELS).optional(), "Model for this call. Default: the active model."),
    system: doc(promptText(20_000).optional(), "The system prompt."),
    maxTokens: doc(z.int().min(1).max(32_000).optional(), "Maximum length of the text, in tokens."),
  }),
  {
    example: {
      prompt: "Summarize: the launch moves to Friday because the tests take longer. Ann tells the customers.",
    },
  },
);

const usage = z.object({
  inputTokens: doc(z.int(), "Tokens of the prompt.", 21),
  outputTokens: doc(z.int(), "Tokens of the text.", 16),
  totalTokens: doc(z.int(), "Sum of both.", 37),
});

export const Generated = named("Generated", () => ({
  content: doc(z.string(), "The text.", "The launch moves to Friday because the tests take longer."),
  usage: doc(usage.nullable(), "What the provider counted; null if no model was called."),
  engine: Engine,
}));

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
