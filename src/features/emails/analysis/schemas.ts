import { z } from "@hono/zod-openapi";
import { Timestamp, TimeZone } from "../../../http/schemas.ts";
import { CATEGORIES, SENTIMENTS, URGENCIES } from "../../../lib/email-kinds.ts";
import { Engine } from "../../ai-models/schemas.ts";

export const Quote = z
  .object({
    text: z.string().openapi({ example: "Please send the contract by Friday." }),
    start: z.int().openapi({ example: 24 }),
    end: z.int().openapi({ example: 59 }),
  })
  .openapi({ description: "`start` and `end` are character offsets into the text; what stands there is `text`." });

const confidence = z.number().min(0).max(1).openapi({ example: 0.8 });

/** Without a name of its own: as a nullable member it would be nullable everywhere. */
export const DetectedMeeting = z.object({
  title: z.string().openapi({ example: "Call: the budget" }),
  start: Timestamp,
  end: Timestamp,
  timeZone: z.string().openapi({ example: "Europe/Berlin" }),
  allDay: z.boolean().openapi({ example: false, description: "Only a day was named." }),
  location: z.string().nullable().openapi({ example: "Room 4" }),
  meetingUrl: z.string().nullable().openapi({ example: "https://meet.google.com/abc-defg-hij" }),
  attendees: z.array(
    z.object({
      name: z.string().nullable().openapi({ example: "Ann Lee" }),
      email: z.string().nullable().openapi({ example: "ann@example.org" }),
    }),
  ),
  confidence,
  ambiguous: z.boolean().openapi({
    example: true,
    description: "Another time is as likely (no am or pm was said), or it is one of several that were proposed.",
  }),
  quote: Quote,
});

/** What an engine makes of a mail. Without a name of its own: as a nullable member it would be one everywhere. */
export const EmailAnalysis = z.object({
  urgency: z.object({
    level: z.enum(URGENCIES).openapi({ example: "high" }),
    score: z.number().min(0).max(100).openapi({ example: 72 }),
    reasons: z.array(z.string()).openapi({ example: ["asks for an answer by Friday"] }),
  }),
  category: z.enum(CATEGORIES).openapi({ example: "work" }),
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
  meeting: DetectedMeeting.nullable(),
  replyNeeded: z.boolean().openapi({ example: true }),
  engine: Engine,
});

export const AnalysisQuery = z.object({
  timeZone: TimeZone.optional().openapi({
    description: "The zone the mail's times are read in; your profile's when left out, or UTC.",
  }),
});
