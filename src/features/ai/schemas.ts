import { z } from "@hono/zod-openapi";
import { Id, TimestampInput } from "../../http/schemas.ts";
import { isTimeZone } from "../../lib/time-zone.ts";

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
