import { z } from "@hono/zod-openapi";
import { Timestamp } from "../../../http/schemas.ts";
import { SENTIMENTS, URGENCIES } from "../../../lib/email-kinds.ts";

const Quote = z
  .object({
    text: z.string().openapi({ example: "Please send the contract by Friday." }),
    start: z.int().openapi({ example: 24 }),
    end: z.int().openapi({ example: 59 }),
  })
  .openapi({ description: "`start` and `end` are character offsets into the body." });

const confidence = z.number().min(0).max(1).openapi({ example: 0.8 });

/** What an engine makes of a mail. Without a name of its own: as a nullable member it would be one everywhere. */
export const EmailAnalysis = z.object({
  urgency: z.object({
    level: z.enum(URGENCIES).openapi({ example: "high" }),
    score: z.number().min(0).max(100).openapi({ example: 72 }),
    reasons: z.array(z.string()).openapi({ example: ["asks for an answer by Friday"] }),
  }),
  category: z.string().openapi({ example: "request" }),
  sentiment: z.enum(SENTIMENTS).openapi({ example: "neutral" }),
  summary: z.string().openapi({ example: "Ann asks for the signed contract by Friday." }),
  insights: z.array(z.string()).openapi({ example: ["The contract is still unsigned."] }),
  actionItems: z.array(
    z.object({
      text: z.string().openapi({ example: "Send the contract" }),
      quote: Quote,
      dueAt: Timestamp.nullable(),
      assignee: z.string().nullable(),
      confidence,
    }),
  ),
  meeting: z
    .object({
      title: z.string(),
      start: Timestamp,
      end: Timestamp,
      timeZone: z.string(),
      allDay: z.boolean(),
      location: z.string().nullable(),
      meetingUrl: z.string().nullable(),
      attendees: z.array(z.object({ name: z.string(), email: z.string() })),
      confidence,
      ambiguous: z.boolean(),
      quote: Quote,
    })
    .nullable(),
  replyNeeded: z.boolean().openapi({ example: true }),
  engine: z.object({
    kind: z.enum(["llm", "builtin"]).openapi({ example: "builtin" }),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    upstreamModel: z.string().nullable(),
    fallbackReason: z.string().nullable(),
  }),
});
