import { z } from "@hono/zod-openapi";
import { Id, TimestampInput, TimeZone } from "../../http/schemas.ts";
import { REPLY_TONES } from "../../lib/engine/wish-sentences.ts";
import { Engine } from "../emails/analysis/schemas.ts";

const text = (max: number) => z.string().trim().min(1).max(max);

export const EmailResponseRequest = z
  .object({
    emailId: Id.optional().openapi({ description: "A stored mail, with its own subject and sender. Or `content`." }),
    content: z
      .string()
      .max(500_000)
      .refine((content) => content.trim() !== "", "must not be empty")
      .optional()
      .openapi({
        description: "The text of the mail to answer, plain or HTML.",
        example: "Hi Ann, please send me the signed contract by Friday. Could we talk on Monday at 10? Thanks, Bob",
      }),
    subject: z.string().max(1000).nullish().openapi({ example: "Contract" }),
    from: z.string().trim().max(500).nullish().openapi({ example: "Bob Ray <bob@example.org>" }),
    tone: z.enum(REPLY_TONES).optional().openapi({
      example: "friendly",
      description: "What the instructions ask for, or `formal`, when left out.",
    }),
    instructions: text(4000)
      .nullish()
      .openapi({
        example: "Accept the call, and ask for the agenda.",
        description:
          "What the answer is to say: accept, decline, postpone, propose, ask for, thank for, say that … Without any, " +
          "the answer acknowledges and promises nothing.",
      }),
    senderName: text(100)
      .refine((name) => !/[\r\n]/.test(name), "must be one line")
      .nullish()
      .openapi({ example: "Ann Lee", description: "Who signs." }),
    receivedAt: TimestampInput.optional().openapi({
      description: "What `tomorrow` in the content is counted from; now, when left out.",
    }),
    timeZone: TimeZone.default("UTC"),
  })
  .refine(({ emailId, content }) => (emailId === undefined) !== (content === undefined), {
    message: "give either emailId or content",
    path: ["content"],
  })
  .openapi("EmailResponseRequest");

export type EmailResponseInput = z.output<typeof EmailResponseRequest>;

export const EmailResponse = z
  .object({
    subject: z.string().openapi({ example: "Re: Contract" }),
    response: z.string().openapi({
      example:
        "Hi Bob,\n\nThanks for your message about “Contract”.\n\nMonday, 23 November at 10:00 works for me. " +
        "Could I ask you for the agenda?\n\nBest wishes,\nAnn Lee",
    }),
    tone: z.enum(REPLY_TONES).openapi({ example: "friendly" }),
    ignoredInstructions: z.array(z.string()).openapi({
      example: [],
      description: "Parts of the instructions that the built-in engine did not understand. Always empty with a model.",
    }),
    engine: Engine,
  })
  .openapi("EmailResponse");
