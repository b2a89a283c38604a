import { z } from "@hono/zod-openapi";
import { doc, Id, TimestampInput, TimeZone } from "../../http/schemas.ts";
import { MODELS } from "../../lib/ai-kinds.ts";
import { Engine } from "../ai-models/schemas.ts";

const promptText = (max: number) => z.string().trim().min(1).max(max);

export const GenerateRequest = z
  .object({
    prompt: doc(promptText(100_000), "What to write."),
    model: doc(z.enum(MODELS).optional(), "Model for this call. Default: the active model."),
    system: doc(promptText(20_000).optional(), "The system prompt."),
    maxTokens: doc(z.int().min(1).max(32_000).optional(), "Maximum length of the text, in tokens."),
  })
  .openapi("GenerateRequest", {
    example: {
      prompt: "Summarize: the launch moves to Friday because the tests take longer. Ann tells the customers.",
    },
  });

const usage = z.object({
  inputTokens: doc(z.int(), "Tokens of the prompt.", 21),
  outputTokens: doc(z.int(), "Tokens of the text.", 16),
  totalTokens: doc(z.int(), "Sum of both.", 37),
});

export const Generated = z
  .object({
    content: doc(z.string(), "The text.", "The launch moves to Friday because the tests take longer."),
    usage: doc(usage.nullable(), "What the provider counted; null if no model was called."),
    engine: Engine,
  })
  .openapi("Generated");

export type GenerateInput = z.output<typeof GenerateRequest>;
export type Generated = z.infer<typeof Generated>;

export const IntelligenceRequest = z
  .object({
    emailId: doc(Id.optional(), "Id of a stored email. Send either this or `content`."),
    content: doc(z.string().min(1).max(500_000).optional(), "Text of an email, plain or HTML."),
    subject: doc(z.string().max(1000).nullish(), "Subject of the email in `content`."),
    from: doc(z.string().trim().max(500).nullish(), "Sender of the email in `content`, with or without a name."),
    receivedAt: doc(
      TimestampInput.optional(),
      "When the email was received: dates such as “tomorrow” depend on it. Default: now.",
    ),
    timeZone: doc(TimeZone.optional(), "Time zone of the dates. Default: the one of your profile, otherwise UTC."),
  })
  .refine(({ emailId, content }) => (emailId === undefined) !== (content === undefined), {
    message: "give either emailId or content",
    path: ["emailId"],
  })
  .openapi("EmailIntelligenceRequest", {
    example: {
      content: "Hi Ann, please send the signed contract by Friday. Thanks, Bob",
      subject: "Contract",
      from: "Bob Ray <bob@example.org>",
    },
  });

export type IntelligenceInput = z.output<typeof IntelligenceRequest>;
