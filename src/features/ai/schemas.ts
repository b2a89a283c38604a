import { z } from "@hono/zod-openapi";
import { Timestamp, TimestampInput } from "../../http/schemas.ts";
import { CATEGORIES } from "../../lib/engine/tone.ts";
import { isTimeZone } from "../../lib/time-zone.ts";
import { DetectedMeeting, Engine, Quote } from "../calendar/detect/schemas.ts";

export const Intelligence = z
  .object({
    urgency: z.object({
      level: z.enum(["low", "normal", "high", "critical"]).openapi({ example: "high" }),
      score: z.int().min(0).max(100).openapi({ example: 61 }),
      reasons: z.array(z.string()).openapi({ example: ["something is due within a day"] }),
    }),
    category: z.enum(CATEGORIES).openapi({ example: "work" }),
    sentiment: z.enum(["positive", "neutral", "negative", "mixed"]).openapi({ example: "neutral" }),
    summary: z.string().openapi({ example: "Please send the signed contract by Friday." }),
    insights: z.array(z.string()).openapi({ example: ["Deadline: Friday (2026-11-20)", "Amount: $1,200"] }),
    actionItems: z.array(
      z.object({
        text: z.string().openapi({ example: "Send the signed contract by Friday" }),
        quote: Quote,
        dueAt: Timestamp.nullable(),
        assignee: z.string().nullable().openapi({
          example: "you",
          description:
            "A name, `you` for the reader, the sender for a promise; null when it is nobody's in particular.",
        }),
        confidence: z.number().min(0).max(1).openapi({ example: 0.9 }),
      }),
    ),
    meeting: DetectedMeeting.nullable(),
    replyNeeded: z.boolean().openapi({ example: true }),
    engine: Engine,
  })
  .openapi("EmailIntelligence");

export const IntelligenceRequest = z
  .object({
    content: z
      .string()
      .min(1)
      .max(500_000)
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
      .default("UTC")
      .openapi({ example: "Europe/Berlin", description: "A name of the IANA database." }),
  })
  .openapi("EmailIntelligenceRequest");

export type IntelligenceInput = z.output<typeof IntelligenceRequest>;
export type IntelligenceAnswer = z.infer<typeof Intelligence>;
